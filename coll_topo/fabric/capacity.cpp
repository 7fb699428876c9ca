// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/capacity.hpp"

#include "coll_topo/fabric/max_flow.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace coll_topo {
namespace {

/// By coordinate in a dimension, and for the end: the weight of the hosts at smaller coordinates.
std::vector<std::int64_t> weight_before(const Fabric& fabric, const Torus& torus, int d, std::span<const int> weights) {
    std::vector<std::int64_t> before(torus.dimensions()[d].size + 1, 0);
    for (std::size_t host = 0; host < weights.size(); ++host) {
        before[torus.coordinate(fabric.cell(static_cast<int>(host)), d) + 1] += weights[host];
    }
    std::partial_sum(before.begin(), before.end(), before.begin());
    return before;
}

/// The last place at which the first side of a cut may begin: in a ring any, where both its ends are cut.
int last_begin(const TorusDimension& dimension) {
    return dimension.wrapped ? dimension.size - 1 : 0;
}

/// Cables one way across a cut of a dimension.
std::int64_t links_across(const Torus& torus, int d) {
    const TorusDimension& dimension = torus.dimensions()[d];
    const std::int64_t one_end = torus.cells() / dimension.size;
    return dimension.wrapped ? 2 * one_end : one_end;
}

/// What passes them.
double bandwidth_across(const Torus& torus, int d) {
    return torus.dimensions()[d].bandwidth * static_cast<double>(links_across(torus, d));
}

std::vector<Cut> torus_cuts(const Fabric& fabric, const Torus& torus, std::span<const int> weights) {
    std::vector<Cut> cuts;
    const std::int64_t total = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
    for (int d = 0; d < static_cast<int>(torus.dimensions().size()); ++d) {
        const TorusDimension& dimension = torus.dimensions()[d];
        const std::vector<std::int64_t> before = weight_before(fabric, torus, d, weights);
        const std::int64_t links = links_across(torus, d);
        const double bandwidth = bandwidth_across(torus, d);
        for (int begin = 0; begin <= last_begin(dimension); ++begin) {
            for (int end = begin + 1; end <= dimension.size; ++end) {
                if (end - begin == dimension.size) continue;
                const std::int64_t inside = before[end] - before[begin];
                cuts.push_back({inside, total - inside, bandwidth, links});
            }
        }
    }
    return cuts;
}

/// How unequal the two sides of the most equal cut across a dimension are; -1 if there is no cut. As torus_cuts, but in
/// time that grows with the hosts and the size alone.
std::int64_t least_difference(const Fabric& fabric, const Torus& torus, int d) {
    const TorusDimension& dimension = torus.dimensions()[d];
    const std::int64_t hosts = fabric.hosts.size();
    const std::vector<std::int64_t> before = weight_before(fabric, torus, d, std::vector<int>(hosts, 1));
    std::int64_t least = -1;
    for (int begin = 0; begin <= last_begin(dimension); ++begin) {
        const auto first = before.begin() + begin + 1, end = before.end() - (begin == 0 ? 1 : 0);
        const auto half = std::lower_bound(first, end, before[begin] + hosts / 2);
        for (const auto place : {half, half - 1}) {
            if (place < first || place >= end) continue;
            const std::int64_t difference = std::abs(2 * (*place - before[begin]) - hosts);
            if (least < 0 || difference < least) least = difference;
        }
    }
    return least;
}

using Vertices = std::vector<bool>;

/// Also all switches below these, or above them. Links lead upwards without a cycle, so this ends after as many rounds
/// as there are levels.
void add_switches(const SwitchGraph& network, const LinkGraph& graph, bool below, Vertices& vertices) {
    for (bool more = true; more;) {
        more = false;
        for (const SwitchLink& link : network.links) {
            const int lower = graph.vertex_of_switch(link.from), upper = graph.vertex_of_switch(link.to);
            const int from = below ? upper : lower, to = below ? lower : upper;
            if (vertices[from] && !vertices[to]) more = vertices[to] = true;
        }
    }
}

/// A switch and all that is below it.
Vertices under(const SwitchGraph& network, const LinkGraph& graph, int top) {
    Vertices vertices(graph.vertices(), false);
    vertices[graph.vertex_of_switch(top)] = true;
    add_switches(network, graph, true, vertices);
    for (int host = 0; host < graph.hosts(); ++host) {
        vertices[host] = vertices[graph.vertex_of_switch(network.leaf_of_host[host])];
    }
    return vertices;
}

/// These hosts and all switches that are above no others.
Vertices with_switches_of_their_own(const SwitchGraph& network, const LinkGraph& graph, const Vertices& hosts) {
    Vertices above_others(graph.vertices(), false);
    for (int host = 0; host < graph.hosts(); ++host) {
        if (!hosts[host]) above_others[host] = above_others[graph.vertex_of_switch(network.leaf_of_host[host])] = true;
    }
    add_switches(network, graph, false, above_others);
    above_others.flip();
    return above_others;
}

Cut cut_around(const LinkGraph& graph, const Vertices& vertices, std::span<const int> weights) {
    Cut cut;
    for (int host = 0; host < graph.hosts(); ++host) (vertices[host] ? cut.inside : cut.outside) += weights[host];
    double out = 0, in = 0;
    for (const Link& link : graph.links()) {
        if (vertices[link.from] && !vertices[link.to]) out += link.bandwidth, ++cut.links;
        if (!vertices[link.from] && vertices[link.to]) in += link.bandwidth;
    }
    cut.bandwidth = std::min(out, in);
    return cut;
}

std::vector<Cut> switch_cuts(const SwitchGraph& network, const LinkGraph& graph, std::span<const int> weights) {
    std::vector<Cut> cuts;
    for (int top = 0; top < network.switches.size(); ++top) {
        const Vertices vertices = under(network, graph, top);
        const Cut alone = cut_around(graph, vertices, weights);
        const Cut with_others = cut_around(graph, with_switches_of_their_own(network, graph, vertices), weights);
        cuts.push_back(with_others.bandwidth < alone.bandwidth ? with_others : alone);
    }
    return cuts;
}

/// By vertex.
struct Leaving {
    std::vector<double> bandwidth;  // but for the cables to the router's own hosts
    std::vector<int> links;         // that it is the sum of
    std::vector<int> hosts_at, router;

