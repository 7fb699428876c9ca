// SPDX-License-Identifier: BSD-3-Clause
#include "test/acceptance/random_faults.hpp"

#include "coll_topo/acceptance/shortfall.hpp"

#include <algorithm>
#include <random>
#include <set>

namespace coll_topo::acceptance {

namespace {

/// Equal on all systems, unlike the distributions of the standard library.
class Draw {
public:
    explicit Draw(std::uint64_t seed) : engine_(seed) {}

    int below(int count) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(count)); }
    double between(double least, double most) {
        return least +
               (most - least) * static_cast<double>(engine_() >> 11) / static_cast<double>(std::uint64_t{1} << 53);
    }
    template <typename List>
    auto one_of(const List& list) {
        return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
    }

private:
    std::mt19937_64 engine_;
};

bool between_switches(const LinkGraph& graph, int link) {
    const Link& ends = graph.links()[static_cast<std::size_t>(link)];
    return graph.hosts_have_cables() && ends.from >= graph.hosts() && ends.to >= graph.hosts();
}

std::vector<int> tested_links(const CablePlan& plan) {
    std::set<int> links;
    for (const CableTest& test : plan.tests) links.insert(test.links.begin(), test.links.end());
    return {links.begin(), links.end()};
}

LinkEnds cable_of(const LinkGraph& graph, int link) {
    return ends_of(graph, std::min(link, graph.opposite(link)));
}

std::optional<Fault> draw_wiring(FaultKind kind, Draw& draw, const Fabric& file) {
    Fault fault{kind};
    fault.host = draw.below(file.hosts.size());
    const auto* const graph = std::get_if<SwitchGraph>(&file.network);
    if (kind == FaultKind::moved_host) {
        if (graph == nullptr) return std::nullopt;
        std::set<int> leaves(graph->leaf_of_host.begin(), graph->leaf_of_host.end());
        leaves.erase(graph->leaf_of_host[static_cast<std::size_t>(fault.host)]);
        fault.other = draw.one_of(std::vector<int>(leaves.begin(), leaves.end()));
        return fault;
    }
    do {
        fault.other = draw.below(file.hosts.size());  // of another leaf: within one, all places are alike
    } while (fault.other == fault.host ||
             (graph != nullptr && graph->leaf_of_host[static_cast<std::size_t>(fault.host)] ==
                                      graph->leaf_of_host[static_cast<std::size_t>(fault.other)]));
    if (fault.host > fault.other) std::swap(fault.host, fault.other);
    return fault;
}

}  // namespace

std::optional<DrawnFault> draw_fault(int kind, std::uint64_t seed, const CablePlan& plan, const Fabric& file,
                                     const LinkGraph& graph) {
    Draw draw(seed);
    DrawnFault drawn;
    std::vector<int> links = tested_links(plan);
    switch (kind) {
        case 0: {
            const int link = draw.one_of(links);
            drawn.fault = {FaultKind::slow_cable, cable_of(graph, link), draw.between(0.1, 0.7)};
            return drawn;
        }
        case 1: {
            const int link = draw.one_of(links);
            drawn.fault = {FaultKind::slow_direction, ends_of(graph, link), draw.between(0.1, 0.7)};
            return drawn;
        }
        case 2:
            drawn.fault = {FaultKind::dead_cable, cable_of(graph, draw.one_of(links))};
            return drawn;
        case 3:
            std::erase_if(links, [&](int link) { return !between_switches(graph, link); });
            if (links.empty() || file.torus() != nullptr) return std::nullopt;
            drawn.fault = {FaultKind::missing_cable, cable_of(graph, draw.one_of(links))};
            return drawn;
        case 4:
            drawn.fault = draw_wiring(FaultKind::swapped_hosts, draw, file);
            return drawn;
        case 5:
            drawn.fault = draw_wiring(FaultKind::moved_host, draw, file);
            return drawn.fault ? std::optional(drawn) : std::nullopt;
        case 6: {
            if (file.torus() == nullptr || file.torus()->dimensions().size() != 2) return std::nullopt;
            const auto& dimensions = file.torus()->dimensions();
            if (dimensions[0].size == dimensions[1].size) return std::nullopt;  // the same network
            Fault fault{FaultKind::dimension_order};
            fault.order = {1, 0};
            drawn.fault = fault;
            return drawn;
        }
        case 7: {
            const std::vector<int> kinds = kinds_of_tests(plan, file, graph);
            drawn.slow_kind = draw.one_of(kinds);
            return drawn;
        }
        default:
            drawn.silent = draw.below(file.hosts.size());
            return drawn;
    }
}

CableMeasurement measure_with(const DrawnFault& drawn, double noise, std::uint64_t seed, const CablePlan& plan,
                              const Fabric& file, const LinkGraph& graph) {
    constexpr double work = 2e-6;  // of the two hosts of a message
    constexpr double slow = 0.6;
    Draw draw(seed);
    Cluster cluster(file);
    if (drawn.fault) apply(*drawn.fault, cluster);
    CableMeasurement measured = expected(plan, LinkCapacities(graph), cluster);
    const std::vector<int> kinds = kinds_of_tests(plan, file, graph);
    for (std::size_t test = 0; test < kinds.size(); ++test) {
        if (kinds[test] != drawn.slow_kind) continue;
        measured.alone[test] *= slow;
        measured.together[test] *= slow;
    }
    for (double& seconds : measured.latency) seconds += seconds > 0 ? work : 0;
    for (auto* results : {&measured.latency, &measured.alone, &measured.together}) {
        for (double& result : *results) result *= 1 + draw.between(-noise, noise);
    }
    if (drawn.silent < 0) return measured;
    measured.silent = {drawn.silent};
    for (std::size_t pair = 0; pair < plan.pairs.size(); ++pair) {
        const Message& there = plan.pairs[pair].there;
        if (there.from == drawn.silent || there.to == drawn.silent) measured.latency[pair] = 0;
    }
    for (std::size_t test = 0; test < plan.tests.size(); ++test) {
        for (const Message& message : plan.tests[test].messages) {
            if (message.from != drawn.silent && message.to != drawn.silent) continue;
            measured.alone[test] = measured.together[test] = 0;
        }
    }
    return measured;
}

}  // namespace coll_topo::acceptance
