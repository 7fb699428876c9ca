// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/capacity.hpp"
#include "coll_topo/grid/cartesian.hpp"
#include "coll_topo/grid/placement.hpp"
#include "coll_topo/schedule/program.hpp"

#include <cstdint>
#include <string_view>

namespace coll_topo::simulate {

/// What keeps a collective from being faster.
enum class Limit : std::uint8_t { cables, latency, messages, copying, combining };
std::string_view limit_name(Limit limit);

/// Seconds that no schedule of a collective can beat, for each of what can limit it, as if all else cost nothing.
struct Bound {
    double transfer = 0;   ///< of the data over cables, at full bandwidth
    double latency = 0;    ///< of cables, added to that
    double farthest = 0;   ///< latency between hosts that must hear of each other, however little the data
    double messages = 0;   ///< begun one after the other
    double copying = 0;    ///< between ranks of a host, and within a rank
    double combining = 0;  ///< of operands
    double work = 0;       ///< copying and combining by the same processors

    double seconds() const;
    Limit limit() const;  ///< what takes longest

    /// With software that costs nothing.
    Bound of_network() const { return {transfer, latency, farthest}; }
};

/// The bound for m bytes of data (as in Request) of p ranks on h hosts, which can send i bytes/s each
/// (host_injection), with the costs of the fabric's machines.
///
/// Cables and latency:
/// - allreduce: 2 m (h-1) / (h i), since the hosts must send 2 m (h-1) together, and each of them m;
/// - reduce_scatter, allgather: m (h-1) / (h i), which every host must send or receive;
/// - scan, exscan: m / i, which the host of rank 0 must send, and all others must receive;
/// - bcast, reduce: m / i of the root, then the latency between it and the farthest host;
/// - alltoall: the largest over all cuts and hosts of the bytes that must pass over what can pass. On a torus that is
///   the load of the links of a dimension when both ways round it are used alike;
/// - through switches, all: likewise over all cuts; m bytes, or in allgather and reduce_scatter the pieces of one side.
/// Links that pass b bytes at once after a rest (MachineCosts::link_burst) have that much less to carry, each of them.
/// Where each host must hear of every other, no less than the latency between the farthest two; and the last byte takes
/// the latency to the nearest vertex.
///
/// Messages: the ranks that know of one at most double with each: ceil(log2 p). Of a gather or reduce no rank but the
/// root must know of others, and it may get any number of messages at once: one. Where hosts share processors, these
/// begin p-1 in all with a root or in a scan, and else 2 (p-1) (gossip with messages of one direction).
///
/// Copying: x bytes, the least that a rank must get, come to the R > 1 ranks of a host over its cables and from each
/// other: R x / (i + R local_bandwidth). In allgather and alltoall a rank copies its own piece.
///
/// Combining: (p-1) m bytes in all, shared by p ranks; (p-2) m in an exscan.
///
/// Work: for each element some rank is the first to know the result, or to have got what it needs, after p-1 messages;
/// in an allreduce the p-1 others then need another one each. So all ranks receive D = 2 (p-1) m or (p-1) m bytes, and
/// what the cables of all hosts, I bytes/s, do not bring in T seconds they move themselves, besides combining C and
/// copying K bytes: T p >= C / reduce_bandwidth + K / copy_bandwidth + (D - I T) / local_bandwidth. Where no result
/// comes back, which is all but an allreduce, this holds for each host: every rank must send what it has of the vector,
/// but for the piece that it keeps (reduce_scatter) or if it is the root (reduce), or must get what it has not (bcast,
/// allgather). Of these bytes of a host, D_h in all, its own cables pass I_h T at most and those of others none, so
/// that D - I T is the sum of D_h - I_h T over the hosts where that is positive.
///
/// The ranks of a host receive from each other and combine no more than memory_bandwidth together.
///
/// Between neighbours: see neighbor_bound(); nothing without a Cartesian topology.
Bound bound(Collective collective, double bytes, int root, const Fabric& fabric, LinkGraph& graph,
            const Placement& placement, const Cartesian* cartesian = nullptr);

}  // namespace coll_topo::simulate
