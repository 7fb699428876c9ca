// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/tree/tree_pipeline.hpp"

namespace coll_topo::grouped_two_tree {

/// The ranks of a phase wait for each other, which costs more than a model of links says: 1 MiB on virtual clusters of
/// 7 to 16 hosts took 1.05 to 1.8 times as long as predicted without this factor.
inline constexpr double waiting = 1.25;

/// Who a rank exchanges blocks with in a lane. Takes time that grows with the depth of the trees at most.
TreeNeighbours neighbours(const Grid& grid, const Problem& problem, int lane, int rank);

}  // namespace coll_topo::grouped_two_tree
