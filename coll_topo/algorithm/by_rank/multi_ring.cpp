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
//
// Source: rings as in Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC
// 69(2), 2009; several that enter hosts in different places as in NVIDIA's NCCL; to weigh the network against memory is
// ours. Needs: hosts with several ranks or two cycles (disjoint_cycles.hpp). Combines out of rank order.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/by_rank/ring.hpp"
#include "coll_topo/algorithm/by_rank/ring_orders.hpp"
#include "coll_topo/algorithm/collective_set.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace coll_topo::algorithms {
namespace {

/// Seconds of the steps of one half, for blocks of so many bytes and `work` seconds of a rank for each of them.
double half_seconds(const Grid& grid, const std::vector<RingOrder>& rings, double block, double work) {
    RankOrderCost cost(grid);
    const int ranks = grid.ranks();
    const double share = 1.0 / static_cast<double>(rings.size());
    double longest = 0;
    for (const RingOrder& ring : rings) {
        double ways = 0;
        for (int i = 0; i < ranks; ++i) {
            const int from = ring[i], to = ring[(i + 1) % ranks];
            cost.message(from, to, share * block);
            ways += cost.alone(from, to, share * block) + share * work;
        }
        longest = std::max(longest, ways / ranks);
    }
    const RankOrderCost::Pace busiest = cost.take();
    return (ranks - 1) * std::max({longest, busiest.transfer, busiest.work + work});
}

double seconds_of(const Grid& grid, Collective collective, const std::vector<RingOrder>& rings, double bytes) {
    const MachineCosts costs = grid.costs_together();
    const double block = bytes / grid.ranks();
    double seconds = collective == Collective::allreduce ? 0 : block / costs.copy_bandwidth;
    if (combines(collective)) seconds += half_seconds(grid, rings, block, block / costs.reduce_bandwidth);
    if (has_allgather(collective)) seconds += half_seconds(grid, rings, block, 0);
    return seconds;
}

/// The rings with which a long vector takes least time.
std::vector<RingOrder> best_rings(const Grid& grid, const Problem& problem) {
    constexpr double long_vector = 1 << 30;
    return fastest_rings(grid, problem.lanes, [&](const std::vector<RingOrder>& rings) {
        return seconds_of(grid, problem.collective, rings, long_vector);
    });
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    return ring::build_in_orders(problem.collective, best_rings(grid, problem), rank);
}

std::vector<Program> build_all(const Grid& grid, const Problem& problem) {
    const std::vector<RingOrder> rings = best_rings(grid, problem);
    std::vector<Program> programs;
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        programs.push_back(ring::build_in_orders(problem.collective, rings, rank));
    }
    return programs;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    return seconds_of(grid, problem.collective, best_rings(grid, problem), bytes);
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
    .lane_counts = rings_of_lanes,
    .further_refusal = refusal,
    .in_order = in_order_if_nothing_is_combined,
    .seconds = seconds,
    .build = build,
    .build_all = build_all,
};

}  // namespace coll_topo::algorithms
