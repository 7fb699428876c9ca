// SPDX-License-Identifier: BSD-3-Clause
//
// Recursive doubling in rank order: allreduce of whole vectors, and allgather. A reference; the row recursive_doubling
// goes along the axes of the grid instead.
//
//     0 - 1   2 - 3   4 - 5   6 - 7     distance 1
//     0 ----- 2   4 ----- 6  …          distance 2: rank r exchanges with r xor 2
//     0 ------------- 4  …              distance 4
//
// allreduce: if p is not a power of two, the even ones of the first 2(p - 2^k) ranks fold onto their neighbours and get
// the result last. allgather: the pieces a rank holds double from step to step; p must be a power of two.
//
// Cost for m bytes, l_d messages on the busiest link at distance d:
//     allreduce: sum_d [ o + hops·latency + l_d·m/bandwidth + m/reduction ], and two messages more
//     if p is not a power of two
//     allgather: sum_d [ o + hops·latency + l_d·d·m/(p·bandwidth) ].
//
// Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 19(1),
// 2005. Combines in rank order: what a rank holds always stands for consecutive ranks.

#include "coll_topo/algorithm/by_rank/recursive_doubling_by_rank.hpp"

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/algorithm/stages/piece_scratch.hpp"
#include "coll_topo/algorithm/stages/power_of_two_ranks.hpp"

namespace coll_topo::recursive_doubling_by_rank {
namespace {

constexpr Blocks vector_{Buffer::output, 0, 1};

PowerOfTwoRanks doubling_ranks(int ranks) {
    return {ranks, PowerOfTwoRanks::GoesOn::odd};
}

/// The step in which every rank that goes on exchanges `bytes` with the one at a distance.
void add_step(RankOrderCost& cost, const PowerOfTwoRanks& doubling, int distance, double bytes) {
    for (int number = 0; number < doubling.size(); ++number) {
        cost.message(doubling.rank(number), doubling.rank(number ^ distance), bytes);
    }
}

Program build_allgather(int ranks, int rank) {
    ProgramBuilder builder(ranks, ranks);
    builder.lane();
    take_own_piece(builder, rank);
    for (int distance = 1; distance < ranks; distance *= 2) {
        const int first = rank / distance * distance;
        builder.receive(rank ^ distance, {Buffer::scratch, first ^ distance, distance});
        builder.send(rank ^ distance, {Buffer::scratch, first, distance});
        builder.next_step();
    }
    give_all_pieces(builder, ranks);
    return builder.finish(pieces_in_rank_order(ranks));
}

}  // namespace

Program build_allreduce_in_order(int ranks, int rank) {
    const PowerOfTwoRanks doubling = doubling_ranks(ranks);
    ProgramBuilder builder(1, 0);
    builder.lane();
    if (!doubling.goes_on(rank)) {
        builder.send(rank + 1, vector_);
        builder.next_step();
        builder.receive(rank + 1, vector_);
        return builder.finish();
    }
    if (doubling.paired(rank)) builder.receive_reduce(rank - 1, vector_, Operand::left);
    builder.next_step();
    const int number = doubling.number(rank);
    for (int distance = 1; distance < doubling.size(); distance *= 2) {
        const int other = doubling.rank(number ^ distance);
        builder.receive_reduce(other, vector_, other < rank ? Operand::left : Operand::right);
        builder.send(other, vector_);
        builder.next_step();
    }
    if (doubling.paired(rank)) builder.send(rank - 1, vector_);
    return builder.finish();
}

double allreduce_seconds_in_order(RankOrderCost cost, double bytes) {
    const PowerOfTwoRanks doubling = doubling_ranks(cost.ranks());
    const double reduction = bytes / cost.machine().reduce_bandwidth;
    double total = 0;
    for (int distance = 1; distance < doubling.size(); distance *= 2) {
        add_step(cost, doubling, distance, bytes);
        total += cost.step() + reduction;
    }
    if (doubling.pairs() == 0) return total;
    for (int pair = 0; pair < doubling.pairs(); ++pair) cost.message(2 * pair, 2 * pair + 1, bytes);
    return total + 2 * cost.step() + reduction;
}

namespace {

std::string refusal(const Grid& grid, const Problem& problem) {
    if (problem.collective != Collective::allgather || doubling_ranks(grid.ranks()).pairs() == 0) return {};
    return "needs a power of two of ranks, not " + std::to_string(grid.ranks());
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    return problem.collective == Collective::allgather ? build_allgather(grid.ranks(), rank)
                                                       : build_allreduce_in_order(grid.ranks(), rank);
}

bool in_order(const Grid&, const Problem&) {
    return true;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    RankOrderCost cost(grid);
    if (problem.collective == Collective::allreduce) return allreduce_seconds_in_order(std::move(cost), bytes);
    double total = bytes / grid.ranks() / grid.costs_together().copy_bandwidth;
    for (int distance = 1; distance < grid.ranks(); distance *= 2) {
        add_step(cost, doubling_ranks(grid.ranks()), distance, bytes * distance / grid.ranks());
        total += cost.step();
    }
    return total;
}

}  // namespace

}  // namespace coll_topo::recursive_doubling_by_rank

namespace coll_topo::algorithms {

extern constinit const Algorithm recursive_doubling_by_rank{
    .name = "recursive_doubling_by_rank",
    .summary = "reference: doubling, with the ranks at distance 1, 2, 4, ...",
    .collectives = any({Collective::allreduce, Collective::allgather}),
    .reference = true,
    .further_refusal = recursive_doubling_by_rank::refusal,
    .in_order = recursive_doubling_by_rank::in_order,
    .seconds = recursive_doubling_by_rank::seconds,
    .build = recursive_doubling_by_rank::build,
};

}  // namespace coll_topo::algorithms
