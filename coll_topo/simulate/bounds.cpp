// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/simulate/bounds.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace coll_topo::simulate {
namespace {

/// The hosts that ranks are on, and how many.
struct Occupancy {
    std::vector<int> ranks_of_host;
    std::vector<int> hosts;

    Occupancy(const Placement& placement, int all_hosts) : ranks_of_host(all_hosts, 0) {
        for (const RankLocation& location : placement) {
            if (ranks_of_host[location.host]++ == 0) hosts.push_back(location.host);
        }
    }
};

/// Of the hosts in use.
struct Injection {
    double least = std::numeric_limits<double>::infinity();
    double sum = 0;

    Injection(const LinkGraph& graph, const std::vector<int>& hosts) {
        const std::vector<double> bandwidths = injection_bandwidths(graph);
        for (const int host : hosts) {
            least = std::min(least, bandwidths[host]);
            sum += bandwidths[host];
        }
    }
};

/// Latency of the fastest link that leaves a host in use.
double nearest_latency(const LinkGraph& graph, const Occupancy& occupancy) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Link& link : graph.links()) {
        const bool in_use = link.from < graph.hosts() && occupancy.ranks_of_host[link.from] > 0;
        if (in_use) nearest = std::min(nearest, link.latency);
    }
    return nearest;
}

double alltoall_transfer(double bytes, const Fabric& fabric, const LinkGraph& graph, const Occupancy& occupancy,
                         double ranks) {
    const double piece = bytes / ranks;
    double longest = 0;
    const auto consider = [&](double inside, double bandwidth) {
        if (bandwidth > 0) longest = std::max(longest, inside * (ranks - inside) * piece / bandwidth);
    };
    for (const Cut& cut : cuts(fabric, graph, occupancy.ranks_of_host)) {
        consider(static_cast<double>(cut.inside), cut.bandwidth);
    }
    const std::vector<double> bandwidths = injection_bandwidths(graph);
    for (const int host : occupancy.hosts) consider(occupancy.ranks_of_host[host], bandwidths[host]);
    return longest;
}

}  // namespace

Bound bound(Collective collective, double bytes, int root, const Fabric& fabric, LinkGraph& graph,
            const Placement& placement) {
    const Occupancy occupancy(placement, graph.hosts());
    if (occupancy.hosts.size() < 2 || bytes == 0) return {};
    if (is_rooted(collective)) {
        const int host = placement[root].host;
        return {bytes / injection_bandwidth(graph, host), farthest_latency(graph, host, occupancy.hosts), 0};
    }
    Bound result{0, nearest_latency(graph, occupancy), diameter_latency(graph, occupancy.hosts)};
    if (collective == Collective::alltoall) {
        result.transfer = alltoall_transfer(bytes, fabric, graph, occupancy, static_cast<double>(placement.size()));
        return result;
    }
    const Injection injection(graph, occupancy.hosts);
    const auto hosts = static_cast<double>(occupancy.hosts.size());
    if (collective == Collective::allreduce) {
        result.transfer = std::max(2 * bytes * (hosts - 1) / injection.sum, bytes / injection.least);
    } else {
        result.transfer = bytes * (hosts - 1) / hosts / injection.least;
    }
    return result;
}

}  // namespace coll_topo::simulate
