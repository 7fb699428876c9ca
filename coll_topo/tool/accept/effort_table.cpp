// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/accept/effort_table.hpp"

#include "coll_topo/base/duration.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace coll_topo::tool {

namespace {

constexpr std::size_t most_named = 5;  // links of a list

std::string amount_text(double bytes) {
    const double mebibytes = bytes / (1 << 20);
    return mebibytes < 1024 ? fmt::format("{:.3g} MiB", mebibytes) : fmt::format("{:.3g} GiB", mebibytes / 1024);
}

Cell seconds_cell(const std::optional<double>& seconds) {
    if (!seconds) return {JsonValue(), "not known"};
    return {*seconds, duration_text(*seconds)};
}

void add_row(Table& table, const char* test, std::size_t rounds, const acceptance::Effort& effort) {
    table.add({test, static_cast<std::int64_t>(rounds), static_cast<std::int64_t>(effort.tests),
               static_cast<std::int64_t>(effort.messages), Cell{effort.bytes, amount_text(effort.bytes)},
               Cell{effort.links_at_once, fmt::format("{:.1f}", effort.links_at_once)}, seconds_cell(effort.seconds)});
}

}  // namespace

CableEffort cable_effort(const acceptance::CablePlan& plan, const Fabric& fabric, const LinkGraph& graph) {
    const acceptance::LinkCapacities capacities(graph);
    Table table({{"test", "test"},
                 {"rounds", "rounds"},
                 {"tests", "tests"},
                 {"messages", "messages"},
                 {"bytes", "amount"},
                 {"links_at_once", "links at once"},
                 {"seconds", "expected time"}});
    const auto latency = acceptance::latency_effort(plan, fabric, graph);
    const auto alone = acceptance::bandwidth_effort(plan, plan.alone, fabric, graph, capacities);
    const auto together = acceptance::bandwidth_effort(plan, plan.together, fabric, graph, capacities);
    add_row(table, "latency", plan.latency.size(), latency);
    add_row(table, "bandwidth alone", plan.alone.size(), alone);
    add_row(table, "bandwidth together", plan.together.size(), together);
    std::optional<double> seconds;
    if (capacities.known) seconds = *latency.seconds + *alone.seconds + *together.seconds;
    return {std::move(table), seconds};
}

std::string link_list(const LinkGraph& graph, const std::vector<int>& links) {
    std::vector<std::string> named;
    for (std::size_t i = 0; i < std::min(most_named, links.size()); ++i) {
        const Link& link = graph.links()[static_cast<std::size_t>(links[i])];
        named.push_back(graph.name(link.from) + " -> " + graph.name(link.to));
    }
    if (links.size() > most_named) named.push_back(fmt::format("{} more", links.size() - most_named));
    return fmt::format("{}", fmt::join(named, ", "));
}

}  // namespace coll_topo::tool
