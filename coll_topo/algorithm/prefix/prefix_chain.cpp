// SPDX-License-Identifier: BSD-3-Clause
//
// Scans along the pipelined chain of ranks: scan and exscan.
//
//     0 -> 1 -> 2 -> 3 …     step 0   b0
//                            step 1   b1 b0
//                            step 2   b2 b1 b0
//
// The vector is cut into `segments` blocks. A rank receives a block that the ranks before it have combined, combines
// its own with it, and passes the block on while it receives the next one. In an exscan what is received is the result,
// and what is passed on is made in memory beside it.
//
// Cost: see ChainCost, with the mean latency of the ways, and the bandwidth that the busiest link leaves to a message
// while every rank sends to the next one; in an exscan also the copy of what each rank contributes.
//
// Source: the linear scans of Open MPI's base collectives, which cut nothing; the pipeline of pipelined_chain.cpp.
// Combines in rank order, one operand after the other, whatever the network and the number of blocks.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/algorithm/tree/chain.hpp"

#include <algorithm>

namespace coll_topo::algorithms {
namespace {

constexpr double least_seconds = 1e-15;

Program build_scan(int ranks, int segments, int rank) {
    ProgramBuilder builder(segments, 0);
    builder.lane();
    // A rank that receives sends a block one step later.
    const int delay = rank == 0 ? 0 : 1;
    for (int step = 0; step < segments + delay; ++step) {
        if (rank > 0 && step < segments) builder.receive_reduce(rank - 1, {Buffer::output, step, 1}, Operand::left);
        if (rank + 1 < ranks && step >= delay) builder.send(rank + 1, {Buffer::output, step - delay, 1});
        builder.next_step();
    }
    return builder.finish();
}

/// Of the ranks that get something.
Program build_exscan(int ranks, int segments, int rank) {
    const bool passes_on = rank + 1 < ranks;
    ProgramBuilder builder(segments, passes_on ? segments : 0);
    builder.lane();
    if (passes_on) builder.copy({Buffer::output, 0, segments}, Buffer::scratch, 0);
    builder.next_step();
    for (int step = 0; step <= segments; ++step) {
        const Blocks arriving{Buffer::output, step, 1};
        if (step < segments) builder.receive(rank - 1, arriving);
        if (passes_on && step > 0) builder.send(rank + 1, {Buffer::scratch, step - 1, 1});
        if (passes_on && step < segments) builder.reduce(arriving, Buffer::scratch, step, Operand::left);
        builder.next_step();
    }
    return builder.finish();
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    const bool gets_others_alone = problem.collective == Collective::exscan && rank > 0;
    return gets_others_alone ? build_exscan(grid.ranks(), problem.segments, rank)
                             : build_scan(grid.ranks(), problem.segments, rank);
}

bool in_order(const Grid&, const Problem&) {
    return true;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    RankOrderCost cost(grid);
    const double block = bytes / problem.segments;
    int within_hosts = 0, between_hosts = 0;
    double latencies = 0;
    for (int rank = 0; rank + 1 < grid.ranks(); ++rank) {
        if (grid.host(rank) == grid.host(rank + 1)) {
            ++within_hosts;
            continue;
        }
        ++between_hosts;
        cost.message(rank, rank + 1, block);
        latencies += cost.alone(rank, rank + 1, 0) - cost.machine().message_time;
    }
    ChainCost chain(cost.machine(), problem, bytes);
    chain.add_within_hosts(within_hosts);
    const double busiest_link = cost.pace() - cost.machine().message_time;
    chain.add_between_hosts(between_hosts, latencies / std::max(1, between_hosts),
                            block / std::max(busiest_link, least_seconds));
    const bool copies = problem.collective == Collective::exscan;
    return chain.seconds() + (copies ? bytes / cost.machine().copy_bandwidth : 0);
}

}  // namespace

extern constinit const Algorithm prefix_chain{
    .name = "prefix_chain",
    .summary = "blocks stream along the chain of ranks, each of which adds its own; for long vectors",
    .collectives = any({Collective::scan, Collective::exscan}),
    .uses_segments = true,
    .fixed_order = true,
    .also_in_any_order = true,
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
