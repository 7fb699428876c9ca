// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/slurm_address.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/input/hostlist.hpp"
#include "coll_topo/input/source_text.hpp"
#include "coll_topo/input/wording.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

namespace coll_topo {

namespace {

/// How many levels of switches a pattern has.
Expected<std::size_t> levels_of(std::string_view pattern) {
    const auto words = split(pattern, '.');
    const bool above = std::all_of(words.begin(), words.end() - 1,
                                   [](std::string_view word) { return word == "switch" || word == "block"; });
    if (above && words.back() == "node") return words.size() - 1;
    return failure("SLURM_TOPOLOGY_ADDR_PATTERN is " + in_quotes(pattern) +
                   "; expected node, block.node, or switch. for each level and node");
}

class TreeBuilder {
public:
    Expected<Fabric> build(std::span<const SlurmAddress> nodes) {
        for (const SlurmAddress& node : nodes) RETURN_IF_ERROR(add(node));
        return Fabric{std::move(hosts_), std::move(graph_), {}};
    }

private:
    Expected<void> add(const SlurmAddress& node) {
        if (hosts_.add(node.node) == NameTable::missing)
            return failure("node " + in_quotes(node.node) + " is there twice");
        std::vector<std::vector<int>> levels;  // from the top, without those that have no switch
        const auto lowest = std::find_if(node.switches.rbegin(), node.switches.rend(),
                                         [](const auto& names) { return !names.empty(); });
        for (std::size_t level = 0; level < node.switches.size(); ++level) {
            std::vector<std::string> names = node.switches[level];
            if (names.empty()) continue;
            // Of several leaves, one that stands for them all.
            if (&*lowest == &node.switches[level] && names.size() > 1) names = {hostlist_text(names)};
            levels.emplace_back();
            for (const std::string& name : names) {
                ASSIGN_OR_RETURN(const int index, switch_at(name, level));
                levels.back().push_back(index);
            }
        }
        if (levels.empty()) {
            if (!node.switches.empty()) return failure("node " + in_quotes(node.node) + " is below no switch");
            ASSIGN_OR_RETURN(const int index, switch_at("all", 0));
            levels.push_back({index});
        }
        for (std::size_t lower = 1; lower < levels.size(); ++lower) join(levels[lower], levels[lower - 1]);
        graph_.leaf_of_host.push_back(levels.back().front());
        return {};
    }

    /// The switch with a name, which is on one level only.
    Expected<int> switch_at(const std::string& name, std::size_t level) {
        const int known = graph_.switches.find(name);
        if (known == NameTable::missing) {
            level_of_.push_back(level);
            return graph_.switches.add(name);
        }
        if (level_of_[known] != level) return failure("switch " + in_quotes(name) + " is on two levels");
        return known;
    }

    void join(const std::vector<int>& lower, const std::vector<int>& upper) {
        for (const int from : lower) {
            for (const int to : upper) {
                if (joined_.insert({from, to}).second) graph_.links.push_back({from, to, 1, 0, 0});
            }
        }
    }

    NameTable hosts_;
    SwitchGraph graph_;
    std::vector<std::size_t> level_of_;  // by switch
    std::set<std::pair<int, int>> joined_;
};

}  // namespace

Expected<SlurmAddress> parse_slurm_address(std::string_view address, std::string_view pattern) {
    ASSIGN_OR_RETURN(const std::size_t levels, levels_of(pattern));
    SlurmAddress parsed;
    std::string_view rest = address;
    const auto wrong = [&](const std::string& why) {
        return failure("SLURM_TOPOLOGY_ADDR is " + in_quotes(address) + ": " + why);
    };
    for (std::size_t level = 0; level < levels; ++level) {
        const std::size_t dot = rest.find('.');
        if (dot == std::string_view::npos) return wrong("it has fewer parts than " + in_quotes(pattern));
        const std::string_view part = rest.substr(0, dot);
        rest.remove_prefix(dot + 1);
        parsed.switches.emplace_back();
        if (part.empty()) continue;
        const auto read = for_each_name({part}, [&](std::string_view name, const Located&) -> Expected<void> {
            parsed.switches.back().emplace_back(name);
            return {};
        });
        if (!read) return wrong(read.error().message);
    }
    if (rest.empty()) return wrong("the name of the node is missing");
    if (const auto good = check_name({rest}); !good) return wrong(good.error().message);
    parsed.node = rest;
    return parsed;
}

Expected<Fabric> tree_of_addresses(std::span<const SlurmAddress> nodes) {
    return TreeBuilder().build(nodes);
}

}  // namespace coll_topo
