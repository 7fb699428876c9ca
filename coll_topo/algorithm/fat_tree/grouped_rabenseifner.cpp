// SPDX-License-Identifier: BSD-3-Clause
//
// Rabenseifner's allreduce with the ranks in the order of hosts, leaves and groups: the large parts of the vector stay
// under a leaf, and what crosses leaves is small. For messages of middle size on many leaves: ceil(log2 p) steps each
// way, where halving-doubling along the axes exchanges with every leaf, but messages of a leaf share cables.
//
//     under a leaf      m/2, m/4, … to the hosts at distance 1, 2, 4      between leaves      m/16, m/32, …
//
// Cost, source: as rabenseifner.cpp, with the loads of ports, uplinks and ways between leaves.
// Needs: leaves. Combines in rank order if ranks follow the switches.

#include "coll_topo/algorithm/fat_tree/grouped_rabenseifner.hpp"

#include "coll_topo/algorithm/by_rank/rabenseifner.hpp"
#include "coll_topo/algorithm/fat_tree/switch_units.hpp"

namespace coll_topo::grouped_rabenseifner {

Program build(const Grid& grid, const Problem&, int rank) {
    return with_ranks(grid, rabenseifner::build_in_order(grid.ranks(), grid.number_by_switches(rank)));
}

bool in_order(const Grid& grid, const Problem&) {
    return ranks_follow_switches(grid);
}

double seconds(const Grid& grid, const Problem&, double bytes) {
    return rabenseifner::seconds_in_order(RankOrderCost(grid, grid.ranks_by_switches()), bytes);
}

std::string refusal(const Grid& grid, const Problem&) {
    return grid.switched() ? "" : "made for networks of switches";
}

}  // namespace coll_topo::grouped_rabenseifner
