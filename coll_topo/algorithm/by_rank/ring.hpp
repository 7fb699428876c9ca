// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"

/// The ring in rank order; see ring.cpp.
namespace coll_topo::ring {

std::string refusal(const Grid& grid, const Problem& problem);
bool in_order(const Grid& grid, const Problem& problem);
double seconds(const Grid& grid, const Problem& problem, double bytes);
Program build(const Grid& grid, const Problem& problem, int rank);

/// The same for an allreduce of ranks numbered in any order: of the rank with a number, and with the order in `cost`.
Program build_allreduce_in_order(int ranks, int number);
double allreduce_seconds_in_order(RankOrderCost cost, double bytes);

}  // namespace coll_topo::ring
