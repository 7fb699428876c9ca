// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/schedule/program.hpp"

/// The ring in rank order; see ring.cpp.
namespace coll_topo::ring {

/// Allreduce with ranks in any order: the time under its loads, and the program of number `number` of `ranks`, in which
/// peers are numbers too.
double allreduce_seconds_in_order(RankOrderCost cost, double bytes);
Program build_allreduce_in_order(int ranks, int number);

}  // namespace coll_topo::ring
