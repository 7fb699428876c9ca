// SPDX-License-Identifier: BSD-3-Clause
//
// Binomial trees along the switches: bcast and reduce of small vectors, gather and scatter of small pieces, on fat
// trees.
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
// Cost for m bytes: a rank sends again o after its last message, or, where m/bandwidth is more, when that has arrived;
// a message arrives o + latency + m/bandwidth after its send begins, and m/reduction is added for each one in reduce.
// The longest way through the tree is counted (SwitchTree). In gather and scatter a message has the pieces of all ranks
// below one end of it (PieceTree), and each one is followed (MessageTimeline): long pieces arrive at the root one after
// the other over its only cable, however low the tree.
//
// Short of that, in grouped_knomial every rank sends to three others in a step:
//     distance 4:  0 -> 4, 8, 12      distance 1:  0 -> 1, 2, 3    4 -> 5, 6, 7    8 -> 9, 10, 11    12 -> 13, 14, 15
// and does not wait for one send before the next: half the steps, each with one latency and three messages, which share
// the cable. For messages that take less time on the cable than on their way.
//
// Source: the binomial tree as in binomial.cpp; levels as in N. Karonis et al., "Exploiting hierarchy in parallel
// computer networks to optimize collective operation performance", IPDPS 2000. Needs: leaves. Combines in rank order if
// ranks follow the switches and the root is rank 0.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/fat_tree/switch_tree.hpp"
#include "coll_topo/algorithm/fat_tree/switch_units.hpp"
#include "coll_topo/algorithm/tree/piece_tree.hpp"

namespace coll_topo::algorithms {
namespace {

/// Sends share the cable of the host: that to the largest subtree is done before the next one begins.
constexpr int one_after_the_other = 1, all_at_once = 0;

PieceTree piece_tree(const Grid& grid, const Problem& problem, const SwitchTree& tree) {
    return {grid, problem, [&](int rank) { return tree.of(rank); }};
}

template <int radix, int sends_at_once>
Program build(const Grid& grid, const Problem& problem, int rank) {
    const SwitchTree tree(grid, problem, radix, sends_at_once);
    return moves_pieces(problem.collective) ? piece_tree(grid, problem, tree).build(rank) : tree.build(rank);
}

template <int radix, int sends_at_once>
double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const SwitchTree tree(grid, problem, radix, sends_at_once);
    return moves_pieces(problem.collective) ? piece_tree(grid, problem, tree).seconds(bytes) : tree.seconds(bytes);
}

bool in_order(const Grid& grid, const Problem& problem) {
    return !combines(problem.collective) || (problem.root == 0 && ranks_follow_switches(grid));
}

}  // namespace

extern constinit const Algorithm grouped_binomial{
    .name = "grouped_binomial",
    .summary = "along a binomial tree over groups, leaves, hosts; for small messages on switches",
    .collectives = any({Collective::bcast, Collective::reduce, Collective::gather, Collective::scatter}),
    .network = Network::switches,
    .in_order = in_order,
    .seconds = seconds<2, one_after_the_other>,
    .build = build<2, one_after_the_other>,
};

extern constinit const Algorithm grouped_knomial{
    .name = "grouped_knomial",
    .summary = "along a tree of radix 4 over groups, leaves, hosts; for short messages on switches",
    .collectives = any({Collective::bcast, Collective::reduce, Collective::gather, Collective::scatter}),
    .network = Network::switches,
    .in_order = in_order,
    .seconds = seconds<4, all_at_once>,
    .build = build<4, all_at_once>,
};

}  // namespace coll_topo::algorithms
