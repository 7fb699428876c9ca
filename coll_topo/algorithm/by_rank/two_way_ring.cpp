// SPDX-License-Identifier: BSD-3-Clause
//
// Rings both ways at once: allreduce, reduce, reduce_scatter, allgather.
//
//     0 -> 1 -> 2 <- 3 <- 4      block 2 is combined        0 <- 1 <- 2 -> 3 -> 4      and goes to all
//
// A block goes to half of the ranks one way, and to the others the other way: in half as many steps, and with half as
// many messages, as along two rings of one way each that carry the same over each link. Each lane is such a ring, with
// cycles, entries and visits of hosts as in multi_ring.cpp. In a reduce the root takes the blocks from all others then,
// one after the other, those of the first rings while later ones combine. All ranks combine as much as each other;
// chains and trees in which they do need more and shorter messages.
//
// Cost for p ranks, m bytes, K rings, each half: p/2 times the longest of
//     2·o + latency + m/(K·p)·(1/bandwidth or 1/local): a block on its way, the longest way if blocks are combined, as
//     ranks then wait for both neighbours, and 2·m/(K·p·reduction),
//     what the busiest link carries of m/p, and what a rank starts, moves and combines of both ways,
//     a K-th of the last two together, if blocks are combined.
// In an allgather a rank copies its own piece while it would wait. In an allreduce with one or two ranks on each host,
// four rings or more take turns: less what the first ones gather while the last ones combine, see
// combined_and_gathered_seconds(). A reduce takes the first half, and what the links of the root take for m; where six
// rings or more take turns, less what all but the last two of them do of that while links wait for ranks.
//
// Source: on rings of processors since Y. Saad, M. H. Schultz, "Data communication in parallel architectures", Parallel
// Computing 11(2), 1989; several along cycles and past hosts as in multi_ring.cpp; reduce as R. Rabenseifner,
// "Optimization of collective reduction operations", ICCS 2004, has it for long vectors. Needs: nothing. Combines out
// of rank order.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/by_rank/rings_past_hosts.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/algorithm/tree/disjoint_cycles.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace coll_topo::algorithms {
namespace {

/// A link waits while the rank behind it moves what comes from its host, unless other rings use it too: in simulations
/// on 16 to 64 hosts of 4 ranks, so many times as long as it carries data.
double link_waits(const Grid& grid, int rings) {
    const int cycles = std::max(1, disjoint_cycle_count(grid));
    return 1 + 0.4 * cycles / std::max(cycles, rings);
}

/// See rings_past_hosts::Rings.
double half_seconds(const Grid& grid, const std::vector<RingOrder>& rings, double block, double work, double once) {
    RankOrderCost cost(grid);
    const int ranks = grid.ranks();
    const double share = 1.0 / static_cast<double>(rings.size());
    double longest = 0, mean = 0;
    bool within_hosts = false;
    for (const RingOrder& ring : rings) {
        double ways = 0;
        for (int i = 0; i < ranks; ++i) {
            const int rank = ring[i], next = ring[(i + 1) % ranks];
            cost.message(rank, next, share * block);
            cost.message(next, rank, share * block);
            within_hosts = within_hosts || grid.host(rank) == grid.host(next);
            const double way = cost.alone(rank, next, share * block);
            longest = std::max(longest, way);
            ways += way;
        }
        mean = std::max(mean, ways / ranks);
    }
    const RankOrderCost::Pace busiest = cost.take();
    const double waits = within_hosts ? link_waits(grid, static_cast<int>(rings.size())) : 1;
    const double steps = (ranks - 1) / 2.;
    const double start = cost.machine().message_time, working = busiest.work + 2 * work;
    // A rank that combines waits for both neighbours in each step; of others some steps are under way.
    const double way =
        work > 0 ? std::max(longest + start + 2 * share * work, share * (busiest.transfer + working)) : mean + start;
    return std::max(std::ceil(steps) * std::max(way, waits * busiest.transfer), steps * working + once);
}

constexpr rings_past_hosts::Rings rings{RingWays::both, half_seconds};
using Row = rings_past_hosts::Row<rings>;

/// With more rings, shares of hosts are finer and links wait less, but ranks start more messages. Of a reduce, less is
/// left for the root to gather when all is combined. Three cycles are used alike by three or six.
std::vector<int> lane_counts(const Grid& grid, Collective collective) {
    if (disjoint_cycle_count(grid) == 3) return {3, 6};
    if (collective == Collective::reduce) return {2, 4, 6, 8};
    return {2, 4, 6};
}

std::string refusal(const Grid& grid, const Problem&) {
    return why_no_rings(grid, RingWays::both);
}

}  // namespace

extern constinit const Algorithm two_way_ring{
    .name = "two_way_ring",
    .summary =
        "rings on which blocks go both ways, past half of the ranks each; for vectors of middle size and long ones",
    .collectives = with_reduce_scatter_and_allgather | only(Collective::reduce),
    .uses_lanes = true,
    .spreads = true,
    .receivers_at_once = ReceiversAtOnce::several,
    .lane_counts = lane_counts,
    .further_refusal = refusal,
    .in_order = in_order_if_nothing_is_combined,
    .seconds = Row::seconds,
    .build = Row::build,
    .build_all = Row::build_all,
};

}  // namespace coll_topo::algorithms
