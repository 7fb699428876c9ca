// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/cable_plan.hpp"

#include "coll_topo/acceptance/placement_rounds.hpp"
#include "coll_topo/acceptance/test_search.hpp"

#include <algorithm>

namespace coll_topo::acceptance {

namespace {

constexpr double rounding = 1e-9;
constexpr std::size_t least_bytes = std::size_t{256} << 10;
constexpr std::size_t most_bytes = std::size_t{64} << 20;
constexpr std::size_t bytes_at_unknown_speed = std::size_t{4} << 20;

double latency_of(const Message& message, const LinkGraph& graph) {
    double sum = 0;
    for (const int link : message.links) sum += graph.links()[static_cast<std::size_t>(link)].latency;
    return sum;
}

/// One rank tells all others to begin a round, and hears when each has ended.
double meeting_seconds(const LinkGraph& graph, const MachineCosts& costs) {
    return 2 * graph.hosts() * costs.message_time;
}

double transfer_of(const CableTest& test, const LinkGraph& graph, const LinkCapacities& capacities,
                   const MachineCosts& costs) {
    double seconds = 0;
    for (const Message& message : test.messages) {
        const double bytes = static_cast<double>(bytes_of_transfer(message, capacities));
        seconds = std::max(seconds, bytes / message.rate + latency_of(message, graph) + costs.message_time);
    }
    return transfers * seconds;
}

}  // namespace

CablePlan make_cable_plan(const Fabric& fabric, LinkGraph& graph, const std::vector<int>& hosts) {
    const LinkCapacities capacities(graph);
    CablePlan plan;
    plan.tests = find_cable_tests(fabric, graph, capacities, hosts);
    plan.pairs = latency_tests(plan.tests, graph);
    plan.latency = rounds_alone(plan.pairs, graph);
    plan.alone = rounds_alone(plan.tests, graph);
    plan.together = rounds_together(plan.tests, capacities);
    const std::vector<Round> of_placement = placement_rounds(fabric, graph, capacities, plan.tests);
    plan.together.insert(plan.together.end(), of_placement.begin(), of_placement.end());
    std::vector<double> most(graph.links().size(), 0);
    for (const CableTest& test : plan.tests) {
        for (const int link : test.links) {
            double& known = most[static_cast<std::size_t>(link)];
            known = std::max(known, test.bandwidth);
        }
    }
    for (std::size_t link = 0; link < most.size(); ++link) {
        if (most[link] == 0) {
            plan.untested.push_back(static_cast<int>(link));
        } else if (most[link] < capacities.of_link[link] * (1 - rounding)) {
            plan.not_filled.push_back(static_cast<int>(link));
        }
    }
    return plan;
}

std::size_t bytes_of_transfer(const Message& message, const LinkCapacities& capacities) {
    if (!capacities.known) return bytes_at_unknown_speed;
    const double bytes = std::min(message.rate * transfer_seconds, static_cast<double>(most_bytes));
    return std::max(least_bytes, static_cast<std::size_t>(bytes));
}

Effort latency_effort(const CablePlan& plan, const Fabric& fabric, const LinkGraph& graph) {
    Effort effort;
    double links = 0;
    double seconds = 0;
    for (const Round& round : plan.latency) {
        double slowest = 0;
        for (const int index : round) {
            const LatencyTest& pair = plan.pairs[static_cast<std::size_t>(index)];
            slowest = std::max(slowest, 2 * (pair.seconds(graph) + fabric.costs.message_time));
            links += static_cast<double>(pair.there.links.size() + pair.back.links.size());
        }
        seconds += round_trips * slowest + meeting_seconds(graph, fabric.costs);
        effort.tests += static_cast<long long>(round.size());
    }
    effort.messages = effort.tests * 2 * round_trips;
    effort.bytes = static_cast<double>(effort.messages) * 8;
    effort.links_at_once = plan.latency.empty() ? 0 : links / static_cast<double>(plan.latency.size());
    effort.seconds = seconds;
    return effort;
}

Effort bandwidth_effort(const CablePlan& plan, const std::vector<Round>& rounds, const Fabric& fabric,
                        const LinkGraph& graph, const LinkCapacities& capacities) {
    Effort effort;
    double links = 0;
    double seconds = 0;
    for (const Round& round : rounds) {
        double slowest = 0;
        for (const int index : round) {
            const CableTest& test = plan.tests[static_cast<std::size_t>(index)];
            slowest = std::max(slowest, transfer_of(test, graph, capacities, fabric.costs));
            effort.messages += transfers * static_cast<long long>(test.messages.size());
            for (const Message& message : test.messages) {
                effort.bytes += transfers * static_cast<double>(bytes_of_transfer(message, capacities));
            }
            links += static_cast<double>(test.links.size());
        }
        seconds += slowest + meeting_seconds(graph, fabric.costs);
        effort.tests += static_cast<long long>(round.size());
    }
    effort.links_at_once = rounds.empty() ? 0 : links / static_cast<double>(rounds.size());
    if (capacities.known) effort.seconds = seconds;
    return effort;
}

}  // namespace coll_topo::acceptance
