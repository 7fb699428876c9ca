// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"

/// Bcast and reduce of short vectors along trees that are optimal in the LogP model; see logp_tree.cpp.
namespace coll_topo::logp_tree {

std::string refusal(const Grid& grid, const Problem& problem);
bool in_order(const Grid& grid, const Problem& problem);
double seconds(const Grid& grid, const Problem& problem, double bytes);
Program build(const Grid& grid, const Problem& problem, int rank);

}  // namespace coll_topo::logp_tree
