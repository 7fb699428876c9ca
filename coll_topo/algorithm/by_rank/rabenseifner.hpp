// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"

/// Rabenseifner's allreduce in rank order; see rabenseifner.cpp.
namespace coll_topo::rabenseifner {

std::string refusal(const Grid& grid, const Problem& problem);
bool in_order(const Grid& grid, const Problem& problem);
double seconds(const Grid& grid, const Problem& problem, double bytes);
Program build(const Grid& grid, const Problem& problem, int rank);

/// The same with ranks in another order: the time under its loads, and the program of number `number` of `ranks`, in
/// which peers are numbers too.
double seconds_in_order(RankOrderCost cost, double bytes);
Program build_in_order(int ranks, int number);

}  // namespace coll_topo::rabenseifner
