// SPDX-License-Identifier: BSD-3-Clause
//
// The ring with the ranks in the order of a cycle through the grid instead of their own: reduce_scatter, allgather, and
// both together as allreduce.
//
//     0  1  2  3        host after host, each a neighbour of the next one; on each host, rank after rank
//     11 6  5  4
//     10 7  8  9
//
// A cable carries no more than a port needs, and a rank moves and combines every byte once, within hosts and between
// them at the same time. Rows that use all ports first collect what the ranks of a host have, and hand out last: with
// several ranks on a host that takes them longer than the network. For long vectors on few hosts.
//
// Cost, source: as ring.cpp. Needs: a torus or mesh.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/by_rank/ring.hpp"
#include "coll_topo/algorithm/by_rank/ring_orders.hpp"
#include "coll_topo/algorithm/collective_set.hpp"

#include <vector>

namespace coll_topo::algorithms {
namespace {

RingOrder ranks_on_cycle(const Grid& grid) {
    return RingOrders(grid).ring(0, 1, 0);
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    return ring::build_in_order(problem, ranks_on_cycle(grid), rank);
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    return ring::seconds_in_order(problem, RankOrderCost(grid, ranks_on_cycle(grid)), bytes);
}

}  // namespace

extern constinit const Algorithm grid_ring{
    .name = "grid_ring",
    .summary = "tori and meshes: the ring from neighbour to neighbour; for long vectors on few hosts of several ranks",
    .collectives = with_reduce_scatter_and_allgather,
    .network = Network::torus,
    .uses_lanes = true,
    .lane_counts = ring::lane_counts,
    .in_order = in_order_if_nothing_is_combined,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