    explicit Leaving(const LinkGraph& graph)
        : bandwidth(graph.vertices(), 0),
          links(graph.vertices(), 0),
          hosts_at(graph.vertices(), 0),
          router(graph.hosts(), -1) {
        for (std::size_t i = 0; i < graph.links().size(); ++i) {
            const Link& link = graph.links()[i];
            if (link.from < graph.hosts()) router[link.from] = link.to;
            if (link.to < graph.hosts() && graph.hosts_have_cables()) {
                ++hosts_at[link.from];
            } else if (graph.carries_own_messages(static_cast<int>(i))) {
                bandwidth[link.from] += link.bandwidth;
                ++links[link.from];
            }
        }
    }
};

double latency(LinkGraph& graph, int from, int to, std::vector<int>& route) {
    route.clear();
    graph.route(from, to, route);
    return std::accumulate(route.begin(), route.end(), 0.0,
                           [&](double sum, int link) { return sum + graph.links()[link].latency; });
}

}  // namespace

std::vector<Cut> cuts(const Fabric& fabric, const LinkGraph& graph, std::span<const int> weights) {
    if (const Torus* torus = fabric.torus()) return torus_cuts(fabric, *torus, weights);
    return switch_cuts(std::get<SwitchGraph>(fabric.network), graph, weights);
}

HostInjection host_injection(const LinkGraph& graph) {
    const int hosts = graph.hosts();
    const Leaving leaving(graph);
    HostInjection injection{{leaving.bandwidth.begin(), leaving.bandwidth.begin() + hosts},
                            {leaving.links.begin(), leaving.links.begin() + hosts}};
    for (int host = 0; host < hosts && graph.hosts_have_cables(); ++host) {
        const int at = leaving.router[host];
        if (leaving.hosts_at[at] != 1) continue;
        // A router that no other host shares may pass on less than the host's cable.
        injection.bandwidths[host] = std::min(injection.bandwidths[host], leaving.bandwidth[at]);
        injection.links[host] = std::max(injection.links[host], leaving.links[at]);
    }
    return injection;
}

std::vector<double> torus_injection_bandwidths(const Fabric& fabric) {
    const Torus& torus = *fabric.torus();
    const int dimensions = static_cast<int>(torus.dimensions().size());
    std::vector<double> injection(fabric.hosts.size());
    for (int host = 0; host < fabric.hosts.size(); ++host) {
        const std::int64_t cell = fabric.cell(host);
        double all = 0, own = 0;
        for (int direction = 0; direction < 2 * dimensions; ++direction) {
            const std::int64_t link = cell * 2 * dimensions + direction;
            if (torus.link_target(link) < 0) continue;
            all += torus.dimensions()[direction / 2].bandwidth;
            if (torus.carries_own_messages(link)) own += torus.dimensions()[direction / 2].bandwidth;
        }
        const double cable = fabric.host_bandwidth > 0 ? fabric.host_bandwidth : all;
        injection[host] = fabric.has_host_link() ? std::min(cable, own) : own;
    }
    return injection;
}

double torus_bisection_bandwidth(const Fabric& fabric) {
    if (fabric.hosts.size() < 2) return 0;
    const Torus& torus = *fabric.torus();
    std::int64_t least = fabric.hosts.size();
    double bandwidth = 0;
    for (int d = 0; d < static_cast<int>(torus.dimensions().size()); ++d) {
        const double across = bandwidth_across(torus, d);
        const std::int64_t difference = least_difference(fabric, torus, d);
        if (difference < 0 || difference > least || (difference == least && across >= bandwidth)) continue;
        least = difference;
        bandwidth = across;
    }
    return bandwidth;
}

double bisection_bandwidth(const Fabric& fabric, const LinkGraph& graph) {
    const int hosts = graph.hosts();
    if (hosts < 2) return 0;
    if (fabric.torus() != nullptr) return torus_bisection_bandwidth(fabric);
    std::vector<int> first(hosts / 2), second(hosts - hosts / 2);
    std::iota(first.begin(), first.end(), 0);
    std::iota(second.begin(), second.end(), hosts / 2);
    return max_flow(graph, first, second);
}

double farthest_latency(LinkGraph& graph, int host, std::span<const int> others) {
    double farthest = 0;
    std::vector<int> route;
    for (const int other : others) farthest = std::max(farthest, latency(graph, host, other, route));
    return farthest;
}

double diameter_latency(LinkGraph& graph, std::span<const int> hosts) {
    if (hosts.empty()) return 0;
    double diameter = 0;
    if (hosts.size() <= static_cast<std::size_t>(most_exact_hosts)) {
        for (const int host : hosts) diameter = std::max(diameter, farthest_latency(graph, host, hosts));
        return diameter;
    }
    std::vector<int> route;
    const int far = *std::max_element(hosts.begin(), hosts.end(), [&](int a, int b) {
        return latency(graph, hosts.front(), a, route) < latency(graph, hosts.front(), b, route);
    });
    return farthest_latency(graph, far, hosts);
}

}  // namespace coll_topo
