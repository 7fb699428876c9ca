// SPDX-License-Identifier: BSD-3-Clause
//
// The pipelined chain in rank order: bcast and reduce. References.
//
//     bcast    root -> root+1 -> root+2 -> …        step 0   b0
//     reduce   root <- root+1 <- root+2 <- …        step 1   b1 b0
//                                                   step 2   b2 b1 b0
//
// The vector is cut into `segments` blocks that follow each other along the chain of ranks, counted from the root
// modulo p: while a rank receives a block, it passes on the block before.
//
// Cost: see ChainCost, with the longest latency of a way and the mean of the others, and the bandwidth that the busiest
// link leaves to a message while every rank sends to its neighbour.
//
// Source: the pipeline algorithms of Open MPI's base collectives; Pjesivac-Grbovic et al., "Performance analysis of MPI
// collective operations", Cluster Computing 10(2), 2007. Combines in rank order if the chain begins at the first rank
// or goes on there after the last, that is for the roots 0 and p-1.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/algorithm/tree/chain.hpp"

#include <algorithm>

namespace coll_topo::pipelined_chain {
namespace {

// Of nothing that is sent there would be no bandwidth.
constexpr double least_seconds = 1e-15, least_bytes = 1e-3;

/// The ranks before and after a rank on the chain that begins at the root; -1 at its ends.
struct Neighbours {
    int before;
    int after;
};

Neighbours neighbours(int ranks, int root, int rank) {
    const int next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks;
    return {rank == root ? -1 : previous, next == root ? -1 : next};
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    const Neighbours chain = neighbours(grid.ranks(), problem.root, rank);
    ProgramBuilder builder(problem.segments, 0);
    write_chain(builder, problem, rank, chain.before, chain.after);
    return builder.finish();
}

bool in_order(const Grid& grid, const Problem& problem) {
    return problem.collective == Collective::bcast || problem.root == 0 || problem.root == grid.ranks() - 1;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const int ranks = grid.ranks();
    const bool reduces = problem.collective == Collective::reduce;
    const double block = bytes / problem.segments;
    RankOrderCost cost(grid);
    int within_hosts = 0, between_hosts = 0;
    double latencies = 0, longest = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        const int after = neighbours(ranks, problem.root, rank).after;
        if (after < 0) continue;
        if (grid.host(rank) == grid.host(after)) {
            ++within_hosts;
            continue;
        }
        ++between_hosts;
        cost.message(reduces ? after : rank, reduces ? rank : after, block);
        const double latency = cost.alone(rank, after, 0) - cost.machine().message_time;
        latencies += latency;
        longest = std::max(longest, latency);
    }
    ChainCost chain(cost.machine(), problem, bytes);
    chain.add_within_hosts(within_hosts);
    const double busiest_link = std::max(cost.pace() - cost.machine().message_time, least_seconds);
    const double bandwidth = std::max(block, least_bytes) / busiest_link;
    if (between_hosts > 0) chain.add_between_hosts(1, longest, bandwidth);
    if (between_hosts > 1) {
        const int others = between_hosts - 1;
        chain.add_between_hosts(others, (latencies - longest) / others, bandwidth);
    }
    return chain.seconds();
}

}  // namespace

}  // namespace coll_topo::pipelined_chain

namespace coll_topo::algorithms {

extern constinit const Algorithm pipelined_chain{
    .name = "pipelined_chain",
    .summary = "reference: blocks stream along the chain of ranks",
    .collectives = any({Collective::bcast, Collective::reduce}),
    .uses_segments = true,
    .reference = true,
    .in_order = pipelined_chain::in_order,
    .seconds = pipelined_chain::seconds,
    .build = pipelined_chain::build,
};

}  // namespace coll_topo::algorithms
