// SPDX-License-Identifier: BSD-3-Clause
//
// Recursive halving in rank order: reduce_scatter. A reference; halving_doubling goes along the axes of the grid
// instead.
//
//     0 ------------- 4  …              distance 4: half of the pieces, those of the other's half of the ranks
//     0 ----- 2   4 ----- 6  …          distance 2, a quarter of them
//     0 - 1   2 - 3   4 - 5   6 - 7     distance 1, one piece
//
// If p is not a power of two, the first 2(p - 2^k) ranks work in pairs: the even one gives all its pieces to the odd
// one, which goes on for both and passes the other's piece back at the end.
//
// Cost for m bytes, l_d messages on the busiest link at distance d, n = 2^k ranks that go on:
//     sum_d [ o + hops·latency + l_d·m·d/(n·bandwidth) ] + (n-1)/n·m/reduction, and the pairs: one message of m and one
//     of m/p.
//
// Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 19(1),
// 2005. The far ranks come first, so operands are in rank order only if at most two go on.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/algorithm/stages/piece_scratch.hpp"
#include "coll_topo/algorithm/stages/power_of_two_ranks.hpp"

#include <algorithm>

namespace coll_topo::algorithms {
namespace {

PowerOfTwoRanks halving_ranks(int ranks) {
    return {ranks, PowerOfTwoRanks::GoesOn::odd};
}

/// The pieces that those numbered [first, first + count) are to have, which are those of consecutive ranks.
Blocks pieces(const PowerOfTwoRanks& halving, int first, int count) {
    const auto begin = [&](int number) { return number + std::min(number, halving.pairs()); };
    return {Buffer::scratch, begin(first), begin(first + count) - begin(first)};
}

void halve(ProgramBuilder& builder, const PowerOfTwoRanks& halving, int rank) {
    const int number = halving.number(rank);
    for (int distance = halving.size() / 2; distance > 0; distance /= 2) {
        const int other = number ^ distance;
        const Blocks kept = pieces(halving, number & -distance, distance);
        builder.receive_reduce(halving.rank(other), kept, other < number ? Operand::left : Operand::right);
        builder.send(halving.rank(other), pieces(halving, other & -distance, distance));
        builder.next_step();
    }
}

Program build(const Grid& grid, const Problem&, int rank) {
    const int ranks = grid.ranks();
    const PowerOfTwoRanks halving = halving_ranks(ranks);
    const Blocks all{Buffer::scratch, 0, ranks};
    ProgramBuilder builder(ranks, ranks);
    builder.lane();
    take_all_pieces(builder, ranks);
    if (!halving.goes_on(rank)) {
        builder.send(rank + 1, all);
        builder.next_step();
        builder.receive(rank + 1, {Buffer::scratch, rank, 1});
    } else {
        if (halving.paired(rank)) builder.receive_reduce(rank - 1, all, Operand::left);
        builder.next_step();
        halve(builder, halving, rank);
        if (halving.paired(rank)) builder.send(rank - 1, {Buffer::scratch, rank - 1, 1});
    }
    give_own_piece(builder, rank);
    return builder.finish(pieces_in_rank_order(ranks));
}

bool in_order(const Grid& grid, const Problem&) {
    return halving_ranks(grid.ranks()).size() <= 2;
}

double seconds(const Grid& grid, const Problem&, double bytes) {
    const int ranks = grid.ranks();
    const PowerOfTwoRanks halving = halving_ranks(ranks);
    const MachineCosts& machine = grid.costs_together();
    RankOrderCost cost(grid);
    double total = bytes / ranks / machine.copy_bandwidth;
    for (int distance = halving.size() / 2; distance > 0; distance /= 2) {
        const double message = bytes * distance / halving.size();
        for (int number = 0; number < halving.size(); ++number) {
            cost.message(halving.rank(number), halving.rank(number ^ distance), message);
        }
        total += cost.step() + message / machine.reduce_bandwidth;
    }
    if (halving.pairs() == 0) return total;
    for (int pair = 0; pair < halving.pairs(); ++pair) cost.message(2 * pair, 2 * pair + 1, bytes);
    total += cost.step() + bytes / machine.reduce_bandwidth;
    for (int pair = 0; pair < halving.pairs(); ++pair) cost.message(2 * pair + 1, 2 * pair, bytes / ranks);
    return total + cost.step();
}

}  // namespace

extern constinit const Algorithm recursive_halving{
    .name = "recursive_halving",
    .summary = "reference: halving, with the ranks at distance ..., 4, 2, 1",
    .collectives = any({Collective::reduce_scatter, Collective::reduce_scatter_block}),
    .reference = true,
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
