// SPDX-License-Identifier: BSD-3-Clause
//
// Recursive doubling of whole vectors with the ranks in the order of hosts, leaves and groups, so that the first steps
// stay on hosts and under leaves. For the smallest messages: where the sizes of leaves and their number are no powers
// of two, it takes fewer steps than doubling along the axes.
//
// Cost, source: as recursive_doubling_by_rank.cpp, with the loads of ports, uplinks and ways between leaves.
// Needs: leaves. Combines in rank order if ranks follow the switches.

#include "coll_topo/algorithm/fat_tree/grouped_recursive_doubling.hpp"

#include "coll_topo/algorithm/by_rank/recursive_doubling_by_rank.hpp"
#include "coll_topo/algorithm/fat_tree/switch_units.hpp"

namespace coll_topo::grouped_recursive_doubling {

Program build(const Grid& grid, const Problem&, int rank) {
    return with_ranks(
        grid, recursive_doubling_by_rank::build_allreduce_in_order(grid.ranks(), grid.number_by_switches(rank)));
}

bool in_order(const Grid& grid, const Problem&) {
    return ranks_follow_switches(grid);
}

double seconds(const Grid& grid, const Problem&, double bytes) {
    return recursive_doubling_by_rank::allreduce_seconds_in_order(RankOrderCost(grid, grid.ranks_by_switches()), bytes);
}

std::string refusal(const Grid& grid, const Problem&) {
    return grid.switched() ? "" : "made for networks of switches";
}

}  // namespace coll_topo::grouped_recursive_doubling
