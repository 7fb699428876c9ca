// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/network/network_facts.hpp"

#include "coll_topo/fabric/capacity.hpp"

#include <algorithm>
#include <vector>

namespace coll_topo::tool {

namespace {

void find_bandwidths(const Fabric& fabric, const LinkGraph& network, NetworkFacts& facts) {
    for (const Link& link : network.links()) {
        if (link.bandwidth == 0) return;
    }
    if (facts.hosts < 2) return;
    facts.bisection_bandwidth = bisection_bandwidth(fabric, network);
    const std::vector<double> injection = injection_bandwidths(network);
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

/// One host of each leaf stands for all: routes to hosts of one leaf are equally long.
std::optional<int> switch_diameter(const SwitchGraph& graph, LinkGraph& network) {
    std::vector<int> first_host(graph.switches.size(), -1);
    bool shared_leaf = false;
    for (int host = 0; host < network.hosts(); ++host) {
        int& first = first_host[graph.leaf_of_host[host]];
        shared_leaf = shared_leaf || first >= 0;
        if (first < 0) first = host;
    }
    std::size_t longest = shared_leaf ? 2 : 0;
    std::vector<int> route;
    for (const int from : first_host) {
        for (const int to : first_host) {
            if (from < 0 || to < 0 || from == to) continue;
            route.clear();
            if (!network.route(from, to, route)) return {};
            longest = std::max(longest, route.size());
        }
    }
    return static_cast<int>(longest);
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

NetworkFacts find_facts(const Fabric& fabric, LinkGraph& network) {
    NetworkFacts facts;
    facts.kind = network_kind(fabric);
    facts.hosts = network.hosts();
    facts.cables = static_cast<std::int64_t>(network.links().size()) / 2;
    facts.switches = network.vertices() - network.hosts();
    find_bandwidths(fabric, network, facts);
    if (const Torus* torus = fabric.torus()) {
        facts.diameter = torus_diameter(*torus, fabric.host_bandwidth > 0 || fabric.host_latency > 0);
    } else {
        const auto& graph = std::get<SwitchGraph>(fabric.network);
        facts.wiring = recognise_wiring(graph);
        facts.diameter = switch_diameter(graph, network);
    }
    return facts;
}

}  // namespace coll_topo::tool
