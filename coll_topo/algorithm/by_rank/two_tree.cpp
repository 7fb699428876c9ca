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
// Cost: the first blocks are followed rank by rank (MessageTimeline); each further one takes as long as these did on
// average once the trees were full. With t = o + latency + m/(2s·bandwidth) + m/(2s·reduction), on links of their own,
// some 2·t·( ceil(log2 p) + s - 1 ) for m bytes in s blocks, and in allreduce twice that.
//
// Source: P. Sanders, J. Speck, J. L. Traeff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan",
// Parallel Computing 35(12), 2009. Combines out of rank order.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/cost/message_timeline.hpp"
#include "coll_topo/algorithm/tree/tree_pipeline.hpp"

#include <array>
#include <vector>

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

/// The messages of the first blocks, round by round.
class Rounds {
public:
    Rounds(const Grid& grid, const Problem& problem)
        : grid_(grid),
          reduces_(problem.collective != Collective::bcast),
          spreads_(problem.collective != Collective::reduce),
          height_(TwoTrees(grid.ranks()).height()),
          timeline_(grid) {
        const int ranks = grid.ranks();
        const TwoTrees trees(ranks);
        for (int tree = 0; tree < TwoTrees::trees; ++tree) {
            for (int position = 1; position < ranks; ++position) {
                const int lower = (problem.root + position) % ranks;
                const int upper = (problem.root + trees.parent(tree, position)) % ranks;
                Edge edge{.depth = trees.depth(tree, position)};
                if (reduces_) edge.up = timeline_.keep_way(lower, upper);
                if (spreads_) edge.down = timeline_.keep_way(upper, lower);
                edges_[trees.colour(tree, position)].push_back(edge);
            }
        }
    }

    /// Seconds of so many blocks of so many bytes.
    double seconds(int blocks, double bytes) {
        const int turn = reduces_ ? height_ : 1;  // in which the first block can go down
        const int rounds = (reduces_ && spreads_ ? 2 : 1) * height_ + blocks - 1;
        for (int round = 0; round < rounds; ++round) {
            for (int colour = 0; reduces_ && colour < TwoTrees::colours; ++colour) {
                add(colour, true, blocks, bytes, [&](int depth) { return round - (height_ - depth); });
            }
            for (int colour = TwoTrees::colours - 1; spreads_ && colour >= 0; --colour) {
                add(colour, false, blocks, bytes, [&](int depth) { return round - (turn - 1) - (depth - 1); });
            }
        }
        return timeline_.latest();
    }

private:
    /// Messages to both children of a rank, one of each colour, are on their way together, so that the first one comes
    /// later than if they queued: in simulations by this much.
    static constexpr double sharing = 1.1;

    /// The step of one colour up or down the trees. `block_at` says which block crosses an edge below this depth.
    template <typename BlockAt>
    void add(int colour, bool upwards, int blocks, double bytes, BlockAt&& block_at) {
        const double work = upwards ? bytes / grid_.costs_together().reduce_bandwidth : 0;
        for (const Edge& edge : edges_[colour]) {
            const int block = block_at(edge.depth);
            if (block < 0 || block >= blocks) continue;
            timeline_.message(upwards ? edge.up : edge.down, sharing * bytes, work);
        }
        timeline_.end_step();
    }

    struct Edge {
        MessageTimeline::Way up = {}, down = {};  // where the collective goes that way
        int depth;                                // of the lower end
    };

    const Grid& grid_;
    const bool reduces_;
    const bool spreads_;
    const int height_;
    std::array<std::vector<Edge>, TwoTrees::colours> edges_;
    MessageTimeline timeline_;
};

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    if (grid.ranks() == 1) return 0;
    const double block = bytes / problem.segments / TwoTrees::trees;
    const int few = 2 * TwoTrees(grid.ranks()).height();
    if (problem.segments <= 2 * few) return Rounds(grid, problem).seconds(problem.segments, block);
    const double first = Rounds(grid, problem).seconds(few, block);
    const double twice = Rounds(grid, problem).seconds(2 * few, block);
    return twice + (problem.segments - 2 * few) * (twice - first) / few;
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
