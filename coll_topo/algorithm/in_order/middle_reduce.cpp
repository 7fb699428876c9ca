// SPDX-License-Identifier: BSD-3-Clause
//
// Reduce towards the middle of each line of a torus or mesh: allreduce and reduce.
//
//     x: along every row           y: along the middle column      back: the same tree, turned round
//     o > o > M < o < o            o                               o < o < M > o > o
//     o > o > M < o < o            v                                       ^
//     o > o > M < o < o            M                               o < o < M > o > o
//                                  ^                                       v
//                                  o                               o < o < M > o > o
//
// Operands travel from neighbour to neighbour from both ends of a line to its middle, first among the ranks of a place,
// then along one axis after the other; the result goes back along the tree. No rank receives more than two messages in
// a step, one from each side, and no two edges of the tree share a link in one direction. In a reduce, lines meet on
// those of the root instead: that takes no longer than meeting in the middle and travelling on to the root. Blocks
// stream through in a pipeline. With two segments or more the vector is halved, and the other half meets elsewhere:
// opposite on a ring, and with the axes in the opposite order, so that both directions of the links of different axes
// are in use.
//
// Cost for m bytes in s blocks b of each of T trees, lines of N_a places, t = o + latency + b/bandwidth:
//     T·sum_a N_a/2·( 2·t_a + b/reduction ) + (s - 1)·T·sum_a ( 2·(2o + b/bandwidth_a) + 2b/reduction ), half in
//     reduce.
//
// Source: JP 4629307 B2 (the middle, two incoming messages); the pipeline as in pipelined_chain.cpp.
// Needs: a torus or mesh. Combines in rank order where asked for it and ranks follow the grid.

#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/in_order/line_pipeline.hpp"

#include <vector>

namespace coll_topo::algorithms {
namespace {

std::vector<LineTree> trees_of(const CoordinateLines& lines, const Problem& problem) {
    const int root = problem.collective == Collective::reduce ? problem.root : -1;
    std::vector<LineTree> trees = {LineTree::to_middle(lines, root, problem.in_rank_order, false)};
    // With one segment, that would only make two messages of one.
    if (problem.segments > 1) trees.push_back(LineTree::to_middle(lines, root, problem.in_rank_order, true));
    return trees;
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    const CoordinateLines lines(grid);
    return build_line_pipeline(problem, rank, trees_of(lines, problem));
}

bool in_order(const Grid& grid, const Problem& problem) {
    return problem.in_rank_order && CoordinateLines(grid).in_rank_order();
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const CoordinateLines lines(grid);
    return line_pipeline_seconds(grid, problem, bytes, trees_of(lines, problem));
}

}  // namespace

extern constinit const Algorithm middle_reduce{
    .name = "middle_reduce",
    .summary = "blocks stream from both ends of each line to its middle and back; in segments, on tori and meshes",
    .collectives = any({Collective::allreduce, Collective::reduce}),
    .network = Network::torus,
    .uses_segments = true,
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
