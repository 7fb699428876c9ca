// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/by_rank/visiting_trees.hpp"

#include <algorithm>

namespace coll_topo {

/// What follows each other through all trees.
struct TreePace {
    double first = 0;   ///< seconds until the first block has passed the longest way, from or to the root
    double link = 0;    ///< seconds of the busiest link for one block of each lane
    double rank = 0;    ///< likewise of the busiest rank
    double hop = 0;     ///< likewise of the slowest message, over the blocks that may be under way
    double starts = 0;  ///< of the rank that sends most, to begin its messages
    int depth = 0;      ///< hops of the longest way

    double period() const { return std::max({link, rank, hop}); }
};

/// For blocks of so many bytes, one in each lane, down the trees (bcast), up and combined (reduce), or both.
TreePace tree_pace(const Grid& grid, const VisitingTrees& trees, Collective collective, double block);

}  // namespace coll_topo
