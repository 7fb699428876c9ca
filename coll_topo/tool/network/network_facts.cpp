// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/network/network_facts.hpp"

#include "coll_topo/fabric/capacity.hpp"
#include "coll_topo/fabric/link_graph.hpp"
#include "coll_topo/fabric/switch_diameter.hpp"

#include <algorithm>
#include <vector>

namespace coll_topo::tool {

namespace {

void set_injection(const std::vector<double>& injection, NetworkFacts& facts) {
    facts.least_injection_bandwidth = *std::min_element(injection.begin(), injection.end());
    facts.most_injection_bandwidth = *std::max_element(injection.begin(), injection.end());
}

int torus_diameter(const Torus& torus, bool host_cables) {
    int hops = host_cables ? 2 : 0;
    for (const TorusDimension& dimension : torus.dimensions()) {
        hops += dimension.wrapped ? dimension.size / 2 : dimension.size - 1;
    }
    return hops;
}

/// With the cables of both hosts. Between two hosts of a leaf there are only these.
int links_between_hosts(const SwitchGraph& graph, int between_switches) {
    const bool one_leaf_each = between_switches == 0 && graph.leaf_of_host.size() < 2;
    return one_leaf_each ? 0 : between_switches + 2;
}

/// A torus may have far more links than cells, and needs no graph of them.
void add_torus_facts(const Fabric& fabric, const Torus& torus, NetworkFacts& facts) {
    const bool host_cables = fabric.has_host_link();
    facts.cables = torus.directed_links() / 2 + (host_cables ? facts.hosts : 0);
    facts.switches = static_cast<int>(torus.cells()) - (host_cables ? 0 : facts.hosts);
    facts.diameter = torus_diameter(torus, host_cables);
    const auto unknown = [](const TorusDimension& dimension) { return dimension.size > 1 && dimension.bandwidth == 0; };
    if (facts.hosts < 2 || std::ranges::any_of(torus.dimensions(), unknown)) return;
    facts.bisection_bandwidth = torus_bisection_bandwidth(fabric);
    set_injection(torus_injection_bandwidths(fabric), facts);
}

void add_switch_facts(const Fabric& fabric, const SwitchGraph& graph, NetworkFacts& facts) {
    const LinkGraph network(fabric);
    facts.cables = static_cast<std::int64_t>(network.links().size()) / 2;
    facts.switches = graph.switches.size();
    facts.wiring = recognise_wiring(graph);
    facts.kind = wiring_name(facts.wiring->kind);
    const SwitchDiameter diameter = find_switch_diameter(graph);
    if (diameter.joined) facts.diameter = links_between_hosts(graph, diameter.links);
    facts.diameter_is_exact = diameter.exact;
    const auto unknown = [](const Link& link) { return link.bandwidth == 0; };
    if (facts.hosts < 2 || std::ranges::any_of(network.links(), unknown)) return;
    facts.bisection_bandwidth = bisection_bandwidth(fabric, network);
    set_injection(host_injection(network).bandwidths, facts);
}

}  // namespace

std::string network_kind(const Fabric& fabric) {
    if (const Torus* torus = fabric.torus()) {
        const auto joined = [](const TorusDimension& dimension) { return dimension.wrapped && dimension.size > 1; };
        const auto& dimensions = torus->dimensions();
        return std::any_of(dimensions.begin(), dimensions.end(), joined) ? "torus" : "mesh";
    }
    return std::string(wiring_name(recognise_wiring(std::get<SwitchGraph>(fabric.network)).kind));
}

NetworkFacts find_facts(const Fabric& fabric) {
    NetworkFacts facts;
    facts.hosts = fabric.hosts.size();
    if (const Torus* torus = fabric.torus()) {
        facts.kind = network_kind(fabric);
        add_torus_facts(fabric, *torus, facts);
    } else {
        add_switch_facts(fabric, std::get<SwitchGraph>(fabric.network), facts);
    }
    return facts;
}

}  // namespace coll_topo::tool
