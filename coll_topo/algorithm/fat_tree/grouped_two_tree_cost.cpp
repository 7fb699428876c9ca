// SPDX-License-Identifier: BSD-3-Clause
//
// What blocks cost that stream through the trees of grouped_two_tree. In a round half a block of each lane goes through
// each of its trees.

#include "coll_topo/algorithm/fat_tree/grouped_two_tree.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"

#include <algorithm>
#include <array>

namespace coll_topo::grouped_two_tree {
namespace {

/// How many times the data of a lane pass the busiest unit of a level on their way up: at the level itself and, in the
/// lanes in which it represents the units that it is in, at those above.
double lanes_of_busiest(const SwitchUnits& units, int level, int lanes) {
    double times = 0;
    for (int turns = lanes; level < levels; ++level) {
        const int members = units.most_members(level + 1);
        if (members == 1) continue;
        // Over the lanes a unit takes every position of a tree; at one of them, the base, it receives nothing.
        times += turns < members ? turns : turns * (members - 1.0) / members;
        turns = (turns + members - 1) / members;
    }
    return times;
}

/// Hops of the first block on the trees of each level, in the lane with the most: of a collective with a root also
/// those from the representative of the levels above to the root.
std::array<int, levels> hops_of_first(const SwitchUnits& units, const Problem& problem) {
    std::array<int, levels> hops;
    for (int level = 0; level < levels; ++level) hops[level] = height(units, level);
    std::array<int, levels> most = hops;
    for (int lane = 0; is_rooted(problem.collective) && lane < problem.lanes; ++lane) {
        const Timing timing = find_timing(units, problem.root, lane, problem.lanes);
        for (int level = 0; level < levels; ++level) {
            if (timing.begin_at_root[level] > timing.begin[level]) most[level] = 2 * hops[level];
        }
    }
    return most;
}

/// Seconds in which the busiest rank moves what comes from its host in a round, at so many seconds for half a block. On
/// the way down a representative gets some lanes over the network; where all lanes have the same root, others get as
/// much as it does, and all from their host.
double seconds_to_move(const SwitchUnits& units, const Problem& problem, double half, bool up) {
    const int members = units.most_members(1), lanes = problem.lanes;
    if (members == 1) return 0;
    double times = lanes;
    if (!is_rooted(problem.collective)) {
        if (lanes >= members)
            times = lanes * (members - 1.0) / members;
        else if (!up)
            times = lanes - 1;
    }
    return TwoTrees::colours * times * half;
}

/// Seconds in which the memory of a host passes what its ranks get from each other in a round, and what they combine.
double memory_seconds(const Grid& grid, const Problem& problem, double half, bool combines) {
    const int ranks = grid.most_ranks_per_host(), halves = TwoTrees::trees * problem.lanes;
    return halves * (ranks - 1 + (combines ? ranks : 0)) * half / grid.costs().memory_bandwidth;
}

/// Seconds of the busiest cable of a host or switch in a round.
double cable_seconds(const Grid& grid, const SwitchUnits& units, const Problem& problem, double half) {
    double transfer = 0;
    for (int level = 1; level < levels; ++level) {
        if (height(units, level) > 0) transfer = std::max(transfer, half / way_at(grid, level).bandwidth);
    }
    return TwoTrees::colours * std::max<double>(problem.lanes, lanes_of_busiest(units, 1, problem.lanes)) * transfer;
}

/// Seconds of a round, in which half a block of each tree goes up, where it is combined, or down.
double round_seconds(const Grid& grid, const SwitchUnits& units, const Problem& problem, double half, bool up) {
    const MachineCosts& costs = grid.costs();
    const double work = costs.message_time + (up ? half / costs.reduce_bandwidth : 0);
    double one_lane = 0;
    for (int level = 0; level < levels; ++level) {
        if (height(units, level) == 0) continue;
        const Way way = way_at(grid, level);
        one_lane += TwoTrees::colours * (work + way.latency + half / way.bandwidth);
    }
    const double moving = seconds_to_move(units, problem, half / costs.local_bandwidth, up);
    return std::max({waiting * std::max(one_lane, cable_seconds(grid, units, problem, half)),
                     TwoTrees::colours * lanes_of_busiest(units, 0, problem.lanes) * work + moving,
                     memory_seconds(grid, problem, half, up)});
}

/// Seconds until the first block has come to the root, or from it.
double fill_seconds(const Grid& grid, const SwitchUnits& units, const Problem& problem, double half) {
    const MachineCosts& costs = grid.costs();
    const bool combines = coll_topo::combines(problem.collective);
    const double reduction = combines ? half / costs.reduce_bandwidth : 0;
    const double busiest = TwoTrees::colours * lanes_of_busiest(units, 0, problem.lanes);
    const double moving = seconds_to_move(units, problem, half / costs.local_bandwidth, combines);
    // On the way of the first block ranks are neither all as busy as this one, nor have they only blocks of two trees.
    const double combining = (busiest + TwoTrees::trees * problem.lanes) / 2 * reduction + moving / 2;
    // The first blocks of all lanes are on their way together.
    const double together = std::max(combining, cable_seconds(grid, units, problem, half));
    const std::array<int, levels> hops = hops_of_first(units, problem);
    double fill = 0;
    for (int level = 0; level < levels; ++level) {
        if (hops[level] == 0) continue;
        // A rank sends to two children, or to its parents in both trees, one after the other.
        const Way way = way_at(grid, level);
        const double alone = TwoTrees::colours * costs.message_time + reduction + half / way.bandwidth;
        fill += hops[level] * (way.latency + std::max(alone, together));
    }
    return fill;
}

}  // namespace

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const SwitchUnits units(grid);
    const double half = bytes / problem.lanes / problem.segments / TwoTrees::trees;
    const bool up = combines(problem.collective), down = problem.collective != Collective::reduce;
    double rounds = 0;
    if (up) rounds += round_seconds(grid, units, problem, half, true);
    if (down) rounds += round_seconds(grid, units, problem, half, false);
    return (up && down ? 2 : 1) * fill_seconds(grid, units, problem, half) + (problem.segments - 1) * rounds;
}

}  // namespace coll_topo::grouped_two_tree
