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

/// Allreduce, reduce_scatter and allgather with ranks in any order: the time under its loads, and the program of the
/// rank at place `own` of `order`, which lists all ranks.
double seconds_in_order(const Problem& problem, RankOrderCost cost, double bytes);
Program build_in_order(Collective collective, std::span<const std::int32_t> order, int own, int lanes);

/// Allreduce with an order of its own for each lane; `own`: the rank.
Program build_in_orders(std::span<const std::vector<std::int32_t>> orders, int own);

/// For rows that combine: up to two lanes, so that combining overlaps with the network.
std::vector<int> lane_counts(const Grid&);

}  // namespace coll_topo::ring
