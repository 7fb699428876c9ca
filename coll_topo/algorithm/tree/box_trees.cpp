// SPDX-License-Identifier: BSD-3-Clause
//
// Edge-disjoint spanning trees of a torus or mesh.
//
//     o<-o  o->o     y = 3, from y = 0 over the edge      torus of 4 x 4, root r: the tree of x and the right side.
//                                                         That of the left side is its mirror image, except that the
//     o<-o  o->o     y = 2                                column opposite the root is on the right side. Those of
//        ^  ^                                             y are the same with x and y exchanged.
//     o<-o  o->o     y = 1
//        ^  ^
//     r->o->o->o     y = 0
//
// A ring has a tree for each side of the root, another axis one for both sides. Let S be the axes on which a place is
// not level with the root. A place on a ring is on the nearer side of the root; "inwards" is towards it on that side.
// In the tree of axis a, the parent of a place is one step
//
//     inwards along a, if S is only a,
//     inwards along the next after a in S, in cyclic order, if S has others,
//     but along a, away from the root, if the place is on the other side than the tree is,
//     along a to the side that the tree is on, if a is not in S.
//
// Why this is a tree: a place on the other side than the tree goes on along a until it is on the tree's side. From
// there each axis of S but a is emptied in turn, and then a leads to the root.
//
// Why no two trees have a link in common: into a place, for the axes in S, each link from inwards is used by the tree
// of the axis before in S, and each from outwards by that tree of the same axis that is on the other side; for axes not
// in S, both links by the trees of that axis. On a torus all links are in use but those into the root, and into a
// corner of a mesh all: there cannot be more trees.
//
// The longest path from the root is that to the farthest place, but the long way round on one ring: d - 1 hops in place
// of d/2. With one tree for each axis, for both sides, just the path to the farthest place.
//
// A single tree need not leave links to others: each place is reached the shortest way, along the first axis first.
//
// A ring of two has one tree, as the network sends all messages to the neighbour through the same one of its cables.
//
// Source: that there are as many trees as links in the smallest cut is J. Edmonds, "Edge-disjoint branchings", in
// Combinatorial Algorithms, 1973; this construction is our own.

#include "coll_topo/algorithm/tree/box_trees.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

bool has_two_sides(const Axis& axis) {
    return axis.wrapped && axis.size > 2;
}

}  // namespace

int BoxTrees::most_trees(const Grid& grid) {
    int trees = 0;
    for (const Axis& axis : grid.axes()) trees += has_two_sides(axis) ? 2 : 1;
    return std::max(1, trees);
}

BoxTrees::BoxTrees(const Grid& grid, int root_place, int wanted)
    : grid_(grid),
      root_(root_place),
      axes_(static_cast<int>(grid.axes().size())),
      trees_(std::clamp(wanted, 1, most_trees(grid))),
      has_pairs_(trees_ > std::max(axes_, 1)) {
    for (int axis = 0; axis < axes_; ++axis) {
        if (has_pairs_ && has_two_sides(grid.axes()[axis])) rings_.push_back(axis);
    }
}

BoxTrees::Kind BoxTrees::kind(int tree) const {
    if (tree >= axes_) return {rings_[tree - axes_], -1};
    return {tree, has_pairs_ && has_two_sides(grid_.axes()[tree]) ? 1 : 0};
}

int BoxTrees::neighbour(int place, int axis, int step) const {
    const Axis& line = grid_.axes()[axis];
    const int coordinate = grid_.coordinate(place, axis) + step;
    if (coordinate >= 0 && coordinate < line.size) return grid_.along(place, axis, coordinate);
    return line.wrapped ? grid_.along(place, axis, coordinate < 0 ? line.size - 1 : 0) : -1;
}

int BoxTrees::neighbours_of_root(int axis) const {
    const int forward = neighbour(root_, axis, 1), back = neighbour(root_, axis, -1);
    return (forward >= 0 ? 1 : 0) + (back >= 0 && back != forward ? 1 : 0);
}

int BoxTrees::side(int place, int axis) const {
    const Axis& line = grid_.axes()[axis];
    const int ahead = grid_.coordinate(place, axis) - grid_.coordinate(root_, axis);
    if (ahead == 0) return 0;
    if (!line.wrapped) return ahead > 0 ? 1 : -1;
    return (ahead + line.size) % line.size <= line.size / 2 ? 1 : -1;
}

int BoxTrees::next_axis(int axis, int place) const {
    for (int turn = 1; turn < axes_; ++turn) {
        const int next = (axis + turn) % axes_;
        if (side(place, next) != 0) return next;
    }
    return axis;
}

int BoxTrees::parent_in_single_tree(int place) const {
    int last = axes_ - 1;
    while (side(place, last) == 0) --last;
    return neighbour(place, last, -side(place, last));
}

int BoxTrees::parent(int tree, int place) const {
    if (place == root_) return -1;
    if (trees_ == 1) return parent_in_single_tree(place);
    const Kind own = kind(tree);
    const int here = side(place, own.axis);
    if (here == 0) {
        const int outwards = neighbour(place, own.axis, own.side < 0 ? -1 : 1);
        return outwards >= 0 ? outwards : neighbour(place, own.axis, -1);
    }
    if (own.side != 0 && here != own.side) return neighbour(place, own.axis, here);
    const int axis = next_axis(own.axis, place);
    return neighbour(place, axis, -side(place, axis));
}

void BoxTrees::add_children(int tree, int place, std::vector<int>& children) const {
    for (int turn = 0; turn < axes_; ++turn) {
        const int axis = (kind(tree).axis + turn) % axes_;
        for (const int step : {1, -1}) {
            // A ring of two has one neighbour, on both sides.
            if (step < 0 && grid_.axes()[axis].size == 2 && grid_.axes()[axis].wrapped) continue;
            const int other = neighbour(place, axis, step);
            if (other >= 0 && parent(tree, other) == place) children.push_back(other);
        }
    }
}

std::vector<int> BoxTrees::longest_way() const {
    std::vector<int> steps;
    for (int axis = 0; axis < axes_; ++axis) {
        const Axis& line = grid_.axes()[axis];
        const int root = grid_.coordinate(root_, axis);
        steps.push_back(line.wrapped ? line.size / 2 : std::max(root, line.size - 1 - root));
    }
    int longest = -1, more = 0;  // of the axis on which a tree goes further than to the farthest place
    for (int axis = 0; trees_ > 1 && axis < axes_; ++axis) {
        const bool round = std::ranges::find(rings_, axis) != rings_.end();
        // A tree reaches places that are level with the root from the side.
        const int detour = round ? grid_.axes()[axis].size - 1 - steps[axis] : axes_ > 1 && steps[axis] == 1 ? 1 : 0;
        if (detour > more) longest = axis;
        more = std::max(more, detour);
    }
    if (longest >= 0) steps[longest] += more;
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

BoxTrees::Children BoxTrees::children() const {
    const std::vector<int> steps = longest_way();
    Children most{0, 0};
    int links = 0;  // of a place that has neighbours on all sides
    for (int axis = axes_ - 1; axis >= 0; --axis) {
        // In a single tree a place passes on along the axis on which it is reached, and both ways along later ones.
        most.of_others = std::max(most.of_others, (steps[axis] > 1 ? 1 : 0) + most.of_root);
        most.of_root += neighbours_of_root(axis);
        links += grid_.axes()[axis].size == 2 ? 1 : 2;
    }
    if (trees_ > 1) most.of_others = links;
    return most;
}

}  // namespace coll_topo
