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
// Cost: see ChainCost.
//
// Source: as pipelined_chain.cpp.
// Needs: leaves. Combines in rank order if ranks follow the switches, for the roots 0 and p - 1.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/fat_tree/switch_units.hpp"
#include "coll_topo/algorithm/tree/chain.hpp"

namespace coll_topo::algorithms {
namespace {

Program build(const Grid& grid, const Problem& problem, int rank) {
    const auto& order = grid.ranks_by_switches();
    const int ranks = grid.ranks(), own = grid.number_by_switches(rank);
    const int before = order[(own + ranks - 1) % ranks], after = order[(own + 1) % ranks];
    ProgramBuilder builder(problem.segments, 0);
    write_chain(builder, problem, rank, rank == problem.root ? -1 : before, after == problem.root ? -1 : after);
    Program program = builder.finish();
    if (problem.collective == Collective::bcast) limit_sends_passed(program, chain_blocks_under_way - 1);
    return program;
}

bool in_order(const Grid& grid, const Problem& problem) {
    if (problem.collective == Collective::bcast) return true;
    return (problem.root == 0 || problem.root == grid.ranks() - 1) && ranks_follow_switches(grid);
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const LeafArrangement& leaves = grid.leaves();
    const int units[] = {grid.ranks(), grid.hosts(), leaves.hosts.parts(), leaves.leaves.parts(), 1};
    ChainCost cost(grid.costs_together(), problem, bytes);
    cost.add_within_hosts(grid.ranks() - grid.hosts());
    for (int level = 1; level < SwitchUnits::machine; ++level) {
        const Way way = way_at(grid, level);
        cost.add_between_hosts(units[level] - units[level + 1], way.latency, way.bandwidth);
    }
    return cost.seconds();
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
