// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/builder.hpp"

#include <vector>

namespace coll_topo {

/// A rank in a tree over all ranks.
struct TreeOfRank {
    int parent = -1;            ///< -1 for the root
    std::vector<int> children;  ///< in bcast the first ones are sent to first; in reduce they are folded in last
    int depth = 0;              ///< hops from the root; of an allreduce
};

/// Writes the steps of a rank in which blocks [first, first + count) go down the tree (bcast), up (reduce), or up and
/// down (allreduce), one after the other: while one arrives, the one before is passed on, and in an allreduce others
/// come back. For one lane of the builder.
void write_tree(ProgramBuilder& builder, Collective collective, int rank, const TreeOfRank& tree, int first, int count);

}  // namespace coll_topo
