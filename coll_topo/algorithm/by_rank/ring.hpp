// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/by_rank/ring_orders.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/schedule/program.hpp"

#include <cstdint>
#include <vector>

/// The ring in rank order; see ring.cpp.
namespace coll_topo::ring {

/// Allreduce, reduce_scatter and allgather with ranks in any order: the time under its loads.
double seconds_in_order(const Problem& problem, RankOrderCost cost, double bytes);

/// For each lane, all ranks in the order in which blocks are combined, and in that in which they are gathered; what a
/// collective does not do needs none.
struct Orders {
    std::vector<RingOrder> combining;
    std::vector<RingOrder> gathering;
};

/// The program of a rank with as many lanes as there are orders.
Program build_in_orders(const Problem& problem, const Orders& orders, RingWays ways, int rank);
/// The same with one order for all lanes, of which the first ones go first.
Program build_in_order(const Problem& problem, const RingOrder& order, int rank);

/// For rows that combine: with two lanes combining overlaps with the network, with more the two halves of an allreduce
/// do.
std::vector<int> lane_counts(const Grid& grid, Collective collective);

}  // namespace coll_topo::ring
