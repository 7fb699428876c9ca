// SPDX-License-Identifier: BSD-3-Clause
//
// Grouped two-tree: reduce, bcast and allreduce on fat trees.
//
//     ranks of a host    hosts of a leaf    leaves of a group        groups
//       o-o o-o            o-o-o-o            o-o-o                  o---o---o
//       |/  |/             |/                 |/                     |  /   /
//       R   R        >     R            >     R                >     R-----          and down again
//
// A group is the leaves wired to the same spines. On every level, the units of a unit stand on the two trees of
// TwoTrees, each as one rank, its representative; half of the data goes through each tree. So only one rank of a host
// sends to other hosts, one of a leaf to other leaves, one of a group to other groups, and in each colour it sends one
// message and receives one: whatever the routing, no two messages meet on a link. (A tree over all ranks of a group at
// once has two of a leaf send to other leaves in the same step, which meet under destination-based routing.) Steps of
// the levels and colours alternate, blocks stream through, and in allreduce one block goes down while others go up.
//
// Lanes. A representative is an inner position of the trees of one level and the base of those below, and would receive
// the vector once for each. So each lane, a part of the data, has representatives of its own, and its trees are rotated
// to them: with R <= d lanes, d hosts on a leaf, no host receives or sends more than (1 + 2/R) vectors.
//
// Root. It is the base of the trees of its host, its leaf and its group. The levels above do not end at the root but at
// the lane's representative there, which passes what it has got to the root as an ordinary member. In allreduce the
// root of a lane is the representative of the representatives.
//
// Cost for m bytes in s blocks and R lanes, half a block b = m/(2·R·s), H hops through all levels:
//     (s - 1)·t + sum_hops ( latency + the longest of 2·o + b/bandwidth + b/reduction, and what all lanes share ),
//     twice in allreduce, with the time t of a round the longest of
//     sum_levels 2·( o + latency + b/bandwidth )    a representative, one step after the other,
//     (1 + 2/R)·m/(s·bandwidth)                     its cable, at most; its processor for as many messages, and to move
//                                                   those of its host,
//     (2·r - 1)·m/(s·memory)                        the memory of a host of r ranks; down r - 1 times.
// On one level and with the best s it is ( sqrt(m/bandwidth) + sqrt(2·(o + latency)·log2 p) )^2.
//
// Source: JP 2020-178181 A (groups, representatives, two colours, overlap); Sanders, Speck, Traeff as in TwoTrees.
// Needs: leaves. Combines out of rank order.

#include "coll_topo/algorithm/fat_tree/grouped_two_tree.hpp"

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/fat_tree/switch_units.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace coll_topo::grouped_two_tree {

int height(const SwitchUnits& units, int level) {
    return TwoTrees(units.most_members(level + 1)).height();
}

Timing find_timing(const SwitchUnits& units, int root, int lane, int lanes) {
    Timing timing;
    for (int level = 0; level < levels; ++level) {
        timing.begin[level] = timing.begin_at_root[level] = timing.end;
        timing.end += height(units, level);
    }
    for (int level = levels - 2; level >= 0; --level) {
        const int unit = units.unit_of_rank(level + 1, root);
        const int entry = units.representative(level + 1, unit, lane, lanes);
        // Unless the levels above end at the base of this one's trees, these have to wait for them.
        if (units.unit_of_rank(level, entry) == units.unit_of_rank(level, root)) continue;
        timing.begin_at_root[level] = timing.end;
        timing.end += height(units, level);
    }
    return timing;
}

namespace {

int root_of_lane(const SwitchUnits& units, const Problem& problem, int lane) {
    if (is_rooted(problem.collective)) return problem.root;
    return units.representative(SwitchUnits::machine, 0, lane, problem.lanes);
}

}  // namespace

TreeNeighbours neighbours(const Grid& grid, const Problem& problem, int lane, int rank) {
    const SwitchUnits units(grid);
    const auto representative = [&](int level, int unit) {
        return units.representative(level, unit, lane, problem.lanes);
    };
    const int root = root_of_lane(units, problem, lane);
    const Timing timing = find_timing(units, root, lane, problem.lanes);
    TreeNeighbours found{{}, TwoTrees::colours * levels, timing.end};
    for (int level = 0; level < levels; ++level) {
        const int own = units.unit_of_rank(level, rank), unit = units.unit_of_rank(level + 1, rank);
        if (representative(level, own) != rank) continue;
        const bool has_root = units.unit_of_rank(level + 1, root) == unit;
        const int centre = has_root ? root : representative(level + 1, unit);
        const int base = units.index(level, units.unit_of_rank(level, centre));
        const int members = units.members(level + 1, unit);
        const int position = (units.index(level, own) - base + members) % members;
        const int begin = has_root ? timing.begin_at_root[level] : timing.begin[level];
        add_edges(found, TwoTrees(members), position, level, begin, height(units, level),
                  [&](int at) { return representative(level, units.member(level + 1, unit, (base + at) % members)); });
    }
    return found;
}

namespace {

Program build(const Grid& grid, const Problem& problem, int rank) {
    ProgramBuilder builder(tree_pipeline_blocks(problem), 0);
    for (int lane = 0; lane < problem.lanes; ++lane) {
        write_tree_pipeline(builder, problem, lane, neighbours(grid, problem, lane, rank));
    }
    Program program = builder.finish();
    // More blocks on one cable arrive late, all at once; where they are combined, that takes longer than the cable.
    if (problem.collective == Collective::bcast) limit_sends_passed(program, 2);
    return program;
}

bool in_order(const Grid& grid, const Problem& problem) {
    return problem.collective == Collective::bcast || grid.ranks() == 1;
}

/// A rank of many lanes does not get round to all of them in time: in simulations these took up to 1.6 times as long as
/// predicted, and were hardly ever faster than four.
std::string refusal(const Grid&, const Problem& problem) {
    constexpr int most = 4;
    const bool too_many = problem.collective == Collective::allreduce && problem.lanes > most;
    return too_many ? "more than four lanes gain nothing" : "";
}

std::vector<int> lane_counts(const Grid& grid, Collective) {
    if (grid.leaves().empty()) return {1};
    const int most = std::max({2, grid.leaves().hosts.largest(), grid.fewest_ranks_per_host()});
    std::vector<int> counts = {1};
    for (const int lanes : {2, 3, 4, 6, 8}) {
        if (lanes <= most) counts.push_back(lanes);
    }
    return counts;
}

}  // namespace

}  // namespace coll_topo::grouped_two_tree

namespace coll_topo::algorithms {

extern constinit const Algorithm grouped_two_tree{
    .name = "grouped_two_tree",
    .summary = "blocks stream through two trees on each level: hosts, leaves, groups; in lanes, on switches",
    .collectives = any({Collective::bcast, Collective::reduce, Collective::allreduce}),
    .network = Network::switches,
    .uses_lanes = true,
    .uses_segments = true,
    .lane_counts = grouped_two_tree::lane_counts,
    .further_refusal = grouped_two_tree::refusal,
    .in_order = grouped_two_tree::in_order,
    .seconds = grouped_two_tree::seconds,
    .build = grouped_two_tree::build,
};

}  // namespace coll_topo::algorithms
