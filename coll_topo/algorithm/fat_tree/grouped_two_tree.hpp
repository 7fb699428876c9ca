// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/fat_tree/switch_units.hpp"
#include "coll_topo/algorithm/tree/tree_pipeline.hpp"

#include <array>

namespace coll_topo::grouped_two_tree {

inline constexpr int levels = SwitchUnits::machine;  ///< of trees: level l is over units of level l

/// The ranks of a phase wait for each other, which costs more than a model of links says: 1 MiB on virtual clusters of
/// 7 to 16 hosts took 1.05 to 1.8 times as long as predicted without this factor.
inline constexpr double waiting = 1.25;

/// The most hops on the trees of a level.
int height(const SwitchUnits& units, int level);

/// When the trees of each level work in a reduce, in rounds of the first block.
struct Timing {
    std::array<int, levels> begin{};          ///< of units that do not hold the root
    std::array<int, levels> begin_at_root{};  ///< of those that do
    int end = 0;
};

Timing find_timing(const SwitchUnits& units, int root, int lane, int lanes);

/// Who a rank exchanges blocks with in a lane. Takes time that grows with the depth of the trees at most.
TreeNeighbours neighbours(const Grid& grid, const Problem& problem, int lane, int rank);

/// Predicted seconds for a vector of so many bytes.
double seconds(const Grid& grid, const Problem& problem, double bytes);

}  // namespace coll_topo::grouped_two_tree
