// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"

#include <vector>

namespace coll_topo {

/// Spanning trees over the places of a box, all with the same root, such that no two of them use a link between
/// neighbours in the same direction. See box_trees.cpp. Every query takes time that grows with the axes only.
class BoxTrees {
public:
    /// As many trees as wanted, up to most_trees(); at least one. The grid must outlive this and must not be one of
    /// switches.
    BoxTrees(const Grid& grid, int root_place, int wanted);

    /// Two for each ring, one for each axis that is no ring or has two places; 1 without axes.
    static int most_trees(const Grid& grid);

    int trees() const { return trees_; }
    /// Whether rings have a tree for each direction.
    bool has_pairs() const { return has_pairs_; }

    /// -1 for the root.
    int parent(int tree, int place) const;
    /// Appends the places whose parent this is, the deepest subtrees first.
    void add_children(int tree, int place, std::vector<int>& children) const;

    /// The steps along each axis on the longest path from the root, or an upper bound of them.
    std::vector<int> longest_way() const;
    /// Along how many axes a single tree goes equally far on both sides of the root.
    int equal_ways() const;
    struct Children {
        int of_root;
        int of_others;  ///< the most, or with several trees an upper bound
    };
    /// In all trees together.
    Children children() const;

private:
    /// A tree belongs to an axis, and to a side of the root if the axis has two trees.
    struct Kind {
        int axis;
        int side;  // 1, -1, or 0 for both
    };
    Kind kind(int tree) const;

    int neighbour(int place, int axis, int step) const;
    int neighbours_of_root(int axis) const;
    /// On which side of the root a place is, round a ring on the nearer one: 1, -1, or 0 if level with it.
    int side(int place, int axis) const;
    /// The next axis after this one, in cyclic order, on which the place is not level with the root.
    int next_axis(int axis, int place) const;
    int parent_in_single_tree(int place) const;

    const Grid& grid_;
    int root_;
    int axes_;
    int trees_;
    bool has_pairs_;
    std::vector<int> rings_;  // axes with two trees
};

}  // namespace coll_topo
