// SPDX-License-Identifier: BSD-3-Clause
//
// Several rings at once, along cycles of a torus that share no cable, and for hosts of several ranks: allreduce,
// reduce_scatter, allgather.
//
//     visiting hosts once:        a0 -> a1 -> a2  =>  b0 -> b1 -> b2  =>  c0 …     -> within a host: a rank moves it
//     as often as it has ranks:   a0  =>  b0  =>  c0  =>  a1  =>  b1  =>  c1 …     => over the network, which moves it
//
// What a rank gets from its host it copies itself, so each ring enters hosts at another one. A ring that visits hosts
// more often takes as much more of the network, and less of the ranks' time: as many visits as make links and ranks
// busy alike for long vectors, one where the network is much slower than what the ranks of a host move.
//
// Each lane is a ring, every second one that before it backwards.
//
// Cost for p ranks, m bytes, K rings, each half: (p-1) times the longest of
//     o + latency + m/(K·p)·(1/bandwidth or 1/local, and 1/reduction): a block on its way,
//     what the busiest link carries of m/p, and what a rank starts, moves and combines of it.
// In an allgather a rank copies its own piece while it would wait.
//
// Source: rings as in Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC
// 69(2), 2009; several that enter hosts in different places as in NVIDIA's NCCL; to weigh the network against memory is
// ours. Needs: hosts with several ranks, or a cycle through all (grid_cycle.hpp). Combines out of rank order.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/by_rank/ring.hpp"
#include "coll_topo/algorithm/by_rank/ring_orders.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/tree/disjoint_cycles.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace coll_topo::algorithms {
namespace {

/// A link waits while the rank behind it moves what comes from its host, unless other rings use it too: in simulations
/// on 16 to 32 hosts of 4 ranks, so many times as long as it carries data.
double link_waits(const Grid& grid, int rings) {
    const int directions = 2 * std::max(1, disjoint_cycle_count(grid));
    return 1 + 0.2 * directions / std::max(directions, rings);
}

/// Seconds of the steps of one half, for blocks of so many bytes, `work` seconds of a rank for each of them, and `once`
/// while it would wait.
double half_seconds(const Grid& grid, const std::vector<RingOrder>& rings, double block, double work, double once = 0) {
    RankOrderCost cost(grid);
    const int ranks = grid.ranks();
    const double share = 1.0 / static_cast<double>(rings.size());
    double longest = 0;
    bool within_hosts = false;
    for (const RingOrder& ring : rings) {
        double ways = 0;
        for (int i = 0; i < ranks; ++i) {
            const int from = ring[i], to = ring[(i + 1) % ranks];
            cost.message(from, to, share * block);
            within_hosts = within_hosts || grid.host(from) == grid.host(to);
            ways += cost.alone(from, to, share * block) + share * work;
        }
        longest = std::max(longest, ways / ranks);
    }
    const RankOrderCost::Pace busiest = cost.take();
    const double waits = within_hosts ? link_waits(grid, static_cast<int>(rings.size())) : 1;
    return std::max((ranks - 1) * std::max(longest, waits * busiest.transfer),
                    (ranks - 1) * (busiest.work + work) + once);
}

/// The rings of one half with which a long vector takes least time.
std::vector<RingOrder> best_rings(const Grid& grid, int lanes, bool combines) {
    constexpr double long_block = 1 << 20;
    const double work = combines ? long_block / grid.costs_together().reduce_bandwidth : 0;
    return fastest_rings(
        grid, lanes, [&](const std::vector<RingOrder>& rings) { return half_seconds(grid, rings, long_block, work); });
}

ring::Orders best_orders(const Grid& grid, const Problem& problem) {
    ring::Orders orders;
    if (combines(problem.collective)) orders.combining = best_rings(grid, problem.lanes, true);
    if (has_allgather(problem.collective)) orders.gathering = best_rings(grid, problem.lanes, false);
    return orders;
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    return ring::build_in_orders(problem.collective, best_orders(grid, problem), rank);
}

std::vector<Program> build_all(const Grid& grid, const Problem& problem) {
    const ring::Orders orders = best_orders(grid, problem);
    return programs_of_all_ranks(grid,
                                 [&](int rank) { return ring::build_in_orders(problem.collective, orders, rank); });
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const MachineCosts costs = grid.costs_together();
    const ring::Orders orders = best_orders(grid, problem);
    const double block = bytes / grid.ranks();
    const double copying = block / costs.copy_bandwidth;
    const bool copies_late = problem.collective == Collective::allgather;
    double seconds = problem.collective == Collective::reduce_scatter ? copying : 0;
    if (!orders.combining.empty()) {
        seconds += half_seconds(grid, orders.combining, block, block / costs.reduce_bandwidth);
    }
    if (!orders.gathering.empty()) {
        seconds += half_seconds(grid, orders.gathering, block, 0, copies_late ? copying : 0);
    }
    return seconds;
}

/// With more rings, shares of hosts are finer and links wait less, but ranks start more messages. Along three cycles
/// six use all links alike.
std::vector<int> lane_counts(const Grid& grid) {
    return {4, disjoint_cycle_count(grid) == 3 ? 6 : 8};
}

std::string refusal(const Grid& grid, const Problem& problem) {
    if (std::string why = why_no_rings(grid); !why.empty()) return why;
    return problem.lanes > 1 ? "" : "with one lane it is a single ring";
}

}  // namespace

extern constinit const Algorithm multi_ring{
    .name = "multi_ring",
    .summary = "rings that enter hosts at different ranks, or share no cable of a torus; for long vectors on few hosts",
    .collectives = with_reduce_scatter_and_allgather,
    .uses_lanes = true,
    .spreads = true,
    .lane_counts = lane_counts,
    .further_refusal = refusal,
    .in_order = in_order_if_nothing_is_combined,
    .seconds = seconds,
    .build = build,
    .build_all = build_all,
};

}  // namespace coll_topo::algorithms
