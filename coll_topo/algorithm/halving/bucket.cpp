// SPDX-License-Identifier: BSD-3-Clause
//
// Bucket: reduce-scatter and allgather round the rings of one dimension after the other; both together as allreduce;
// reduce, which gathers at the root instead, as halving_doubling does.
//
//     ring                      line: every other place up, the rest back         2x2: who starts with which dimension
//     >o->o->o->o->o->          o-->--o-->--o                                     lane 0: x y | y x    lane 1: y x | x
//     y
//     |______<_____|            o--<--o--<--o   places 0 2 4, 5 3 1               lanes 2 and 3: the other way round
//
// Lane k starts with dimension k mod D and takes the others in turn; the second D lanes go round the other way. So
// every link carries one message in each step, to a neighbour, and on a torus of equal dimensions all links are busy
// all the time. A dimension that is not a ring is traversed as one whose neighbours are at most two apart: its links
// then carry one message each way in D lanes. That is what the ports of a corner let through.
// The ranks of a host, and extra hosts, take part as in halving_doubling.
//
// Cost for m bytes in K lanes, dimension s of n_s places at distance h_s, piece m_s = m / (K·n_1 … n_s), each half:
//     sum_s (n_s - 1) · max(K·w_s, w_s + h_s·latency + m_s/bandwidth), where w_s = o, or o + m_s/reduction if it
//     combines:
// a lane combines while the messages of others travel. In an allreduce of more lanes than that, the first ones gather
// while the others combine, if combining takes longer than the links; in a reduce they gather meanwhile.
//
// Source: Jain, Sabharwal, "Optimal bucket algorithms for large MPI collectives on torus interconnects", ICS 2010;
// Sack, Gropp, "Collective algorithms for multiported torus networks", ACM TOPC 1(2), 2015. Needs: a torus or mesh.
// Combines out of rank order.

#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/halving/halving_doubling_lane.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"

#include <algorithm>
#include <vector>

namespace coll_topo::halving_doubling {
namespace {

/// Whether lanes in either direction have links of their own.
bool has_two_ways(const Axis& axis) {
    return axis.wrapped && axis.size > 2;
}

}  // namespace

HalfSeconds half_of_bucket(const Grid& grid, const Problem& problem, double bytes, bool combines) {
    const MachineCosts& costs = grid.costs_together();
    const auto& axes = grid.axes();
    const double part = bytes / problem.aggregators;
    HalfSeconds slowest_lane;
    std::vector<double> busy(2 * axes.size(), 0);  // the links of an axis, one way and the other
    for (int lane = 0; lane < problem.lanes; ++lane) {
        const StageOrder stage_order = StageOrder::of_rings(grid, lane);
        double waves_of_lane = 0, lag = 0, piece = part / problem.lanes;
        for (const Stage& stage : stage_order.stages()) {
            const Axis& axis = axes[stage.axis];
            piece /= stage.radix;
            const int waves = stage.radix - 1;
            const double transfer = piece * problem.aggregators / stage_bandwidth(stage, axis);
            const double latency = axis.way_latency(axis.wrapped || axis.size == 2 ? 1 : 2);
            const double combining = combines ? piece / costs.reduce_bandwidth : 0;
            const LaneWave wave{costs.message_time + combining, latency + transfer};
            waves_of_lane += waves * wave.seconds(problem.lanes);
            lag = std::max(lag, wave.lag(problem.lanes));
            const int way = has_two_ways(axis) && lane / axes.size() % 2 == 1 ? 1 : 0;
            busy[2 * stage.axis + way] += waves * transfer;
        }
        if (waves_of_lane + lag > slowest_lane.all) slowest_lane = {waves_of_lane + lag, lag};
    }
    const double links = busy.empty() ? 0 : *std::ranges::max_element(busy);
    HalfSeconds half = links > slowest_lane.all ? HalfSeconds{links} : slowest_lane;
    int ways = 0;
    for (const Axis& axis : axes) ways += has_two_ways(axis) ? 2 : 1;
    // Lanes with links of their own end together.
    if (problem.lanes > ways) half.idle = half.all - links;
    if (grid.extra_hosts() > 0) half.all += fold_seconds(grid, problem, bytes, combines);
    return half;
}

}  // namespace coll_topo::halving_doubling

namespace coll_topo::algorithms {
namespace {

/// One lane for each axis; two where lanes in either direction have links of their own. With one rank on each host up
/// to four, the first of which gather while the others combine.
std::vector<int> lane_counts(const Grid& grid, Collective) {
    const int axes = static_cast<int>(grid.axes().size());
    // Ranks that also move what is for others of their host have no time to spare.
    if (grid.most_ranks_per_host() == 1) return {axes, 2 * axes, 4 * axes};
    if (std::ranges::any_of(grid.axes(), halving_doubling::has_two_ways)) return {axes, 2 * axes};
    return {axes};
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    Program program = halving_doubling::write_lanes(grid, problem, rank, StageOrder::of_rings);
    program.first_lanes_first = problem.collective == Collective::allreduce || problem.collective == Collective::reduce;
    return program;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    return halving_doubling::seconds_of_halves(grid, problem, bytes, StageOrder::of_rings,
                                               halving_doubling::half_of_bucket);
}

}  // namespace

extern constinit const Algorithm bucket{
    .name = "bucket",
    .summary = "tori and meshes: rings along all dimensions at once, in lanes; for large messages on meshes",
    .collectives = with_reduce_scatter_and_allgather | only(Collective::reduce),
    .network = Network::torus,
    .uses_lanes = true,
    .uses_aggregators = true,
    .lane_counts = lane_counts,
    .in_order = in_order_if_nothing_is_combined,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
