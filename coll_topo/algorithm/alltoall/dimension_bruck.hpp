// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"

namespace coll_topo::dimension_bruck {

Program build(const Grid& grid, const Problem& problem, int rank);
bool in_order(const Grid& grid, const Problem& problem);
double seconds(const Grid& grid, const Problem& problem, double bytes);
std::string refusal(const Grid& grid, const Problem& problem);

}  // namespace coll_topo::dimension_bruck
