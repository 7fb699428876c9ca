// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/stages/stages.hpp"

/// Dimension-sorted recursive doubling on whole vectors; see recursive_doubling.cpp.
namespace coll_topo::recursive_doubling {

std::string refusal(const Grid& grid, const Problem& problem);
bool in_order(const Grid& grid, const Problem& problem);
double seconds(const Grid& grid, const Problem& problem, double bytes);
Program build(const Grid& grid, const Problem& problem, int rank);

/// The same in another order of stages, which must let all ranks combine the operands in the same groups.
Program build_along(const Grid& grid, const StageOrder& stage_order, int rank);
double seconds_along(const Grid& grid, const StageOrder& stage_order, double bytes);

}  // namespace coll_topo::recursive_doubling
