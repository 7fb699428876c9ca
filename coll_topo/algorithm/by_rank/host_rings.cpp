// SPDX-License-Identifier: BSD-3-Clause
//
// Rings of hosts, several at once, that carry what is for all ranks of a host, or from all of them, and enter hosts at
// one or more of their ranks: allreduce, reduce_scatter, allgather.
//
//     a1 a2 a3      b1 b2 b3      c1 c2 c3       within a host, each rank gives the others its piece
//     a1  =>        b1  =>        c1  => a1      => over the network, the pieces of a host in one message
//     a2  =>        b2  =>        c2  => a2      the same again for another entry
//                   b1 -> b3      c2 -> c3       -> within a host, from an entry, to those that are none
//
// That gathers; a reduce_scatter does the same back in time, and an allreduce first that, then this.
//
// The rings of multi_ring and two_way_ring pass every rank: what a rank moves within its host comes between two
// messages of the network, which waits for it, and there is a message for each rank. Here an entry only passes on,
// other ranks follow, and a message has the pieces of all ranks of a host, so that there are as many times fewer.
//
// Each lane is a ring for one part of the pieces, see fastest_host_rings().
//
// Cost for H hosts of R ranks, K lanes with E entries, m bytes, each half: R-1 messages of m/p within hosts, a K-th of
// them before anything travels, and (H-1) times the longest of
//     o + latency + E·m/(H·K·bandwidth), of two entries 3/4 of that, and m/(H·K·reduction): a part on its way,
//     what the busiest link carries: E·m/(H·K) for each ring on it, and 2/K of what is combined of a part meanwhile,
//     what a rank starts, combines, and moves of the (R-E)·m/(H·K) of each ring that its host does not get from the
//     network; 1.05 times that where ranks combine for others of their host.
//
// Source: ours, from rings as in multi_ring.cpp. Needs: several ranks on a host, numbered one after the other. Combines
// out of rank order.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/by_rank/host_ring_lane.hpp"
#include "coll_topo/algorithm/by_rank/host_ring_orders.hpp"
#include "coll_topo/algorithm/by_rank/ring_orders.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/algorithm/stages/piece_scratch.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace coll_topo::algorithms {
namespace {

/// One ring for each lane; of an allreduce other ones while parts are combined than while they are gathered. What a
/// collective does not do needs none.
struct HostRings {
    std::vector<HostRing> combining;
    std::vector<HostRing> gathering;
};

HostRings best_rings(const Grid& grid, const Problem& problem) {
    HostRings rings;
    if (combines(problem.collective)) rings.combining = fastest_host_rings(grid, problem.lanes, RingWork::combining);
    if (has_allgather(problem.collective)) {
        rings.gathering = fastest_host_rings(grid, problem.lanes, RingWork::gathering);
    }
    return rings;
}

Program build_on(const Grid& grid, const HostRings& rings, const Problem& problem, int rank) {
    const bool whole = problem.collective == Collective::allreduce;
    const int lanes = problem.lanes, blocks = grid.ranks() * lanes;
    ProgramBuilder builder(blocks, whole ? 0 : blocks);
    for (int lane = 0; lane < lanes; ++lane) {
        const auto on = [&](const HostRing& ring) {
            return HostRingLane(builder, grid, ring, lane, lanes, whole ? Buffer::output : Buffer::scratch, rank);
        };
        builder.lane();
        if (combines(problem.collective)) {
            HostRingLane combining = on(rings.combining[lane]);
            if (!whole) combining.take_all();
            combining.combine();
            if (!whole) combining.give_own();
        }
        if (has_allgather(problem.collective)) {
            HostRingLane gathering = on(rings.gathering[lane]);
            if (!whole) gathering.take_own();
            gathering.gather();
            if (!whole) gathering.give_all();
        }
    }
    return builder.finish(whole ? std::vector<std::int32_t>() : pieces_in_rank_order(blocks));
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    return build_on(grid, best_rings(grid, problem), problem, rank);
}

std::vector<Program> build_all(const Grid& grid, const Problem& problem) {
    const HostRings rings = best_rings(grid, problem);
    return programs_of_all_ranks(grid, [&](int rank) { return build_on(grid, rings, problem, rank); });
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const MachineCosts costs = grid.costs_together();
    const HostRings rings = best_rings(grid, problem);
    const double piece = bytes / grid.ranks();
    const int others = grid.most_ranks_per_host() - 1;
    const double exchanging = within_host_seconds(costs, others, piece);
    double seconds = problem.collective == Collective::allreduce ? 0 : piece / costs.copy_bandwidth;
    if (!rings.combining.empty()) {
        const double combining = exchanging + others * piece / costs.reduce_bandwidth;
        seconds += ring_seconds(grid, rings.combining, piece, RingWork::combining, combining);
    }
    if (!rings.gathering.empty()) {
        seconds += ring_seconds(grid, rings.gathering, piece, RingWork::gathering, exchanging);
    }
    return seconds;
}

/// Of both directions of all cycles, once or several times.
std::vector<int> lane_counts(const Grid& grid, Collective) {
    const int directions = 2 * RingOrders(grid).cycles();
    std::vector<int> counts;
    for (int lanes = directions; lanes <= most_lanes; lanes *= 2) counts.push_back(lanes);
    return counts;
}

std::string refusal(const Grid& grid, const Problem&) {
    // With more, the steps take longer than anything else.
    constexpr int most_hosts = 1 << 13;
    if (grid.hosts() > most_hosts) return "made for at most " + std::to_string(most_hosts) + " hosts";
    if (grid.most_ranks_per_host() == 1) return "one rank on each host";
    for (int host = 0; host < grid.hosts(); ++host) {
        const auto ranks = grid.ranks_of_host(host);
        if (ranks.back() - ranks.front() >= static_cast<int>(ranks.size())) {
            return "ranks of a host are not numbered one after the other";
        }
    }
    return {};
}

}  // namespace

extern constinit const Algorithm host_rings{
    .name = "host_rings",
    .summary = "rings of hosts that carry what all ranks of a host have; for long vectors on hosts of several ranks",
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
