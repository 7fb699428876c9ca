// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

namespace coll_topo {

/// Two binary trees over the positions 0 .. n, both hanging on the base 0, one for each half of the data. A position
/// other than the base has children in one of them at most.
///
///     left tree, n = 7:   0 - 4         right tree: every position is the next one, 7 is 1:   0 - 5
///                           /   \                                                               /   \.
///                          2     6                                                             3     7
///                         / \   / \                                                           / \   / \.
///                        1   3 5   7                                                         2   4 6   1
///
/// The left tree is in order; the root of a run of m positions is its position 2^floor(log2 m), so that every odd
/// position is a leaf. Every edge has a colour, 0 or 1, such that in each colour a position sends at most one message
/// and receives at most one, whether the data go towards the base or come from there.
///
/// Source: P. Sanders, J. Speck, J. L. Traeff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan",
/// Parallel Computing 35(12), 2009. Each query takes a few operations on bits, for any n.
class TwoTrees {
public:
    static constexpr int trees = 2;
    static constexpr int colours = 2;

    /// `positions` >= 1, the base included.
    explicit TwoTrees(int positions) : last_(positions - 1) {}

    int positions() const { return last_ + 1; }

    /// Of positions 1 .. n; tree 0 is the left one. The colour is that of the edge to the parent.
    int parent(int tree, int position) const;
    int colour(int tree, int position) const;
    /// Edges to the base.
    int depth(int tree, int position) const;

    /// Of any position, 0 where there is none. The base has one child in each tree.
    std::array<int, 2> children(int tree, int position) const;

    /// The largest depth: ceil(log2(n + 1)).
    int height() const;

private:
    /// A position other than the base as the left tree numbers it, and back.
    int to_left(int tree, int position) const { return tree == 0 ? position : position == 1 ? last_ : position - 1; }
    int from_left(int tree, int position) const { return tree == 0 || position == 0 ? position : position % last_ + 1; }
    int left_colour(int position) const;

    int last_;
};

}  // namespace coll_topo
