// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/accept/host_stage.hpp"

#include "coll_topo/base/text.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>

namespace coll_topo::tool {

namespace {

/// May differ between hosts, and only has to be known.
constexpr std::string_view of_no_matter[] = {"kernel", "processor", "processors", "may run on"};

constexpr int most_processors = 1 << 16;  // of a host, however many a file that is wrong may claim

bool matters(const std::string& fact) {
    return std::find(std::begin(of_no_matter), std::end(of_no_matter), fact) == std::end(of_no_matter);
}

/// "0-3,8" as numbers.
std::set<int> processors_of(std::string_view text) {
    std::set<int> all;
    for (const std::string_view part : split(text, ',')) {
        const auto ends = split(part, '-');
        int first = -1, last = -1;
        std::from_chars(ends.front().data(), ends.front().data() + ends.front().size(), first);
        std::from_chars(ends.back().data(), ends.back().data() + ends.back().size(), last);
        for (int each = first; each >= 0 && each <= std::min(last, most_processors); ++each) all.insert(each);
    }
    return all;
}

std::string fact(const RankFacts& rank, const std::string& name) {
    const auto found = rank.facts.find(name);
    return found == rank.facts.end() ? "" : found->second;
}

}  // namespace

std::vector<std::string> HostStage::hosts() const {
    std::vector<std::string> names;
    for (const RankFacts& rank : ranks) {
        if (std::find(names.begin(), names.end(), rank.host) == names.end()) names.push_back(rank.host);
    }
    return names;
}

Expected<HostStage> read_host_facts(std::string_view text, const std::string& name) {
    try {
        const auto document = nlohmann::json::parse(text);
        if (document.at("version") != 1) return failure("what hosts are like, of another version", {name});
        HostStage stage{document.at("mpi").get<std::string>(), {}};
        for (const auto& rank : document.at("ranks")) {
            stage.ranks.push_back(
                {rank.at("host").get<std::string>(), rank.at("facts").get<std::map<std::string, std::string>>()});
        }
        return stage;
    } catch (const nlohmann::json::exception& error) {
        return failure("not what coll-topo-measure --hosts writes: " + std::string(error.what()), {name});
    }
}

std::vector<Difference> differences(const HostStage& stage) {
    std::map<std::string, std::map<std::string, std::set<std::string>>> hosts;  // by fact and value
    std::set<std::string> names;
    for (const RankFacts& rank : stage.ranks) {
        for (const auto& [what, value] : rank.facts) names.insert(what);
    }
    for (const RankFacts& rank : stage.ranks) {
        for (const std::string& what : names) hosts[what][fact(rank, what)].insert(rank.host);
    }
    std::vector<Difference> found;
    for (const auto& [what, values] : hosts) {
        if (values.size() < 2 || what == "may run on") continue;
        const auto usual = std::max_element(values.begin(), values.end(), [](const auto& one, const auto& other) {
            return one.second.size() < other.second.size();
        });
        for (const auto& [value, own] : values) {
            if (value == usual->first) continue;
            found.push_back({what, usual->first, value, {own.begin(), own.end()}, matters(what)});
        }
    }
    return found;
}

std::vector<std::string> hosts_with_wrong_binding(const HostStage& stage) {
    std::map<std::string, std::vector<std::set<int>>> bound;  // by host, of its ranks
    std::map<std::string, std::size_t> processors;
    for (const RankFacts& rank : stage.ranks) {
        bound[rank.host].push_back(processors_of(fact(rank, "may run on")));
        const std::string count = fact(rank, "processors");
        std::from_chars(count.data(), count.data() + count.size(), processors[rank.host]);
    }
    std::vector<std::string> wrong;
    for (const auto& [host, sets] : bound) {
        std::set<int> all;
        std::size_t sum = 0;
        for (const std::set<int>& set : sets) {
            if (set.size() >= processors[host]) continue;  // not bound
            all.insert(set.begin(), set.end());
            sum += set.size();
        }
        if (sum > all.size() && all.size() < processors[host]) wrong.push_back(host);
    }
    return wrong;
}

std::map<std::string, std::string> common_facts(const HostStage& stage) {
    if (stage.ranks.empty()) return {};
    std::map<std::string, std::string> common = stage.ranks.front().facts;
    for (const RankFacts& rank : stage.ranks) {
        std::erase_if(common, [&](const auto& each) { return fact(rank, each.first) != each.second; });
    }
    return common;
}

}  // namespace coll_topo::tool
