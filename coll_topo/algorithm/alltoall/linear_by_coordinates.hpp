// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"

/// Alltoall directly between all, coordinate by coordinate; see linear_by_coordinates.cpp.
namespace coll_topo::linear_by_coordinates {

std::string refusal(const Grid& grid, const Problem& problem);
bool in_order(const Grid& grid, const Problem& problem);
double seconds(const Grid& grid, const Problem& problem, double bytes);
Program build(const Grid& grid, const Problem& problem, int rank);

}  // namespace coll_topo::linear_by_coordinates
