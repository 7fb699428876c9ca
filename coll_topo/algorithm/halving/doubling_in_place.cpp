// SPDX-License-Identifier: BSD-3-Clause
//
// Allgather that receives every piece where it belongs: doubling along the axes, the first axis first.
//
//     4x2 hosts:  0 1 2 3      x, stride 1      x, stride 2        y
//                 4 5 6 7      0-1  2-3  …      01-23  45-67       0123-4567
//
// halving_doubling sends the most data to the nearest hosts and over all ports, but has pieces that go together lie
// apart in the caller's buffer, and copies them all. Here what a host holds is always of consecutive ranks, if ranks
// are numbered along the grid: nothing is copied but the own piece. For pieces so short, or networks so fast, that
// copying would take longer than the longer ways do.
//
// The ranks of a host hand their pieces to its first one, which hands them all pieces back.
//
// Cost for m bytes, stage s exchanging with r_s members at link load l_s, pieces m_s = m·r_1·…·r_(s-1)/p:
//     sum_s [ (r_s - 1)·o + hops·latency + l_s·m_s/bandwidth ], and what the ranks of a host do among themselves.
//
// Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 19(1),
// 2005, along the axes of a grid. Needs: a full grid, ranks numbered along it.

#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/halving/halving_doubling_lane.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"

#include <string>

namespace coll_topo::algorithms {
namespace {

StageOrder stage_order(const Grid& grid, int) {
    return StageOrder::of_places(grid);
}

std::string refusal(const Grid& grid, const Problem& problem) {
    if (grid.extra_hosts() == 0 && halving_doubling::gathers_in_rank_order(grid, problem, stage_order)) return {};
    return "ranks are not numbered along the grid";
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    return halving_doubling::write_lanes(grid, problem, rank, stage_order);
}

double seconds(const Grid& grid, const Problem&, double bytes) {
    const MachineCosts costs = grid.costs_together();
    const StageOrder stages = StageOrder::of_places(grid);
    double total = bytes / grid.ranks() / costs.copy_bandwidth;
    double held = bytes;
    for (const Stage& stage : stages.stages()) {
        held /= stage.radix;
        total += exchange_seconds(costs, stage, stage_way(grid, stages, stage), held, 1);
    }
    const int others = grid.most_ranks_per_host() - 1;
    if (others == 0) return total;
    return total + within_host_seconds(costs, others, bytes / grid.ranks()) + others * costs.message_time +
           bytes / costs.local_bandwidth;
}

bool in_order(const Grid&, const Problem&) {
    return true;
}

}  // namespace

extern constinit const Algorithm doubling_in_place{
    .name = "doubling_in_place",
    .summary = "doubling along the axes in rank order, nothing copied; for short and middle pieces",
    .collectives = only(Collective::allgather),
    .further_refusal = refusal,
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
