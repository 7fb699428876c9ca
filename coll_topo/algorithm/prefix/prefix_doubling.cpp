// SPDX-License-Identifier: BSD-3-Clause
//
// Scans by doubling: scan and exscan in rank order.
//
//     0 -> 1 -> 2 -> 3 -> 4 …     distance 1: each rank knows itself and the one before
//     0 ------> 2 ------> 4 …     distance 2: and the two before these
//     0 ----------------> 4 …     distance 4: …
//
// In each round rank r sends what ranks r-2d+1 … r have contributed, or 0 … r, to rank r + d. A scan needs no memory
// beside its result; an exscan also keeps what it sends, which has the rank's own contribution too.
//
// Cost for m bytes, l_d messages on the busiest link at distance d:
//     sum over d = 1, 2, 4 … < p of [ o + hops·latency + l_d·m/bandwidth + m/reduction, in exscan twice ]
//
// Source: Hillis, Steele, "Data parallel algorithms", CACM 29(12), 1986. Combines in rank order: what a rank sends
// stands for consecutive ranks, that end where those of the receiver begin.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/prefix/prefix_rounds.hpp"

#include <numeric>
#include <span>
#include <vector>

namespace coll_topo::algorithms {
namespace {

constexpr Blocks vector_{Buffer::output, 0, 1}, kept_{Buffer::scratch, 0, 1}, arriving_{Buffer::scratch, 1, 1};

std::vector<std::int32_t> all_ranks(int ranks) {
    std::vector<std::int32_t> all(ranks);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    const std::vector<std::int32_t> ranks = all_ranks(grid.ranks());
    // Nothing comes before rank 0, so it has nothing to keep apart.
    if (problem.collective == Collective::scan || rank == 0) {
        ProgramBuilder builder(1, 0);
        builder.lane();
        write_prefix_rounds(builder, ranks, rank, {.through_own = vector_, .keeps_through_own = true});
        return builder.finish();
    }
    ProgramBuilder builder(1, rank == 1 ? 1 : 2);
    builder.lane();
    if (rank + 1 < grid.ranks()) builder.copy(vector_, kept_.buffer, kept_.first);
    builder.next_step();
    write_prefix_rounds(builder, ranks, rank, {.through_own = kept_, .before = vector_, .arriving = arriving_});
    return builder.finish();
}

bool in_order(const Grid&, const Problem&) {
    return true;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const std::vector<std::int32_t> ranks = all_ranks(grid.ranks());
    const std::span<const std::int32_t> list = ranks;
    const MachineCosts costs = grid.costs_together();
    const bool keeps_both = problem.collective == Collective::exscan;
    RankOrderCost cost(grid);
    const double rounds =
        prefix_rounds_seconds(cost, {&list, 1}, bytes, (keeps_both ? 2 : 1) * bytes / costs.reduce_bandwidth);
    return rounds + (keeps_both ? bytes / costs.copy_bandwidth : 0);
}

}  // namespace

extern constinit const Algorithm prefix_doubling{
    .name = "prefix_doubling",
    .summary = "each rank sends what it knows to the rank at distance 1, then 2, 4, ...; for short vectors",
    .collectives = any({Collective::scan, Collective::exscan}),
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
