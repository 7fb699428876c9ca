// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/simulate/bounds.hpp"

#include "coll_topo/simulate/injection.hpp"
#include "coll_topo/simulate/neighbor_bound.hpp"
#include "coll_topo/simulate/work_bound.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

namespace coll_topo::simulate {
namespace {

/// Latency of the fastest link that leaves a host in use.
double nearest_latency(const LinkGraph& graph, const Occupancy& occupancy) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Link& link : graph.links()) {
        const bool in_use = link.from < graph.hosts() && occupancy.ranks_of_host[link.from] > 0;
        if (in_use) nearest = std::min(nearest, link.latency);
    }
    return nearest;
}

/// Bytes that must pass from one side of a cut, with so many of the ranks, to the other.
double crossing(Collective collective, double bytes, double inside, double outside) {
    const double piece = bytes / (inside + outside);
    if (collective == Collective::alltoall) return inside * outside * piece;
    if (moves_pieces(collective)) return std::min(inside, outside) * piece;  // the root may be on either side
    const bool whole = is_rooted(collective) || is_prefix(collective) || collective == Collective::allreduce;
    return whole ? bytes : std::max(inside, outside) * piece;
}

double over_cuts(Collective collective, double bytes, const Fabric& fabric, const LinkGraph& graph,
                 const Occupancy& occupancy) {
    double longest = 0;
    for (const Cut& cut : cuts(fabric, graph, occupancy.ranks_of_host)) {
        if (cut.inside == 0 || cut.outside == 0 || cut.bandwidth == 0) continue;
        const double passes = static_cast<double>(cut.links) * fabric.costs.link_burst;
        const double across =
            crossing(collective, bytes, static_cast<double>(cut.inside), static_cast<double>(cut.outside));
        longest = std::max(longest, beyond_burst(across, passes) / cut.bandwidth);
    }
    return longest;
}

double alltoall_transfer(double bytes, const Occupancy& occupancy, const Injection& injection, double ranks) {
    double longest = 0;
    for (const int host : occupancy.hosts) {
        const double inside = occupancy.ranks_of_host[host];
        longest =
            std::max(longest, injection.seconds(crossing(Collective::alltoall, bytes, inside, ranks - inside), host));
    }
    return longest;
}

/// Seconds in which the cables of the hosts pass what these must send or receive.
double over_host_cables(Collective collective, double bytes, int root, const Placement& placement,
                        const Occupancy& occupancy, const Injection& injection) {
    const auto ranks = static_cast<double>(placement.size()), hosts = static_cast<double>(occupancy.hosts.size());
    if (collective == Collective::alltoall) return alltoall_transfer(bytes, occupancy, injection, ranks);
    if (is_rooted(collective)) {
        const int host = placement[root].host;
        const double of_others = moves_pieces(collective) ? 1 - occupancy.ranks_of_host[host] / ranks : 1;
        return injection.seconds(bytes * of_others, host);
    }
    if (is_prefix(collective)) return injection.longest(bytes);
    if (collective == Collective::allreduce) {
        return std::max(injection.together(2 * bytes * (hosts - 1)), injection.longest(bytes));
    }
    return injection.longest(bytes * (hosts - 1) / hosts);
}

Bound of_network(Collective collective, double bytes, int root, const Fabric& fabric, LinkGraph& graph,
                 const Placement& placement, const Occupancy& occupancy, const Injection& injection) {
    Bound result;
    result.transfer = over_host_cables(collective, bytes, root, placement, occupancy, injection);
    // On a torus whose dimensions are of like speed, hosts' own cables limit all but an alltoall.
    if (fabric.torus() == nullptr || collective == Collective::alltoall) {
        result.transfer = std::max(result.transfer, over_cuts(collective, bytes, fabric, graph, occupancy));
    }
    if (!is_rooted(collective)) {
        result.latency = nearest_latency(graph, occupancy);
        result.farthest = diameter_latency(graph, occupancy.hosts);
        return result;
    }
    const double farthest = farthest_latency(graph, placement[root].host, occupancy.hosts);
    // Pieces of the nearest host need not wait for those of the farthest.
    result.latency = moves_pieces(collective) ? nearest_latency(graph, occupancy) : farthest;
    result.farthest = moves_pieces(collective) ? farthest : 0;
    return result;
}

