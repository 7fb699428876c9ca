// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"

/// Alltoall in an order that loads all links equally; see a2at.cpp.
namespace coll_topo::a2at {

std::string refusal(const Grid& grid, const Problem& problem);
bool in_order(const Grid& grid, const Problem& problem);
double seconds(const Grid& grid, const Problem& problem, double bytes);
Program build(const Grid& grid, const Problem& problem, int rank);

}  // namespace coll_topo::a2at
