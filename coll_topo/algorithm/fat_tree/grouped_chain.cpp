// SPDX-License-Identifier: BSD-3-Clause
//
// The pipelined chain along the switches: bcast and reduce of large vectors on fat trees of few hosts.
//
//     leaf 0        leaf 1        leaf 2
//     h0 -> h1 ---> h2 -> h3 ---> h4 -> h5      and so on, modulo the number of ranks, from the root on
//
// Blocks follow each other through the ranks of a host, the hosts of a leaf, the leaves of a group, the groups. One
// message enters every host and every leaf, and one leaves it: no two messages meet on a link, and every cable carries
// the vector once each way. Where the blocks are many, nothing is faster; but the first one takes p - 1 hops.
//
// Cost for m bytes in s blocks b = m/s:
//     sum_hops ( t + latency ) + (s - 1)·max( t, (t + latency)/2 ) of the slowest hop, t = o + b/bandwidth, and
//     b/reduction in reduce: a rank receives a block while it passes on the one before.
//
// Source: as pipelined_chain.cpp.
// Needs: leaves. Combines in rank order if ranks follow the switches, for the roots 0 and p - 1.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/by_rank/pipelined_chain.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/fat_tree/switch_units.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"

#include <algorithm>

namespace coll_topo::algorithms {
namespace {

constexpr int blocks_under_way = 2;  // between two ranks, at least: receives are posted a step ahead

Program build(const Grid& grid, const Problem& problem, int rank) {
    const auto& order = grid.ranks_by_switches();
    const int ranks = grid.ranks(), own = grid.number_by_switches(rank);
    const int before = order[(own + ranks - 1) % ranks], after = order[(own + 1) % ranks];
    ProgramBuilder builder(problem.segments, 0);
    pipelined_chain::write_lane(builder, problem, rank, rank == problem.root ? -1 : before,
                                after == problem.root ? -1 : after);
    return builder.finish();
}

bool in_order(const Grid& grid, const Problem& problem) {
    if (problem.collective == Collective::bcast) return true;
    return (problem.root == 0 || problem.root == grid.ranks() - 1) && ranks_follow_switches(grid);
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const LeafArrangement& leaves = grid.leaves();
    const int units[] = {grid.ranks(), grid.hosts(), leaves.hosts.parts(), leaves.leaves.parts(), 1};
    const double block = bytes / problem.segments;
    const double reduction = problem.collective == Collective::reduce ? block / grid.costs().reduce_bandwidth : 0;
    double first = 0, slowest = 0;
    for (int level = 0; level < SwitchUnits::machine; ++level) {
        const int hops = units[level] - units[level + 1];
        if (hops == 0) continue;
        const Way way = way_at(grid, level);
        const double turn = grid.costs().message_time + block / way.bandwidth + reduction;
        first += hops * (turn + way.latency);
        slowest = std::max({slowest, turn, (turn + way.latency) / blocks_under_way});
    }
    return first + (problem.segments - 1) * slowest;
}

}  // namespace

extern constinit const Algorithm grouped_chain{
    .name = "grouped_chain",
    .summary = "blocks stream from host to host, leaf by leaf; for large messages and few hosts on switches",
    .collectives = any({Collective::bcast, Collective::reduce}),
    .network = Network::switches,
    .uses_segments = true,
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
