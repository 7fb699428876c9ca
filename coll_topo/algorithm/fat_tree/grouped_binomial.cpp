// SPDX-License-Identifier: BSD-3-Clause
//
// Binomial trees along the switches: bcast and reduce of small vectors on fat trees.
//
//     groups   | leaves | hosts |          bcast, the far ranks first        reduce, the near ranks first
//     0 1 2 3 4 5 6 7                      0 ------------> 4                 0 <- 1  2 <- 3  4 <- 5  6 <- 7
//     ranks in the order of groups,        0 ----> 2       4 ----> 6         0 <---- 2       4 <---- 6
//     leaves, hosts, ranks of a host       0 -> 1  2 -> 3  4 -> 5  6 -> 7    0 <------------ 4
//
// Ranks are numbered along the switches from the root on, modulo p. In the step of distance d = …, 4, 2, 1 those whose
// number is a multiple of 2d send to the one d further. As long as d is at least the ranks of a leaf, only one of them
// sends and one receives; after that at most one message crosses the border between two neighbouring leaves. So no two
// messages of a step meet, all far messages are sent first, and there are ceil(log2 p) steps, however many hosts,
// leaves and groups there are. (Trees over groups, then leaves, then hosts round up on each level.)
//
// Cost for m bytes: sum_d [ o + latency_d + m/bandwidth_d ], and m/reduction for each step in reduce.
//
// Source: the binomial tree as in binomial.cpp; levels as in N. Karonis et al., "Exploiting hierarchy in parallel
// computer networks to optimize collective operation performance", IPDPS 2000. Needs: leaves. Combines in rank order if
// ranks follow the switches and the root is rank 0.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/fat_tree/switch_units.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/schedule/builder.hpp"

#include <algorithm>
#include <bit>

namespace coll_topo::algorithms {
namespace {

constexpr Blocks vector_{Buffer::output, 0, 1};

/// Half of the smallest power of two that is no less than the number of ranks.
int longest_distance(int ranks) {
    return static_cast<int>(std::bit_ceil(static_cast<unsigned>(ranks)) / 2);
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    const int ranks = grid.ranks(), start = grid.number_by_switches(problem.root);
    const int own = (grid.number_by_switches(rank) - start + ranks) % ranks;
    const auto rank_at = [&](int number) { return grid.ranks_by_switches()[(start + number) % ranks]; };
    ProgramBuilder builder(1, 0);
    // Sends share the cable of the host: that to the largest subtree is done before the next one begins.
    builder.lane(1, 1);
    if (problem.collective == Collective::bcast) {
        for (int distance = longest_distance(ranks); distance > 0; distance /= 2) {
            if (own % (2 * distance) == distance) {
                builder.receive(rank_at(own - distance), vector_);
                builder.next_step();
            }
            if (own % (2 * distance) == 0 && own + distance < ranks) builder.send(rank_at(own + distance), vector_);
        }
        return builder.finish();
    }
    for (int distance = 1; distance < ranks; distance *= 2) {
        if (own % (2 * distance) == distance) {
            builder.send(rank_at(own - distance), vector_);
            break;
        }
        if (own + distance < ranks) {
            const int other = rank_at(own + distance);
            builder.receive_reduce(other, vector_, other < rank ? Operand::left : Operand::right);
        }
        builder.next_step();
    }
    return builder.finish();
}

bool in_order(const Grid& grid, const Problem& problem) {
    return problem.collective == Collective::bcast || (problem.root == 0 && ranks_follow_switches(grid));
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const double reduction = problem.collective == Collective::reduce ? bytes / grid.costs().reduce_bandwidth : 0;
    double total = 0;
    for (int distance = 1; distance < grid.ranks(); distance *= 2) {
        const Way way = way_at(grid, level_at_distance(grid, distance));
        total += grid.costs().message_time + way.latency + bytes / way.bandwidth + reduction;
    }
    return total;
}

}  // namespace

extern constinit const Algorithm grouped_binomial{
    .name = "grouped_binomial",
    .summary = "whole vectors along a binomial tree over groups, leaves, hosts; for small messages on switches",
    .collectives = any({Collective::bcast, Collective::reduce}),
    .network = Network::switches,
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
