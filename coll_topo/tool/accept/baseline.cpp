// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/accept/baseline.hpp"

#include "coll_topo/acceptance/cluster.hpp"
#include "coll_topo/base/duration.hpp"
#include "coll_topo/select/decision.hpp"
#include "coll_topo/tool/output/json_number.hpp"
#include "coll_topo/tool/output/units.hpp"

#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace coll_topo::tool {

namespace {

using Json = nlohmann::json;

constexpr auto most_bytes = std::numeric_limits<std::int64_t>::max();

double positive(const Json& object, const char* key) {
    const double number = object.at(key).get<double>();
    if (number < 0) throw std::out_of_range(std::string(key) + " is below 0");
    return number;
}

void read_links(const Json& document, Baseline& baseline) {
    if (!document.contains("cables") || document.at("cables").is_null()) return;
    for (const Json& link : document.at("cables").at("links")) {
        baseline.links[{link.at("from").get<std::string>(), link.at("to").get<std::string>(),
                        static_cast<int>(whole_number(link, "number", 0))}] = positive(link, "alone");
    }
}

void read_times(const Json& document, Baseline& baseline) {
    if (!document.contains("speed") || document.at("speed").is_null()) return;
    for (const Json& one : document.at("speed").at("cases")) {
        const Json& components = one.at("components");
        if (!components.contains("topo")) continue;
        baseline.times[{one.at("collective").get<std::string>(), whole_number(one, "bytes", 0, most_bytes)}] = {
            positive(components.at("topo"), "median"), positive(components.at("topo"), "least")};
    }
}

/// Calls `compare` with each direction of each cable that both have: its ends, before, now.
template <typename Compare>
void for_each_link(const Baseline& baseline, const CableReport* cables, Compare compare) {
    if (cables == nullptr) return;
    for (std::size_t test = 0; test < cables->plan.tests.size(); ++test) {
        for (const int link : cables->plan.tests[test].links) {
            const Link& ends = cables->graph.links()[static_cast<std::size_t>(link)];
            const std::string from = cables->graph.name(ends.from), to = cables->graph.name(ends.to);
            const auto before = baseline.links.find({from, to, acceptance::ends_of(cables->graph, link).number});
            if (before == baseline.links.end()) continue;
            compare(from + " to " + to, before->second, cables->cables.measured.alone[test]);
        }
    }
}

template <typename Compare>
void for_each_time(const Baseline& baseline, const SpeedStage* speed, Compare compare) {
    if (speed == nullptr) return;
    for (const SpeedCase& one : speed->cases) {
        const auto before = baseline.times.find({one.collective, one.bytes});
        const auto now = one.components.find("topo");
        if (before == baseline.times.end() || now == one.components.end()) continue;
        compare(one, before->second, now->second);
    }
}

}  // namespace

Expected<Baseline> read_baseline(std::string_view text, const std::string& name, const Fabric& fabric) {
    try {
        const Json document = Json::parse(text);
        if (document.at("version") != 2) return failure("results of another version", {name});
        if (document.at("network") != fabric.summary()) {
            return failure("the results are of another network: " + document.at("network").get<std::string>(), {name});
        }
        Baseline baseline{document.at("date").get<std::string>(), {}, {}};
        read_links(document, baseline);
        read_times(document, baseline);
        return baseline;
    } catch (const Json::exception& error) {
        return failure("not results.json of coll-topo accept: " + std::string(error.what()), {name});
    } catch (const std::out_of_range& error) {
        return failure("not results.json of coll-topo accept: " + std::string(error.what()), {name});
    }
}

std::vector<std::string> worse_than(const Baseline& baseline, const CableReport* cables, const SpeedStage* speed,
                                    double share) {
    std::vector<std::string> worse;
    for_each_link(baseline, cables, [&](const std::string& ends, double before, double now) {
        if (now * (1 + share) >= before) return;
        worse.push_back(
            fmt::format("{}: {}, before {}", ends, now > 0 ? bandwidth_text(now) : "nothing", bandwidth_text(before)));
    });
    for_each_time(baseline, speed, [&](const SpeedCase& one, const ComponentTime& before, const ComponentTime& now) {
        if (now.median <= (1 + share) * before.median || now.least <= before.least) return;
        worse.push_back(fmt::format("{} of {}: {}, before {}", one.collective,
                                    bytes_text(static_cast<double>(one.bytes)), duration_text(now.median),
                                    duration_text(before.median)));
    });
    return worse;
}

std::size_t compared_with(const Baseline& baseline, const CableReport* cables, const SpeedStage* speed) {
    std::size_t count = 0;
    for_each_link(baseline, cables, [&](const std::string&, double, double) { ++count; });
    for_each_time(baseline, speed, [&](const SpeedCase&, const ComponentTime&, const ComponentTime&) { ++count; });
    return count;
}

}  // namespace coll_topo::tool
