// SPDX-License-Identifier: BSD-3-Clause
//
// Rabenseifner's allreduce in rank order: recursive halving, then recursive doubling. A reference; halving_doubling is
// the same along the axes of the grid.
//
//     0 - 1   2 - 3   4 - 5   6 - 7     distance 1, half of the vector      |        ^
//     0 ----- 2   4 ----- 6  …          distance 2, a quarter of it         | halve  | double
//     0 ------------- 4  …              distance 4, an eighth               v        |
//
// If p is not a power of two, the first 2(p - 2^k) ranks work in pairs: each reduces one half of the vector for both,
// the odd one hands its half to the even one, which goes on alone and passes the result back at the end.
//
// Cost for m bytes, l_d messages on the busiest link at distance d:
//     2 · sum_d [ o + hops·latency + l_d·m/(2d·bandwidth) ] + (p-1)/p·m/reduction, and the pairs: two messages of m/2
//     and one of m.
//
// Source: Rabenseifner, "Optimization of collective reduction operations", ICCS 2004; Thakur, Rabenseifner, Gropp,
// IJHPCA 19(1), 2005. Combines in rank order: what a rank holds always stands for consecutive ranks.

#include "coll_topo/algorithm/by_rank/rabenseifner.hpp"

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/algorithm/stages/power_of_two_ranks.hpp"
#include "coll_topo/schedule/builder.hpp"

namespace coll_topo::rabenseifner {
namespace {

PowerOfTwoRanks halving_ranks(int ranks) {
    return {ranks, PowerOfTwoRanks::GoesOn::even};
}

constexpr Blocks range(int first, int count) {
    return {Buffer::output, first, count};
}

/// Leaves the sum of a pair with its even rank.
void fold_pair(ProgramBuilder& builder, int blocks, int rank) {
    const bool even = rank % 2 == 0;
    const int other = even ? rank + 1 : rank - 1, half = blocks / 2;
    const Blocks left = range(0, half), right = range(half, half);
    builder.receive_reduce(other, even ? left : right, even ? Operand::right : Operand::left);
    builder.send(other, even ? right : left);
    builder.next_step();
    if (even)
        builder.receive(other, right);
    else
        builder.send(other, right);
    builder.next_step();
}

void halve_and_double(ProgramBuilder& builder, const PowerOfTwoRanks& halving, int rank) {
    const int number = halving.number(rank);
    int first = 0, width = halving.size();
    for (int distance = 1; distance < halving.size(); distance *= 2) {
        const int other = halving.rank(number ^ distance);
        const bool lower = rank < other;
        width /= 2;
        const int left = first, right = first + width;
        first = lower ? left : right;
        builder.receive_reduce(other, range(first, width), lower ? Operand::right : Operand::left);
        builder.send(other, range(lower ? right : left, width));
        builder.next_step();
    }
    for (int distance = halving.size() / 2; distance > 0; distance /= 2) {
        const int other = halving.rank(number ^ distance);
        builder.receive(other, range(first ^ width, width));
        builder.send(other, range(first, width));
        builder.next_step();
        first -= first & width;
        width *= 2;
    }
}

}  // namespace

Program build_in_order(int ranks, int rank) {
    const PowerOfTwoRanks halving = halving_ranks(ranks);
    const Blocks all = range(0, halving.size());
    ProgramBuilder builder(halving.size(), 0);
    builder.lane();
    if (halving.paired(rank)) fold_pair(builder, halving.size(), rank);
    if (!halving.goes_on(rank)) {
        builder.receive(rank - 1, all);
        return builder.finish();
    }
    halve_and_double(builder, halving, rank);
    if (halving.paired(rank)) builder.send(rank + 1, all);
    return builder.finish();
}

double seconds_in_order(RankOrderCost cost, double bytes) {
    const PowerOfTwoRanks halving = halving_ranks(cost.ranks());
    double total = 0;
    for (int distance = 1; distance < halving.size(); distance *= 2) {
        const double message = bytes / (2.0 * distance);
        for (int number = 0; number < halving.size(); ++number) {
            cost.message(halving.rank(number), halving.rank(number ^ distance), message);
        }
        total += 2 * cost.step() + message / cost.machine().reduce_bandwidth;
    }
    if (halving.pairs() == 0) return total;
    const auto pairs_seconds = [&](double message, bool up, bool down) {
        for (int pair = 0; pair < halving.pairs(); ++pair) {
            if (up) cost.message(2 * pair, 2 * pair + 1, message);
            if (down) cost.message(2 * pair + 1, 2 * pair, message);
        }
        return cost.step();
    };
    return total + pairs_seconds(bytes / 2, true, true) + bytes / 2 / cost.machine().reduce_bandwidth +
           pairs_seconds(bytes / 2, false, true) + pairs_seconds(bytes, true, false);
}

namespace {

Program build(const Grid& grid, const Problem&, int rank) {
    return build_in_order(grid.ranks(), rank);
}

bool in_order(const Grid&, const Problem&) {
    return true;
}

double seconds(const Grid& grid, const Problem&, double bytes) {
    return seconds_in_order(RankOrderCost(grid), bytes);
}

}  // namespace

}  // namespace coll_topo::rabenseifner

namespace coll_topo::algorithms {

extern constinit const Algorithm rabenseifner{
    .name = "rabenseifner",
    .summary = "reference: halving then doubling, with the ranks at distance 1, 2, 4, ...",
    .collectives = only(Collective::allreduce),
    .reference = true,
    .in_order = rabenseifner::in_order,
    .seconds = rabenseifner::seconds,
    .build = rabenseifner::build,
};

}  // namespace coll_topo::algorithms
