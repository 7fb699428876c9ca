// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/placement/grid.hpp"

#include <vector>

namespace coll_topo {

/// Spanning trees over the places of a box, all with the same root, such that no two of them use a link between
/// neighbours in the same direction. See box_trees.cpp. Every query takes time that grows with the axes only.
class BoxTrees {
public:
    /// As many trees as wanted, up to most_trees() of the axes; at least one. The grid must outlive this and must not
    /// be one of switches.
    BoxTrees(const Grid& grid, int root_place, int wanted);

    /// On a torus two for each axis, else one for each axis; 1 without axes.
    static int most_trees(const Grid& grid);

    int trees() const { return trees_; }
    /// Whether trees go round the rings one way only, which each of the places of a ring does but one.
    bool round() const { return round_; }

    /// -1 for the root.
    int parent(int tree, int place) const;
    /// Appends the places whose parent this is, the deepest subtrees first.
    void add_children(int tree, int place, std::vector<int>& children) const;

    /// The most steps along each axis on a way from the root to a place, one place that has the most on all of them.
    std::vector<int> longest_way() const;
    /// Along how many axes a single tree goes equally far on both sides of the root.
    int equal_ways() const;

private:
    int ring_neighbour(int place, int axis, int step) const;
    /// How far a place is from the root along an axis, in the direction that trees take.
    int distance(int place, int axis) const;
    /// The axis along which the parent of a place is.
    int axis_to_parent(int axis_of_tree, int place) const;

    const Grid& grid_;
    int root_;
    int axes_;
    int trees_;
    bool round_;
};

}  // namespace coll_topo