double messages(Collective collective, const MachineCosts& costs, int ranks, int hosts) {
    const int each_once = is_rooted(collective) || is_prefix(collective) ? 1 : 2;
    const double shared = (hosts - 1) * costs.shared_message_time + (ranks - hosts) * costs.shared_local_message();
    // A root may get any number of messages at once.
    const bool to_root = collective == Collective::gather || collective == Collective::reduce;
    const int doublings = to_root ? 1 : std::bit_width(static_cast<unsigned>(ranks - 1));
    const double each = ranks > hosts ? std::min(costs.message_time, costs.local_message()) : costs.message_time;
    return std::max(each * doublings, each_once * shared);
}

/// Bytes that a rank must get from others, as a share of the vector.
double received_share(Collective collective, double ranks) {
    switch (collective) {
        case Collective::allgather:
        case Collective::alltoall:
        case Collective::gather:
            return (ranks - 1) / ranks;
        case Collective::reduce_scatter:
        case Collective::scatter:
            return 1 / ranks;
        default:
            return 1;
    }
}

/// Of the host where it takes longest.
double between_ranks(Collective collective, double bytes, int root, const Placement& placement,
                     const Occupancy& occupancy, const Injection& injection, const MachineCosts& costs) {
    const double each = bytes * received_share(collective, static_cast<double>(placement.size()));
    double longest = 0;
    for (const int host : occupancy.hosts) {
        int receivers = occupancy.ranks_of_host[host];
        if (receivers == 1) continue;
        const bool of_root = is_rooted(collective) && placement[root].host == host;
        const bool from_root = collective == Collective::bcast || collective == Collective::scatter;
        if (from_root && of_root) --receivers;
        if (is_prefix(collective) && placement[0].host == host) --receivers;
        if (is_rooted(collective) && !from_root) receivers = of_root ? 1 : 0;
        const double local = std::min(receivers * costs.local_bandwidth, costs.memory_bandwidth);
        const double moved = beyond_burst(receivers * each, injection.burst(host));
        longest = std::max(longest, moved / (injection.bandwidth(host) + local));
    }
    return longest;
}

/// Bytes/s of all ranks together.
double combining_bandwidth(const Occupancy& occupancy, const MachineCosts& costs) {
    double sum = 0;
    for (const int host : occupancy.hosts) {
        sum += std::min(occupancy.ranks_of_host[host] * costs.reduce_bandwidth, costs.memory_bandwidth);
    }
    return sum;
}

}  // namespace

std::string_view limit_name(Limit limit) {
    constexpr std::string_view names[] = {"cables", "latency", "messages", "copying", "combining"};
    return names[static_cast<int>(limit)];
}

double Bound::seconds() const {
    return std::max({transfer + latency, farthest, messages, copying, combining, work});
}

Limit Bound::limit() const {
    const double longest = seconds();
    if (longest == work && work > std::max(copying, combining)) {
        return combining >= copying ? Limit::combining : Limit::copying;
    }
    if (longest == combining) return Limit::combining;
    if (longest == copying) return Limit::copying;
    if (longest == messages) return Limit::messages;
    return 2 * transfer >= longest ? Limit::cables : Limit::latency;
}

Bound bound(Collective collective, double bytes, int root, const Fabric& fabric, LinkGraph& graph,
            const Placement& placement, const Cartesian* cartesian) {
    const auto ranks = static_cast<double>(placement.size());
    if (ranks < 2 || bytes == 0) return {};
    if (is_neighborhood(collective)) {
        return cartesian != nullptr ? neighbor_bound(collective, bytes, *cartesian, fabric.costs, graph, placement)
                                    : Bound();
    }
    const Occupancy occupancy(placement, graph.hosts());
    const MachineCosts& costs = fabric.costs;
    const Injection injection(graph, occupancy, costs);
    Bound result;
    if (occupancy.hosts.size() > 1) {
        result = of_network(collective, bytes, root, fabric, graph, placement, occupancy, injection);
    }
    result.messages =
        messages(collective, costs, static_cast<int>(placement.size()), static_cast<int>(occupancy.hosts.size()));
    result.copying = between_ranks(collective, bytes, root, placement, occupancy, injection, costs);
    if (keeps_own(collective)) {
        result.copying = std::max(result.copying, bytes / ranks / costs.copy_bandwidth);
    }
    result.combining = combined_bytes(collective, bytes, ranks) / combining_bandwidth(occupancy, costs);
    result.work = work_bound(collective, bytes, root, placement, occupancy, injection, costs);
    return result;
}

}  // namespace coll_topo::simulate
