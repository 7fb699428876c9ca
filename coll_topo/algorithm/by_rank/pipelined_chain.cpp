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
// Cost: see chain_seconds().
//
// Source: the pipeline algorithms of Open MPI's base collectives; Pjesivac-Grbovic et al., "Performance analysis of MPI
// collective operations", Cluster Computing 10(2), 2007. Combines in rank order if the chain begins at the first rank
// or goes on there after the last, that is for the roots 0 and p-1.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/tree/chain.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo::pipelined_chain {
namespace {

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
    std::vector<std::int32_t> after;
    for (int rank = 0; rank < grid.ranks(); ++rank) after.push_back(neighbours(grid.ranks(), problem.root, rank).after);
    return chain_seconds(grid, problem, after, bytes);
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
