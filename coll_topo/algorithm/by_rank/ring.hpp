// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/schedule/program.hpp"

#include <cstdint>
#include <span>
#include <vector>

/// The ring in rank order; see ring.cpp.
namespace coll_topo::ring {

/// Allreduce, reduce_scatter and allgather with ranks in any order: the time under its loads.
double seconds_in_order(const Problem& problem, RankOrderCost cost, double bytes);

/// The program of a rank with an order of all ranks for each lane.
Program build_in_orders(Collective collective, std::span<const std::vector<std::int32_t>> orders, int rank);
/// The same with one order for all lanes, of which the first ones go first.
Program build_in_order(const Problem& problem, const std::vector<std::int32_t>& order, int rank);

/// For rows that combine: with two lanes combining overlaps with the network, with more the two halves of an allreduce
/// do.
std::vector<int> lane_counts(const Grid& grid);

}  // namespace coll_topo::ring
