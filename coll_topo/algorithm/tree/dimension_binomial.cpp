// SPDX-License-Identifier: BSD-3-Clause
//
// Binomial trees along dimensions: bcast and reduce of small vectors, gather and scatter of small pieces, on tori and
// meshes.
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
// An extra host gets the vector from its proxy; a root on one hands it to its proxy.
//
// In gather and scatter, a message has the pieces of all ranks below one end of it (PieceTree): its length is that of
// half the line, then of a quarter, and so on.
//
// Cost for m bytes: sum_axes [ ceil(log2 d_i)·( o + m/bandwidth ) + hops_i·latency ] at most, and m/reduction for each
// step in reduce, with hops_i from the root to the farthest place. Of gather and scatter each message is followed
// (MessageTimeline).
//
// Source: the binomial tree as in binomial.cpp; on meshes, M. Barnett et al., "Broadcasting on meshes with wormhole
// routing", J. Parallel Distrib. Comput. 35(2), 1996 (recursive splitting). Needs: a torus or mesh. Combines in rank
// order if ranks follow the grid; rings are then lines.

#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/tree/dimension_tree.hpp"
#include "coll_topo/algorithm/tree/piece_tree.hpp"

namespace coll_topo::algorithms {
namespace {

dimension_tree::TreeOnLine cut(const MachineCosts&, const Axis& axis, int root) {
    return [size = axis.size, root](int own) { return dimension_tree::halves(size, root, own); };
}

// A vector on its way to the far half must not share its first link with one that goes less far.
constexpr dimension_tree::Shape shape{.cut = cut, .sends_at_once = 1};

PieceTree piece_tree(const Grid& grid, const Problem& problem) {
    return {grid, problem, [&](int rank) { return dimension_tree::tree_of(grid, problem, rank, cut); }};
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    if (moves_pieces(problem.collective)) return piece_tree(grid, problem).build(rank);
    return dimension_tree::build(grid, problem, rank, shape);
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    if (moves_pieces(problem.collective)) return piece_tree(grid, problem).seconds(bytes);
    return dimension_tree::seconds(grid, problem, bytes, shape);
}

}  // namespace

extern constinit const Algorithm dimension_binomial{
    .name = "dimension_binomial",
    .summary = "along a binomial tree on one axis after the other; for small messages on tori and meshes",
    .collectives = any({Collective::bcast, Collective::reduce, Collective::gather, Collective::scatter}),
    .network = Network::torus,
    .in_order = dimension_tree::in_order,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
