// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/simulate/work_bound.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace coll_topo::simulate {
namespace {

/// What the ranks of a host must send to others or get from others, one or the other.
struct Exchanged {
    double bytes;   ///< but for what cables pass at once
    double cables;  ///< bytes/s of the host
};

/// Not of an allreduce.
std::vector<Exchanged> exchanged(Collective collective, double bytes, int root, const Placement& placement,
                                 const Occupancy& occupancy, const Injection& injection) {
    const auto ranks = static_cast<double>(placement.size());
    const bool every_piece_stays = !is_rooted(collective) && !is_prefix(collective);
    const int spared = is_rooted(collective) ? placement[root].host : placement[0].host;
    std::vector<Exchanged> found;
    for (const int host : occupancy.hosts) {
        const double own = occupancy.ranks_of_host[host];
        const double without = every_piece_stays ? own / ranks : host == spared ? 1 : 0;
        const double each = moves_pieces(collective) ? bytes / ranks : bytes;
        found.push_back({beyond_burst((own - without) * each, injection.burst(host)), injection.bandwidth(host)});
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

}  // namespace

bool keeps_own(Collective collective) {
    return collective == Collective::allgather || collective == Collective::alltoall || moves_pieces(collective);
}

double combined_bytes(Collective collective, double bytes, double ranks) {
    if (!combines(collective)) return 0;
    return (collective == Collective::exscan ? ranks - 2 : ranks - 1) * bytes;
}

double work_bound(Collective collective, double bytes, int root, const Placement& placement, const Occupancy& occupancy,
                  const Injection& injection, const MachineCosts& costs) {
    const auto ranks = static_cast<double>(placement.size());
    const double pieces = moves_pieces(collective) ? 1 / ranks : 1;
    const double passed_on = (collective == Collective::allreduce ? 2 : 1) * pieces * (ranks - 1) * bytes;
    const double received = beyond_burst(passed_on, injection.burst());
    const double combined = combined_bytes(collective, bytes, ranks);
    const double copied = keeps_own(collective) ? pieces * bytes : 0;
    const auto hosts = static_cast<double>(occupancy.hosts.size());
    const double cables = injection.bandwidth();
    const double of_memory = (received + combined + copied) / (hosts * costs.memory_bandwidth + cables);
    const double others = combined / costs.reduce_bandwidth + copied / costs.copy_bandwidth;
    std::vector<Exchanged> all = {{received, cables}};
    if (collective != Collective::allreduce) all = exchanged(collective, bytes, root, placement, occupancy, injection);
    return std::max(seconds_beside_cables(std::move(all), others, ranks, costs.local_bandwidth), of_memory);
}

}  // namespace coll_topo::simulate
