// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/tree/rooted_tree.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace coll_topo {

/// A tree over all ranks in which the pieces of a gather go up to the root, or those of a scatter down: a rank passes
/// on the pieces of all ranks below it, as one message.
///
///     0 --- 1        gather   3 -> 2: [3]    2 -> 0: [2 3]    1 -> 0: [1]
///     |              scatter  0 -> 2: [2 3]  2 -> 3: [3]      0 -> 1: [1]
///     2 --- 3
///
/// The pieces of every subtree lie together in scratch, in one order for all ranks: that of the ranks if each subtree
/// has consecutive ones, so that the root's pieces are where they belong; else parents before children.
class PieceTree {
public:
    /// The children of a rank in the order in which a scatter sends to them. The grid must outlive it.
    PieceTree(const Grid& grid, const Problem& problem, const std::function<TreeOfRank(int rank)>& tree_of);

    Program build(int rank) const;
    /// Predicted, for so many bytes of all pieces together.
    double seconds(double bytes) const;

    const TreeOfRank& of(int rank) const { return tree_[rank]; }
    /// Ranks in the subtree of a rank.
    int size(int rank) const { return size_[rank]; }
    /// All ranks, parents before children.
    const std::vector<std::int32_t>& downwards() const { return downwards_; }

private:
    void find_order();

    const Grid& grid_;
    Collective collective_;
    int root_;
    std::vector<TreeOfRank> tree_;         // by rank
    std::vector<std::int32_t> downwards_;  // each subtree together
    std::vector<std::int32_t> size_;       // by rank
    std::vector<std::int32_t> order_;      // of pieces
    std::vector<std::int32_t> begin_;      // by rank: where the pieces of its subtree begin in this order
    std::vector<std::int32_t> own_;        // by rank: where its own piece is
    bool by_rank_ = true;                  // the order is that of the ranks
};

}  // namespace coll_topo
