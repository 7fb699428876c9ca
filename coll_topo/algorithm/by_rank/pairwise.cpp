// SPDX-License-Identifier: BSD-3-Clause
//
// Pairwise exchange in rank order: alltoall and reduce_scatter. References.
//
//     step 1:  r -> r+1      step 2:  r -> r+2      …      step p-1:  r -> r-1        modulo p
//
// In every step a rank sends one piece and receives one: in alltoall into its place, in reduce_scatter an operand of
// its own piece.
//
// Cost for m bytes, l_d messages on the busiest link at distance d:
//     sum_(d = 1 .. p-1) [ o + hops·latency + l_d·m/(p·bandwidth) ], and (p-1)/p·m/reduction in reduce_scatter.
//
// Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 19(1),
// 2005. Operands arrive from rank r-1 downwards, and then from p-1: rank order for at most two ranks.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/algorithm/stages/piece_scratch.hpp"

namespace coll_topo::algorithms {
namespace {

Program build_alltoall(int ranks, int rank) {
    ProgramBuilder builder(ranks, 0);
    builder.lane();
    builder.copy({Buffer::input, rank, 1}, Buffer::output, rank);
    for (int distance = 1; distance < ranks; ++distance) {
        const int to = (rank + distance) % ranks, from = (rank + ranks - distance) % ranks;
        builder.receive(from, {Buffer::output, from, 1});
        builder.send(to, {Buffer::input, to, 1});
        builder.next_step();
    }
    return builder.finish();
}

Program build_reduce_scatter(int ranks, int rank) {
    ProgramBuilder builder(ranks, ranks);
    builder.lane();
    take_all_pieces(builder, ranks);
    for (int distance = 1; distance < ranks; ++distance) {
        const int to = (rank + distance) % ranks, from = (rank + ranks - distance) % ranks;
        builder.receive_reduce(from, {Buffer::scratch, rank, 1}, from < rank ? Operand::left : Operand::right);
        builder.send(to, {Buffer::scratch, to, 1});
        builder.next_step();
    }
    give_own_piece(builder, rank);
    return builder.finish(pieces_in_rank_order(ranks));
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    return problem.collective == Collective::alltoall ? build_alltoall(grid.ranks(), rank)
                                                      : build_reduce_scatter(grid.ranks(), rank);
}

bool in_order(const Grid& grid, const Problem& problem) {
    return problem.collective == Collective::alltoall || grid.ranks() <= 2;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const int ranks = grid.ranks();
    const double piece = bytes / ranks;
    const double exchange = RankOrderCost(grid).shifts_in_turn(piece);
    const double combined = problem.collective == Collective::alltoall ? 0 : (ranks - 1) * piece;
    return exchange + combined / grid.costs_together().reduce_bandwidth + piece / grid.costs_together().copy_bandwidth;
}

}  // namespace

extern constinit const Algorithm pairwise{
    .name = "pairwise",
    .summary = "reference: one rank after the other, at distance 1, 2, 3, ...",
    .collectives = any({Collective::reduce_scatter, Collective::reduce_scatter_block, Collective::alltoall}),
    .reference = true,
    .direct = true,
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
