// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/tree/pipeline.hpp"
#include "coll_topo/algorithm/tree/two_trees.hpp"

#include <vector>

namespace coll_topo {

/// The edges of a rank in the two trees of a lane. A slot is a colour, plus 2 for each level of trees below; of all
/// edges of one, a rank sends on one at most and receives on one at most.
struct TreeNeighbours {
    std::vector<TreeEdge> edges;
    int slots = TwoTrees::colours;
    int rounds = 0;  ///< until the first block has reached the root; the same for all ranks
};

/// Appends the edges of a position in the two trees over the members of a unit. `rank_of` gives the rank at a position;
/// the first block leaves the deepest members in the round `begin`, and takes `height` rounds.
template <typename RankOf>
void add_edges(TreeNeighbours& neighbours, const TwoTrees& trees, int position, int level, int begin, int height,
               RankOf&& rank_of) {
    for (int tree = 0; tree < TwoTrees::trees; ++tree) {
        const auto add = [&](int lower, int peer, bool to_parent) {
            const int slot = TwoTrees::colours * level + trees.colour(tree, lower);
            const int delay = begin + height - trees.depth(tree, lower);
            const Operand side = rank_of(peer) < rank_of(position) ? Operand::left : Operand::right;
            neighbours.edges.push_back({rank_of(peer), tree, slot, delay, to_parent, side});
        };
        if (position > 0) add(position, trees.parent(tree, position), true);
        for (const int child : trees.children(tree, position)) {
            if (child > 0) add(child, child, false);
        }
    }
}

/// How many blocks the vector has: for each lane, `segments` times two, the second one for the second tree.
inline int tree_pipeline_blocks(const Problem& problem) {
    return problem.lanes * problem.segments * TwoTrees::trees;
}

/// Writes a lane of reduce, bcast or allreduce: blocks stream through the trees, one after the other. In allreduce
/// block k goes down while block k + rounds goes up.
void write_tree_pipeline(ProgramBuilder& builder, const Problem& problem, int lane, const TreeNeighbours& neighbours);

}  // namespace coll_topo
