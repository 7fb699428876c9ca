// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/builder.hpp"

#include <vector>

namespace coll_topo {

/// A rank in a tree over all ranks.
struct TreeOfRank {
    int parent = -1;            ///< -1 for the root
    std::vector<int> children;  ///< in bcast the first ones are sent to first; in reduce they are folded in last
};

/// Writes the steps of a rank in which blocks [first, first + count) go down the tree (bcast) or up (reduce), one after
/// the other: while one arrives, the one before is passed on. For one lane of the builder.
void write_tree(ProgramBuilder& builder, Collective collective, int rank, const TreeOfRank& tree, int first, int count);

/// Likewise for an allreduce: blocks go up the tree, and each goes down again once the root has it whole. A rank that
/// is `depth` hops below the root takes both ways in turn, so that all takes count + both_ways_lag(depth) steps.
void write_both_ways(ProgramBuilder& builder, int rank, const TreeOfRank& tree, int depth, int first, int count);

/// In how many steps more than it has blocks to combine.
int both_ways_lag(int depth);

}  // namespace coll_topo
