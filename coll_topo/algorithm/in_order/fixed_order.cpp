// SPDX-License-Identifier: BSD-3-Clause
//
// Operands combined in the order of coordinates, block by block: allreduce and reduce of long vectors.
//
//     place        x                        y              result, in allreduce: all ways back
//     r0 > r1      o > o > o > e            e
//                  0   1   2   3            v              e: the last of its line
//                                           e
//
// Along each line an operand joins those before it on its way to the last rank of the line: ((v0 + v1) + v2) + … . The
// ranks of a place are the first lines, and the last ranks of lines the operands of the next axis. So every element is
// combined in one order that depends only on coordinates, and all ranks get the same bits, in every call, whatever the
// operation, the segments and the length; fixed_order_gather, which is faster for short vectors, gives the same. Only
// the vector needs memory: gathering N operands to combine them at once takes N times as much, and as many bytes on
// every link. In an allreduce the result follows the operands back on the other direction of the same links.
//
// An operation that does not commute needs rank order. Where coordinates do not give it, all ranks are one line.
//
// Cost for m bytes in s blocks b = m/s, lines of N_a ranks, t = o + latency + b/bandwidth:
//     sum_a (N_a - 1)·( 2·t_a + b/reduction ) + (s - 1)·sum_a ( 2·t_a - 2·latency + b/reduction ), once t_a in reduce,
// where the result goes from the last rank to the root.
//
// Source: JP 4629307 B2 (the order of operands); the pipeline as in pipelined_chain.cpp.
// Needs: a grid. Combines in rank order wherever the problem asks for it.

#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/in_order/line_pipeline.hpp"

namespace coll_topo::algorithms {
namespace {

LineTree tree_of(const CoordinateLines& lines, const Problem& problem) {
    const bool by_rank = problem.in_rank_order && !lines.in_rank_order();
    return by_rank ? LineTree::in_rank_order(lines) : LineTree::in_coordinate_order(lines);
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    const CoordinateLines lines(grid);
    const LineTree tree = tree_of(lines, problem);
    return build_line_pipeline(problem, rank, {&tree, 1});
}

bool in_order(const Grid& grid, const Problem& problem) {
    return problem.in_rank_order || CoordinateLines(grid).in_rank_order();
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const CoordinateLines lines(grid);
    const LineTree tree = tree_of(lines, problem);
    return line_pipeline_seconds(grid, problem, bytes, {&tree, 1});
}

}  // namespace

extern constinit const Algorithm fixed_order{
    .name = "fixed_order",
    .summary = "blocks stream along each axis, combined in the order of coordinates; for large messages",
    .collectives = any({Collective::allreduce, Collective::reduce}),
    .uses_segments = true,
    .fixed_order = true,
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
