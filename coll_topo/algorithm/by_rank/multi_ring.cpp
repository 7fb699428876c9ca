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
// Each lane is a ring, every second one that before it backwards. What goes one way does not wait for what goes the
// other way, as it does in two_way_ring, but takes twice as many steps.
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
#include "coll_topo/algorithm/by_rank/rings_past_hosts.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
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

/// See rings_past_hosts::Rings.
double half_seconds(const Grid& grid, const std::vector<RingOrder>& rings, double block, double work, double once) {
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

constexpr rings_past_hosts::Rings rings{RingWays::one, half_seconds};
using Row = rings_past_hosts::Row<rings>;

/// With more rings, shares of hosts are finer and links wait less, but ranks start more messages. Along three cycles
/// six use all links alike.
std::vector<int> lane_counts(const Grid& grid, Collective) {
    return {4, disjoint_cycle_count(grid) == 3 ? 6 : 8};
}

std::string refusal(const Grid& grid, const Problem& problem) {
    if (std::string why = why_no_rings(grid, RingWays::one); !why.empty()) return why;
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
    .seconds = Row::seconds,
    .build = Row::build,
    .build_all = Row::build_all,
};

}  // namespace coll_topo::algorithms
