// SPDX-License-Identifier: BSD-3-Clause
//
// Swing: halving and doubling between places closer to each other, with the dimensions in turn.
//
//     step 0, 1 apart      step 1, 1 apart      step 2, 3 apart       even places go ahead in even steps and back in
//     o-o o-o o-o o-o      ~o o-o o-o o-o o~    o-----o ...           odd ones, odd places the other way
//
// Halving-doubling on a ring of n places has partners 1, 2, 4, 8, ... apart; here they are 1, 1, 3, 5, 11, ... apart:
// (1 - (-2)^(s+1)) / 3 in step s, so that links carry about two thirds as much. The steps of the dimensions follow each
// other in turn, x, y, x, y, ..., so that lane k, which starts with dimension k, meets no other lane on a link; as many
// more lanes are mirrored and use the cables that the first ones leave idle. Which data a place keeps is arranged so
// that every message is one range of blocks. Dimensions of other sizes than powers of two, and those that are not
// rings, are cut into prime factors as in halving_doubling; ranks of a host and extra hosts take part as there. The
// source also covers even sizes, but 6, 10 and 12 places would take 5, 10 and 10 hops, where those factors take 3, 5
// and 7 with at most one message more; and where hops do not count, bfb and bucket load links less.
//
//     ring of 9, step 0: every place with the one ahead and the one behind      step 1: with those 3 ahead and behind
//
// On rings the odd factors come first, and Trivance's partners take the place of groups: a place exchanges over both
// ports at once with the nearest ones ahead and behind, which keep the pieces with the other values of this digit. A
// ring of 3^k takes k steps each way, and in a step of stride d a cable carries d messages each way, not 2d. Whole
// vectors, which the source sends so too, would be added up in another order at every rank, with other bits.
//
// Cost for m bytes in K lanes, step s between partners d_s apart, piece m_s = m / (K·2^s):
//     2 · sum_s [ o + d_s·latency + l_s·m_s/bandwidth ] and reduction, l_s = (d_s + 1)/2, or d_s with mirrored lanes.
//
// Source: De Sensi, Bonato, Saam, Hoefler, "Swing: Short-cutting rings for higher bandwidth allreduce", NSDI 2024;
// Juerss, Addanki, Schmid, "Trivance: Latency-optimal AllReduce by shortcutting multiport networks", arXiv 2602.17254,
// 2026; all odd factors instead of 3 are ours.
// Needs: a torus or mesh. Combines out of rank order.

#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/halving/halving_doubling_lane.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"

#include <algorithm>
#include <vector>

namespace coll_topo::algorithms {
namespace {

/// The way of the messages of a stage; with the mirrored lane, of those of both.
StageWay way_of(const Grid& grid, const StageOrder& stage_order, const Stage& stage, bool mirrored_too) {
    const Axis& axis = grid.axes()[stage.axis];
    if (stage_order.swings(stage.axis)) {
        const int apart = stage_order.spacing(stage);
        return {axis.way_latency(apart), (mirrored_too ? apart : (apart + 1) / 2) / stage_bandwidth(stage, axis)};
    }
    StageWay way = stage_way(grid, stage_order, stage);
    const bool neighbours = axis.wrapped && stage.radix == 2 && stage.stride == 1 && axis.size > 2;
    if (mirrored_too && !neighbours) way.per_byte *= 2;
    return way;
}

/// Seconds of reduce-scatter or allgather for a lane and its mirrored one. Adds to `busy` the seconds for which they
/// keep the links of each axis busy.
halving_doubling::HalfSeconds lane_seconds(const Grid& grid, const Problem& problem, int lane, double bytes,
                                           bool combines, std::vector<double>& busy) {
    const MachineCosts& costs = grid.costs_together();
    const int axes = static_cast<int>(grid.axes().size());
    // Lanes that start with other dimensions use other links; two that start with the same one are mirrored.
    const int pairs = (problem.lanes + 2 * axes - 1) / (2 * axes);
    const StageOrder stage_order = StageOrder::of_swing(grid, lane);
    double seconds = 0, lag = 0, piece = bytes / problem.aggregators / problem.lanes;
    for (const Stage& stage : stage_order.stages()) {
        piece /= stage.radix;
        const StageWay way = way_of(grid, stage_order, stage, problem.lanes > axes);
        const int waves = stage.direct ? 1 : stage.radix - 1;
        const double transfer = way.per_byte * pairs * piece * problem.aggregators;
        const double messages = (stage.radix - 1) * costs.message_time;
        const double combining = combines ? (stage.radix - 1) * piece / costs.reduce_bandwidth : 0;
        const double travel = waves * (way.latency + transfer) - overlap_seconds(grid, stage, way, piece, combines);
        const LaneWave wave{messages + combining, travel};
        seconds += wave.seconds(problem.lanes);
        lag = std::max(lag, wave.lag(problem.lanes));
        busy[stage.axis] += waves * transfer;
    }
    return {seconds + lag, lag};
}

/// Seconds of reduce-scatter, which combines, or allgather. Where dimensions differ, so do lanes.
halving_doubling::HalfSeconds half_seconds(const Grid& grid, const Problem& problem, double bytes, bool combines) {
    std::vector<double> busy(grid.axes().size(), 0);
    halving_doubling::HalfSeconds half;
    for (int lane = 0; lane < std::min(problem.lanes, static_cast<int>(grid.axes().size())); ++lane) {
        const auto own = lane_seconds(grid, problem, lane, bytes, combines, busy);
        if (own.all > half.all) half = own;
    }
    for (const double links : busy) half.all = std::max(half.all, links);
    if (grid.extra_hosts() > 0) half.all += halving_doubling::fold_seconds(grid, problem, bytes, combines);
    return half;
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    return halving_doubling::write_lanes(grid, problem, rank, StageOrder::of_swing);
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    return halving_doubling::seconds_of_halves(grid, problem, bytes, StageOrder::of_swing, half_seconds);
}

}  // namespace

extern constinit const Algorithm swing{
    .name = "swing",
    .summary = "tori: halving and doubling over short distances, dimensions in turn, in lanes; for middle sizes",
    .collectives = with_reduce_scatter_and_allgather,
    .network = Network::torus,
    .uses_lanes = true,
    .uses_aggregators = true,
    .in_order = in_order_if_nothing_is_combined,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
