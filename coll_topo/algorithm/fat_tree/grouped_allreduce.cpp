// SPDX-License-Identifier: BSD-3-Clause
//
// Three algorithms of by_rank/ with the ranks in the order of hosts, leaves and groups instead of their own.
//
// Recursive doubling of whole vectors: the first steps stay on hosts and under leaves. For the smallest messages: where
// the sizes of leaves and their number are no powers of two, it takes fewer steps than doubling along the axes.
//
// Rabenseifner's algorithm: the large parts of the vector stay under a leaf, and what crosses leaves is small. For
// messages of middle size on many leaves: ceil(log2 p) steps each way, where halving-doubling along the axes exchanges
// with every leaf, but messages of a leaf share cables.
//
//     under a leaf      m/2, m/4, … to the hosts at distance 1, 2, 4      between leaves      m/16, m/32, …
//
// The ring: of the hosts of a leaf, one sends out and one receives from outside, so that no cable carries more than a
// port, however few uplinks a leaf has. 2(p-1) steps: for long vectors. Half of them is a reduce_scatter, or an
// allgather. With two lanes a rank combines the blocks of one while those of the other travel.
//
//     leaf 0: 0 -> 1 -> 2 -> 3      leaf 1: 4 -> 5 -> 6 -> 7      leaf 2: 8 -> ... -> 0
//
// Cost, source: as recursive_doubling_by_rank.cpp, rabenseifner.cpp and ring.cpp, with the loads of ports, uplinks and
// routes between leaves.
// Needs: leaves. All but the ring combine in rank order if ranks follow the switches.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/by_rank/rabenseifner.hpp"
#include "coll_topo/algorithm/by_rank/recursive_doubling_by_rank.hpp"
#include "coll_topo/algorithm/by_rank/ring.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/fat_tree/switch_units.hpp"

#include <vector>

namespace coll_topo::algorithms {
namespace {

/// The program that `build_in_order` makes of numbers, for ranks.
template <Program (*build_in_order)(int ranks, int number)>
Program build(const Grid& grid, const Problem&, int rank) {
    return with_ranks(grid, build_in_order(grid.ranks(), grid.number_by_switches(rank)));
}

template <double (*seconds_in_order)(RankOrderCost cost, double bytes)>
double seconds(const Grid& grid, const Problem&, double bytes) {
    return seconds_in_order(RankOrderCost(grid, grid.ranks_by_switches()), bytes);
}

Program build_ring(const Grid& grid, const Problem& problem, int rank) {
    return ring::build_in_order(problem, grid.ranks_by_switches(), rank);
}

double ring_seconds(const Grid& grid, const Problem& problem, double bytes) {
    return ring::seconds_in_order(problem, RankOrderCost(grid, grid.ranks_by_switches()), bytes);
}

bool if_ranks_follow_switches(const Grid& grid, const Problem&) {
    return ranks_follow_switches(grid);
}

}  // namespace

extern constinit const Algorithm grouped_recursive_doubling{
    .name = "grouped_recursive_doubling",
    .summary = "fat trees: whole vectors, doubling over hosts, then leaves; for small messages",
    .collectives = only(Collective::allreduce),
    .network = Network::switches,
    .in_order = if_ranks_follow_switches,
    .seconds = seconds<recursive_doubling_by_rank::allreduce_seconds_in_order>,
    .build = build<recursive_doubling_by_rank::build_allreduce_in_order>,
};

extern constinit const Algorithm grouped_rabenseifner{
    .name = "grouped_rabenseifner",
    .summary = "fat trees: halving then doubling over hosts, then leaves; for middle sizes",
    .collectives = only(Collective::allreduce),
    .network = Network::switches,
    .in_order = if_ranks_follow_switches,
    .seconds = seconds<rabenseifner::seconds_in_order>,
    .build = build<rabenseifner::build_in_order>,
};

extern constinit const Algorithm grouped_ring{
    .name = "grouped_ring",
    .summary = "fat trees: the ring over hosts, then leaves; for long vectors on few hosts",
    .collectives = with_reduce_scatter_and_allgather,
    .network = Network::switches,
    .uses_lanes = true,
    .lane_counts = ring::lane_counts,
    .in_order = in_order_if_nothing_is_combined,
    .seconds = ring_seconds,
    .build = build_ring,
};

}  // namespace coll_topo::algorithms
