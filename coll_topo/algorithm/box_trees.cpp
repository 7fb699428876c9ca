// SPDX-License-Identifier: BSD-3-Clause
//
// Edge-disjoint spanning trees of a torus or mesh.
//
//     tree of x, forward     tree of y, forward
//                               ^  ^           torus of 3 x 3, root r; an arrow that leaves at an edge comes in at the
//     ->o  o  o->            o->o->o           other one
//          ^  ^              ^
//     ->o  o  o->            o->o->o           and the same two backward
//          ^  ^              ^
//       r->o->o              r  o  o
//                               ^  ^
//
// On a torus with D axes there are 2·D trees, one for each axis and direction. Let S be the axes on which a place is
// not where the root is. In the tree of axis a its parent is one step back along
//
//     a itself           if a is not in S, or nothing else is,
//     the next after a   in S, in cyclic order, otherwise.
//
// Why this is a tree: each step but the first empties S of another axis than a, until only a is left, which leads to
// the root. Why the trees have no link in common: for any S, a -> axis of the step is a permutation of the axes, so
// that the trees of one direction come into a place along different axes, and those of the other direction come from
// the other side. Every link is in use but those into the root, so there can be no more trees. From the root to the
// last place it is sum (d_i - 1) + 1 links; d - 1 on one axis.
//
// Where an axis is no ring, both directions are one tree, which goes away from the root on both sides: a step is
// towards the root, and where a is not in S, to either neighbour. A corner of a mesh has a link for each axis, so there
// cannot be more. The same trees on a torus are half as many, and half as deep.
//
// A single tree need not leave links to others, and takes the shortest way, the last axis of S first.
//
// Source: that there are as many as the smallest cut has links is J. Edmonds, "Edge-disjoint branchings", in
// Combinatorial Algorithms, 1973; this construction is our own. For D = 2 it is four turned copies of one comb.

#include "coll_topo/algorithm/box_trees.hpp"

#include <algorithm>
#include <cstdlib>

namespace coll_topo {

int BoxTrees::most_trees(const Grid& grid) {
    const auto& axes = grid.axes();
    const bool torus = std::ranges::all_of(axes, [](const Axis& axis) { return axis.wrapped; });
    return std::max(1, static_cast<int>(axes.size()) * (torus ? 2 : 1));
}

BoxTrees::BoxTrees(const Grid& grid, int root_place, int wanted)
    : grid_(grid),
      root_(root_place),
      axes_(static_cast<int>(grid.axes().size())),
      trees_(std::clamp(wanted, 1, most_trees(grid))),
      round_(trees_ > std::max(axes_, 1)) {}

int BoxTrees::ring_neighbour(int place, int axis, int step) const {
    const Axis& line = grid_.axes()[axis];
    const int coordinate = grid_.coordinate(place, axis) + step;
    if (coordinate >= 0 && coordinate < line.size) return grid_.along(place, axis, coordinate);
    return line.wrapped ? grid_.along(place, axis, coordinate < 0 ? line.size - 1 : 0) : -1;
}

int BoxTrees::distance(int place, int axis) const {
    const Axis& line = grid_.axes()[axis];
    const int distance = grid_.coordinate(place, axis) - grid_.coordinate(root_, axis);
    if (!line.wrapped) return distance;
    const int forward = (distance + line.size) % line.size;
    return !round_ && forward > line.size / 2 ? forward - line.size : forward;
}

int BoxTrees::axis_to_parent(int axis_of_tree, int place) const {
    const auto is_away = [&](int axis) { return grid_.coordinate(place, axis) != grid_.coordinate(root_, axis); };
    if (trees_ == 1) {
        int last = axes_ - 1;
        while (!is_away(last)) --last;
        return last;
    }
    if (!is_away(axis_of_tree)) return axis_of_tree;
    for (int turn = 1; turn < axes_; ++turn) {
        const int axis = (axis_of_tree + turn) % axes_;
        if (is_away(axis)) return axis;
    }
    return axis_of_tree;
}

int BoxTrees::parent(int tree, int place) const {
    if (place == root_) return -1;
    const int axis = axis_to_parent(tree % axes_, place);
    if (round_) return ring_neighbour(place, axis, tree < axes_ ? -1 : 1);
    const int away = distance(place, axis);
    if (away != 0) return ring_neighbour(place, axis, away > 0 ? -1 : 1);
    const int above = ring_neighbour(place, axis, 1);
    return above >= 0 ? above : ring_neighbour(place, axis, -1);
}

void BoxTrees::add_children(int tree, int place, std::vector<int>& children) const {
    for (int turn = 0; turn < axes_; ++turn) {
        const int axis = (tree + turn) % axes_;
        for (const int step : {1, -1}) {
            // A ring of two has one neighbour, on both sides.
            if (step < 0 && grid_.axes()[axis].size == 2 && grid_.axes()[axis].wrapped) continue;
            const int neighbour = ring_neighbour(place, axis, step);
            if (neighbour >= 0 && parent(tree, neighbour) == place) children.push_back(neighbour);
        }
    }
}

std::vector<int> BoxTrees::longest_way() const {
    std::vector<int> steps;
    int shortest = 0;
    for (int axis = 0; axis < axes_; ++axis) {
        const Axis& line = grid_.axes()[axis];
        const int root = grid_.coordinate(root_, axis);
        steps.push_back(round_ ? line.size - 1 : line.wrapped ? line.size / 2 : std::max(root, line.size - 1 - root));
        if (steps[axis] < steps[shortest]) shortest = axis;
    }
    // Places in line with the root are reached from beside.
    if (trees_ > 1 && axes_ > 1 && (round_ || steps[shortest] == 1)) ++steps[shortest];
    return steps;
}

int BoxTrees::equal_ways() const {
    int ways = 0;
    for (int axis = 0; axis < axes_; ++axis) {
        const Axis& line = grid_.axes()[axis];
        ways += line.size % 2 == 1 && (line.wrapped || 2 * grid_.coordinate(root_, axis) == line.size - 1) ? 1 : 0;
    }
    return ways;
}

}  // namespace coll_topo
