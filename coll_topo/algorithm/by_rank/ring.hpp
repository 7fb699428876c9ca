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

/// For rows that combine: up to two lanes, so that combining overlaps with the network.
std::vector<int> lane_counts(const Grid&);

}  // namespace coll_topo::ring
