// SPDX-License-Identifier: BSD-3-Clause
//
// The ring with the ranks in the order of hosts, leaves and groups: of the hosts of a leaf, one sends out and one
// receives from outside, so that no cable carries more than a port, however few uplinks a leaf has.
//
//     leaf 0: 0 -> 1 -> 2 -> 3      leaf 1: 4 -> 5 -> 6 -> 7      leaf 2: 8 -> ... -> 0
//
// Cost, source: as ring.cpp, with the loads of ports, uplinks and ways between leaves. 2(p-1) steps: for long vectors.
// Needs: leaves.

#include "coll_topo/algorithm/fat_tree/grouped_ring.hpp"

#include "coll_topo/algorithm/by_rank/ring.hpp"
#include "coll_topo/algorithm/fat_tree/switch_units.hpp"

namespace coll_topo::grouped_ring {

Program build(const Grid& grid, const Problem&, int rank) {
    return with_ranks(grid, ring::build_allreduce_in_order(grid.ranks(), grid.number_by_switches(rank)));
}

bool in_order(const Grid&, const Problem&) {
    return false;
}

double seconds(const Grid& grid, const Problem&, double bytes) {
    return ring::allreduce_seconds_in_order(RankOrderCost(grid, grid.ranks_by_switches()), bytes);
}

std::string refusal(const Grid& grid, const Problem&) {
    return grid.switched() ? "" : "made for networks of switches";
}

}  // namespace coll_topo::grouped_ring
