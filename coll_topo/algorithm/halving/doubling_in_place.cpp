// SPDX-License-Identifier: BSD-3-Clause
//
// Allgather that receives every piece where it belongs: doubling along the axes, the first axis first. And
// reduce-scatter that reads every piece where it is: the same backwards.
//
//     4x2 hosts:  0 1 2 3      x, stride 1      x, stride 2        y
//                 4 5 6 7      0-1  2-3  …      01-23  45-67       0123-4567
//
// halving_doubling sends the most data to the nearest hosts and over all ports, but has pieces that go together lie
// apart in the caller's buffer, and copies them all. Here what a host sends is always of consecutive ranks, if ranks
// are numbered along the grid: nothing is copied but the own piece. For pieces so short, or networks so fast, that
// copying would take longer than the longer ways do.
//
// The ranks of a host hand their pieces to its first one, which hands them all pieces back; or the other way round.
//
// Cost for m bytes, stage s exchanging with r_s members at link load l_s, pieces m_s = m·r_1·…·r_(s-1)/p:
//     sum_s [ (r_s - 1)·o + hops·latency + l_s·m_s/bandwidth ] and reduction, and what the ranks of a host do among
//     themselves.
//
// Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 19(1),
// 2005, along the axes of a grid. Needs: a full grid, ranks numbered along it. Combines out of rank order.

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
    if (grid.extra_hosts() == 0 && halving_doubling::pieces_in_rank_order(grid, problem, stage_order)) return {};
    return "ranks are not numbered along the grid";
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    return halving_doubling::write_lanes(grid, problem, rank, stage_order);
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const MachineCosts costs = grid.costs_together();
    const StageOrder stages = StageOrder::of_places(grid);
    const double piece = bytes / grid.ranks();
    const double reduction = combines(problem.collective) ? 1 / costs.reduce_bandwidth : 0;
    double total = piece / costs.copy_bandwidth, moved = bytes;
    for (const Stage& stage : stages.stages()) {
        moved /= stage.radix;
        const StageWay way = stage_way(grid, stages, stage);
        total += exchange_seconds(costs, stage, way, moved, 1) + (stage.radix - 1) * moved * reduction -
                 overlap_seconds(grid, stage, way, moved, reduction > 0);
    }
    const int others = grid.most_ranks_per_host() - 1;
    if (others == 0) return total;
    // All of a vector goes to one rank, or comes from it, which the others receive at once.
    const double gathered = combines(problem.collective) ? others * bytes : bytes;
    return total + within_host_seconds(costs, others, piece) + others * costs.local_message() +
           gathered / costs.local_bandwidth + others * bytes * reduction;
}

}  // namespace

extern constinit const Algorithm doubling_in_place{
    .name = "doubling_in_place",
    .summary = "doubling along the axes in rank order, or backwards, nothing copied; for short and middle pieces",
    .collectives = any({Collective::reduce_scatter, Collective::reduce_scatter_block, Collective::allgather}),
    .receivers_at_once = ReceiversAtOnce::several_through_switches,
    .further_refusal = refusal,
    .in_order = in_order_if_nothing_is_combined,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
