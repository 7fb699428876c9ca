// SPDX-License-Identifier: BSD-3-Clause
//
// Binomial trees along dimensions: bcast and reduce of small vectors on tori and meshes.
//
//     line of 8, root 2     0   1   2   3   4   5   6   7         y first, then x
//     step 0                        2 ----> 4                     r   .  .  .      r-> o  o->o
//     step 1                    1 <-2       4 ----> 6             |                :
//     step 2                0 <-1   2-> 3   4-> 5   6-> 7         o   .  .  .      o-> o  o->o
//
// A line is cut into halves, and the rank that has the vector sends it to the nearest one of the other half, which then
// has its own half to serve; so on to the ends. A ring is a line with the root in the middle. Every message stays in
// its part of the line, so that no two of a step meet on a link, and every message goes towards those it is for: with
// ceil(log2 d) steps on an axis of d places, data take no more links than there are between the root and the last rank.
// First along the last axis, then along the one before; last within hosts. In reduce everything runs backwards.
//
// A surplus host gets the vector from the host that adopted it; the root on one stands in for the host that did.
//
// Cost for m bytes: sum_axes [ ceil(log2 d_i)·( o + m/bandwidth ) + hops_i·latency ] at most, and m/reduction for each
// step in reduce, with hops_i from the root to the farthest place.
//
// Source: the binomial tree as in binomial.cpp; on meshes, M. Barnett et al., "Broadcasting on meshes with wormhole
// routing", J. Parallel Distrib. Comput. 35(2), 1996 (recursive splitting). Needs: a torus or mesh. Combines in rank
// order if ranks follow the grid; rings are then lines.

#include "coll_topo/algorithm/dimension_binomial.hpp"

#include "coll_topo/algorithm/place_tree.hpp"
#include "coll_topo/algorithm/rooted_tree.hpp"

#include <algorithm>
#include <cstdlib>

namespace coll_topo::dimension_binomial {
namespace {

/// As TreeOfRank, of positions on a line.
TreeOfRank halves(int size, int root, int own) {
    TreeOfRank tree;
    for (int begin = 0, end = size, holder = root; end - begin > 1;) {
        const int middle = begin + (end - begin + 1) / 2;
        const int other = holder < middle ? middle : middle - 1;
        if (own == holder) tree.children.push_back(other);
        if (own == other) tree.parent = holder;
        if ((own < middle) != (holder < middle)) holder = other;
        (own < middle ? end : begin) = middle;
    }
    return tree;
}

/// Seconds of the vector from one position of a line to another.
struct Message {
    double sending;  // before the next one can be sent
    double start_latency;
    double latency;  // of a link, besides
    double reduction;
};

/// From when `own` has the vector until all positions that have it from there do, and `own` has sent it; in reduce, the
/// same backwards.
double line_seconds(int size, int root, int own, const Message& message) {
    const TreeOfRank tree = halves(size, root, own);
    const bool reduces = message.reduction > 0;
    double longest = 0, sent = 0;
    const auto wait_for = [&](int child) {
        const double below = line_seconds(size, root, child, message);
        const double way = message.start_latency + std::abs(child - own) * message.latency;
        if (reduces) {
            longest = std::max(longest, below + message.sending + way) + message.reduction;
            return;
        }
        sent += message.sending;
        longest = std::max({longest, sent, sent + way + below});
    };
    if (reduces)
        std::for_each(tree.children.rbegin(), tree.children.rend(), wait_for);
    else
        std::for_each(tree.children.begin(), tree.children.end(), wait_for);
    return longest;
}

/// The coordinates of an axis as positions on a line. A ring is cut opposite to the root.
struct Line {
    int size;
    int root;
    int cut;  // coordinate of position 0

    Line(const Axis& axis, int root_coordinate, bool in_rank_order) : size(axis.size), root(root_coordinate), cut(0) {
        if (!axis.wrapped || in_rank_order) return;
        root = (size - 1) / 2;
        cut = (root_coordinate - root + size) % size;
    }

