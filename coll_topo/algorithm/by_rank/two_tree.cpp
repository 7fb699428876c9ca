// SPDX-License-Identifier: BSD-3-Clause
//
// The two-tree over all ranks in their order, wherever they are: bcast, reduce and allreduce. A reference.
//
//     0 - 4          0 - 5         every rank but the root is a leaf of at least one tree, so that it receives,
//       2   6          3   7       or sends, no more than one vector (TwoTrees)
//      1 3 5 7        2 4 6 1
//
// Ranks count from the root, modulo p. One half of the data goes through each tree, block by block; the steps of the
// two colours alternate. Allreduce goes up to rank 0 and down again, overlapped block by block.
//
// Cost for m bytes in s blocks of two halves, l_c messages on the busiest link in colour c:
//     (s - 1)·t + ceil(log2 p)·(t - t_0/2 + o/2), twice in allreduce, with
//     t = sum_c ( o + hops·latency + l_c·m/(2s·bandwidth) + m/(2s·reduction) ), and t_0 the same without bytes.
//
// Source: P. Sanders, J. Speck, J. L. Traeff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan",
// Parallel Computing 35(12), 2009. Combines out of rank order.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/algorithm/tree/tree_pipeline.hpp"

namespace coll_topo::algorithms {
namespace {

Program build(const Grid& grid, const Problem& problem, int rank) {
    const int ranks = grid.ranks(), root = problem.root;
    const TwoTrees trees(ranks);
    TreeNeighbours neighbours;
    neighbours.rounds = trees.height();
    add_edges(neighbours, trees, (rank - root + ranks) % ranks, 0, 0, trees.height(),
              [&](int position) { return (root + position) % ranks; });
    ProgramBuilder builder(tree_pipeline_blocks(problem), 0);
    write_tree_pipeline(builder, problem, 0, neighbours);
    return builder.finish();
}

bool in_order(const Grid& grid, const Problem& problem) {
    return problem.collective == Collective::bcast || grid.ranks() == 1;
}

/// Seconds of the steps of both colours, in which blocks of so many bytes go one hop up or down.
double hop_seconds(const Grid& grid, const Problem& problem, const TwoTrees& trees, double block, bool upwards) {
    const int ranks = grid.ranks();
    RankOrderCost cost(grid);
    double seconds = 0;
    for (int colour = 0; colour < TwoTrees::colours; ++colour) {
        for (int tree = 0; tree < TwoTrees::trees; ++tree) {
            for (int position = 1; position < ranks; ++position) {
                if (trees.colour(tree, position) != colour) continue;
                const int lower = (problem.root + position) % ranks;
                const int upper = (problem.root + trees.parent(tree, position)) % ranks;
                cost.message(upwards ? lower : upper, upwards ? upper : lower, block);
            }
        }
        seconds += cost.step() + (upwards ? block / grid.costs_together().reduce_bandwidth : 0);
    }
    return seconds;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    if (grid.ranks() == 1) return 0;
    const TwoTrees trees(grid.ranks());
    const double block = bytes / problem.segments / TwoTrees::trees;
    double total = 0;
    for (const bool upwards : {true, false}) {
        if (problem.collective == (upwards ? Collective::bcast : Collective::reduce)) continue;
        const double round = hop_seconds(grid, problem, trees, block, upwards);
        // The first block waits for one colour on each hop, and now and then for another message of the rank; but the
        // bytes of both colours share its links.
        const double start = hop_seconds(grid, problem, trees, 0, upwards);
        const double hop = round - start / TwoTrees::colours + grid.costs_together().message_time / 2;
        total += trees.height() * hop + (problem.segments - 1) * round;
    }
    return total;
}

}  // namespace

extern constinit const Algorithm two_tree{
    .name = "two_tree",
    .summary = "reference: blocks stream through two binary trees over the ranks",
    .collectives = any({Collective::bcast, Collective::reduce, Collective::allreduce}),
    .uses_segments = true,
    .reference = true,
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
