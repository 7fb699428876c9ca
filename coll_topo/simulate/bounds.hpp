// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/capacity.hpp"
#include "coll_topo/grid/placement.hpp"
#include "coll_topo/schedule/program.hpp"

namespace coll_topo::simulate {

/// Seconds that no schedule of a collective can beat on the links of the machine, with software that costs nothing.
struct Bound {
    double transfer = 0;  ///< for the data, at full bandwidth
    double latency = 0;   ///< of the links, added to that
    double farthest = 0;  ///< latency between hosts that must hear of each other, however little the data

    double seconds() const { return farthest > transfer + latency ? farthest : transfer + latency; }
};

/// The bound for m bytes of data (as in Request) of ranks on h hosts, which can send i bytes/s each
/// (injection_bandwidth):
/// - allreduce: 2 m (h-1) / (h i), since the hosts must send 2 m (h-1) together, and each of them m;
/// - reduce_scatter, allgather: m (h-1) / (h i), which every host must send or receive;
/// - bcast, reduce: m / i of the root, then the latency between it and the farthest host;
/// - alltoall: the largest over all cuts and hosts of the bytes that must pass over what can pass. On a torus that is
///   the load of the links of a dimension when both ways round it are used alike.
/// Where each host must hear of every other, no less than the latency between the farthest two; and the last byte takes
/// the latency to the nearest vertex.
Bound bound(Collective collective, double bytes, int root, const Fabric& fabric, LinkGraph& graph,
            const Placement& placement);

}  // namespace coll_topo::simulate