    int position(int coordinate) const { return (coordinate - cut + size) % size; }
    int coordinate(int position) const { return (position + cut) % size; }
};

bool ranks_follow_grid(const Grid& grid) {
    int next = 0;
    for (int host = 0; host < grid.places(); ++host) {
        for (const int rank : grid.board(host)) {
            if (rank != next++) return false;
        }
    }
    return grid.surplus() == 0;
}

/// Adds the neighbours of the head of a place on other places.
void add_places(const Grid& grid, const Problem& problem, const PlaceTree& ranks, int place, TreeOfRank& tree) {
    const int root = ranks.place(problem.root);
    for (int axis = static_cast<int>(grid.axes().size()) - 1; axis >= 0; --axis) {
        const Line line(grid.axes()[axis], grid.coordinate(root, axis), problem.in_rank_order);
        // Axes behind this one are still to come: the line of the root has the vector first.
        bool takes_part = true;
        for (int later = 0; later < axis; ++later) {
            takes_part = takes_part && grid.coordinate(place, later) == grid.coordinate(root, later);
        }
        if (!takes_part) continue;
        const TreeOfRank found = halves(line.size, line.root, line.position(grid.coordinate(place, axis)));
        const auto head = [&](int position) { return ranks.head(grid.along(place, axis, line.coordinate(position))); };
        if (found.parent >= 0) tree.parent = head(found.parent);
        for (const int child : found.children) tree.children.push_back(head(child));
    }
}

TreeOfRank tree_of(const Grid& grid, const Problem& problem, int rank) {
    const PlaceTree ranks(grid, problem.root, 0, 1);
    const int host = grid.host(rank), entry = ranks.entry(host);
    TreeOfRank tree;
    if (rank == entry) {
        const int above = ranks.host_above(host), below = ranks.host_below(host);
        if (above >= 0)
            tree.parent = ranks.entry(above);
        else
            add_places(grid, problem, ranks, ranks.place(rank), tree);
        if (below >= 0) tree.children.push_back(ranks.entry(below));
    }
    const auto board = grid.board(host);
    const TreeOfRank found = halves(static_cast<int>(board.size()), grid.board_index(entry), grid.board_index(rank));
    if (found.parent >= 0) tree.parent = board[found.parent];
    for (const int child : found.children) tree.children.push_back(board[child]);
    return tree;
}

}  // namespace

Program build(const Grid& grid, const Problem& problem, int rank) {
    ProgramBuilder builder(1, 0);
    // A vector on its way to the far half must not share its first link with one that goes less far.
    builder.lane(1, 1);
    write_tree(builder, problem.collective, rank, tree_of(grid, problem, rank), 0, 1);
    return builder.finish();
}

bool in_order(const Grid& grid, const Problem& problem) {
    if (problem.collective == Collective::bcast || grid.ranks() == 1) return true;
    return problem.in_rank_order && ranks_follow_grid(grid);
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const PlaceTree ranks(grid, problem.root, 0, 1);
    const MachineCosts& costs = grid.costs();
    const double reduction = problem.collective == Collective::reduce ? bytes / costs.reduce_bandwidth : 0;
    const int root = ranks.place(problem.root);
    const double local = costs.message_time + bytes / costs.local_bandwidth;
    double total = line_seconds(grid.largest_board(), 0, 0, {local, 0, 0, reduction}), slowest = 0;
    for (int axis = 0; axis < static_cast<int>(grid.axes().size()); ++axis) {
        const Axis& along = grid.axes()[axis];
        const Line line(along, grid.coordinate(root, axis), problem.in_rank_order);
        // A message takes one of the two cables of a ring of two.
        const double bandwidth = along.wrapped && along.size == 2 ? along.bandwidth / 2 : along.bandwidth;
        const Message message{costs.message_time + bytes / bandwidth, along.start_latency, along.latency, reduction};
        total += line_seconds(line.size, line.root, line.root, message);
        slowest = std::max(slowest, message.sending + along.way_latency(1) + message.reduction);
    }
    return total + (grid.surplus() > 0 ? slowest : 0);
}

std::string refusal(const Grid& grid, const Problem&) {
    return grid.switched() ? "made for tori and meshes" : "";
}

}  // namespace coll_topo::dimension_binomial
