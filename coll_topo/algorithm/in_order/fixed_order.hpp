// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"

/// A row of the catalogue; see the source for what it does.
namespace coll_topo::fixed_order {

std::string refusal(const Grid& grid, const Problem& problem);
bool in_order(const Grid& grid, const Problem& problem);
double seconds(const Grid& grid, const Problem& problem, double bytes);
Program build(const Grid& grid, const Problem& problem, int rank);

}  // namespace coll_topo::fixed_order
