// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/simulate/bounds.hpp"

#include "coll_topo/simulate/neighbor_bound.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>
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

/// A rank, or the root, copies its own piece.
bool keeps_own(Collective collective) {
    return collective == Collective::allgather || collective == Collective::alltoall || moves_pieces(collective);
}

Bound of_network(Collective collective, double bytes, int root, const Fabric& fabric, LinkGraph& graph,
                 const Placement& placement, const Occupancy& occupancy) {
    if (is_rooted(collective)) {
        const int host = placement[root].host;
        const double all = bytes / injection_bandwidth(graph, host);
        const double farthest = farthest_latency(graph, host, occupancy.hosts);
        if (!moves_pieces(collective)) return {all, farthest};
        // Pieces of the nearest host need not wait for those of the farthest.
        const double local = occupancy.ranks_of_host[host];
        return {(1 - local / static_cast<double>(placement.size())) * all, nearest_latency(graph, occupancy), farthest};
    }
    Bound result{0, nearest_latency(graph, occupancy), diameter_latency(graph, occupancy.hosts)};
    if (collective == Collective::alltoall) {
        result.transfer = alltoall_transfer(bytes, fabric, graph, occupancy, static_cast<double>(placement.size()));
        return result;
    }
    const Injection injection(graph, occupancy.hosts);
    const auto hosts = static_cast<double>(occupancy.hosts.size());
    if (is_prefix(collective)) {
        result.transfer = bytes / injection.least;
    } else if (collective == Collective::allreduce) {
        result.transfer = std::max(2 * bytes * (hosts - 1) / injection.sum, bytes / injection.least);
    } else {
        result.transfer = bytes * (hosts - 1) / hosts / injection.least;
    }
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
double between_ranks(Collective collective, double bytes, int root, const LinkGraph& graph, const Placement& placement,
                     const Occupancy& occupancy, const MachineCosts& costs) {
    const double each = bytes * received_share(collective, static_cast<double>(placement.size()));
    const std::vector<double> bandwidths = injection_bandwidths(graph);
    double longest = 0;
    for (const int host : occupancy.hosts) {
        int receivers = occupancy.ranks_of_host[host];
        if (receivers == 1) continue;
        const bool of_root = is_rooted(collective) && placement[root].host == host;
        const bool from_root = collective == Collective::bcast || collective == Collective::scatter;
        if (from_root && of_root) --receivers;
        if (is_prefix(collective) && placement[0].host == host) --receivers;
        if (is_rooted(collective) && !from_root) receivers = of_root ? 1 : 0;
        // Hosts that are alone need no cables.
        const double cables = occupancy.hosts.size() > 1 ? bandwidths[host] : 0;
        const double local = std::min(receivers * costs.local_bandwidth, costs.memory_bandwidth);
        longest = std::max(longest, receivers * each / (cables + local));
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

/// Of all ranks together. Of an exscan, the first two combine nothing.
double combined_bytes(Collective collective, double bytes, double ranks) {
    if (!combines(collective)) return 0;
    return (collective == Collective::exscan ? ranks - 2 : ranks - 1) * bytes;
}

/// What the ranks of a host must send to others or get from others, one or the other.
struct Exchanged {
    double bytes;
    double cables;  ///< bytes/s of the host
};

/// Not of an allreduce.
std::vector<Exchanged> exchanged(Collective collective, double bytes, int root, const LinkGraph& graph,
                                 const Placement& placement, const Occupancy& occupancy) {
    const auto ranks = static_cast<double>(placement.size());
    const bool every_piece_stays = !is_rooted(collective) && !is_prefix(collective);
    const int spared = is_rooted(collective) ? placement[root].host : placement[0].host;
    const std::vector<double> bandwidths = injection_bandwidths(graph);
    std::vector<Exchanged> found;
    for (const int host : occupancy.hosts) {
        const double own = occupancy.ranks_of_host[host];
        const double without = every_piece_stays ? own / ranks : host == spared ? 1 : 0;
        const double each = moves_pieces(collective) ? bytes / ranks : bytes;
        found.push_back({(own - without) * each, occupancy.hosts.size() > 1 ? bandwidths[host] : 0});
    }
    return found;
}

/// The least T with T·ranks >= others + the sum over hosts of what their cables do not pass in T, at `local` bytes/s.
double seconds_beside_cables(std::vector<Exchanged> hosts, double others, double ranks, double local) {
    for (;;) {
        double bytes = 0, cables = 0;
        for (const Exchanged& host : hosts) {
            bytes += host.bytes;
            cables += host.cables;
        }
        const double seconds = (others + bytes / local) / (ranks + cables / local);
        // Cables that pass more than they need to do not help other hosts.
        const auto passes_all = [&](const Exchanged& host) { return host.cables * seconds > host.bytes; };
        if (std::erase_if(hosts, passes_all) == 0) return seconds;
    }
}

/// Seconds of what all ranks must combine, copy and receive from ranks of their hosts, one after the other: what does
/// not pass over the cables, if these are as busy.
double work(Collective collective, double bytes, int root, const LinkGraph& graph, const Placement& placement,
            const Occupancy& occupancy, const MachineCosts& costs) {
    const auto ranks = static_cast<double>(placement.size());
    const double pieces = moves_pieces(collective) ? 1 / ranks : 1;
    const double received = (collective == Collective::allreduce ? 2 : 1) * pieces * (ranks - 1) * bytes;
    const double combined = combined_bytes(collective, bytes, ranks);
    const double copied = keeps_own(collective) ? pieces * bytes : 0;
    const auto hosts = static_cast<double>(occupancy.hosts.size());
    const double cables = hosts > 1 ? Injection(graph, occupancy.hosts).sum : 0;
    const double of_memory = (received + combined + copied) / (hosts * costs.memory_bandwidth + cables);
    const double others = combined / costs.reduce_bandwidth + copied / costs.copy_bandwidth;
    std::vector<Exchanged> all = {{received, cables}};
    if (collective != Collective::allreduce) all = exchanged(collective, bytes, root, graph, placement, occupancy);
    return std::max(seconds_beside_cables(std::move(all), others, ranks, costs.local_bandwidth), of_memory);
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
    Bound result;
    if (occupancy.hosts.size() > 1) {
        result = of_network(collective, bytes, root, fabric, graph, placement, occupancy);
    }
    result.messages =
        messages(collective, costs, static_cast<int>(placement.size()), static_cast<int>(occupancy.hosts.size()));
    result.copying = between_ranks(collective, bytes, root, graph, placement, occupancy, costs);
    if (keeps_own(collective)) {
        result.copying = std::max(result.copying, bytes / ranks / costs.copy_bandwidth);
    }
    result.combining = combined_bytes(collective, bytes, ranks) / combining_bandwidth(occupancy, costs);
    result.work = work(collective, bytes, root, graph, placement, occupancy, costs);
    return result;
}

}  // namespace coll_topo::simulate
