// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/alltoall/combining_stage.hpp"

#include "coll_topo/algorithm/alltoall/combining_lane.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"

#include <algorithm>
#include <cmath>

namespace coll_topo {
namespace {

/// What the messages of a stage cost.
struct StageCost {
    int messages = 0;      // of a rank
    double hops = 0;       // of the longest way
    double moved = 0;      // the part of the units that leaves a place
    double link_load = 0;  // on the busiest link of a line, in units of all that one place has
};

/// Every place of a line sends to each other one.
StageCost cost_to_each(const Axis& axis) {
    const int size = axis.size, quarter = (size / 2) * ((size + 1) / 2);
    // In a ring of two all go through the same cable, as on a line.
    const bool ring = axis.wrapped && size > 2;
    const double hops = ring ? size / 2 : size - 1;
    return {size - 1, hops, (size - 1.0) / size, (ring ? quarter / 2.0 : quarter) / size};
}

/// Every place of a line sends to the one `weight` further on all units whose way is an odd multiple of that.
StageCost cost_of_shift(const Axis& axis, int weight) {
    int moving = 0;
    for (int offset = 0; offset < axis.size; ++offset) moving += offset / weight % 2;
    const int shorter = std::min(weight, axis.size - weight), longer = axis.size - shorter;
    const double part = static_cast<double>(moving) / axis.size;
    if (axis.switched) return {1, 1, part, part};
    // Ties go half each way; in a ring of two both through the same cable.
    const bool split = axis.wrapped && shorter == longer && axis.size > 2;
    const double hops = axis.wrapped ? shorter : longer;
    return {1, hops, part, (split ? shorter / 2.0 : shorter) * part};
}

/// Seconds of all messages within a host before and after the stages, for the busiest aggregator.
double host_seconds(const Grid& grid, const Problem& problem, double bytes) {
    const int hosts = grid.extra_hosts() > 0 ? 2 : 1;
    const int served = (hosts * grid.most_ranks_per_host() + problem.aggregators - 1) / problem.aggregators;
    const int senders = hosts * grid.most_ranks_per_host() - 1;
    const MachineCosts costs = grid.costs_together();
    double seconds = within_host_seconds(costs, senders, bytes / problem.aggregators);
    seconds += within_host_seconds(costs, served - 1, bytes);
    // Each lane has messages of its own.
    seconds += (problem.lanes - 1) * (senders + served - 1) * costs.local_message();
    if (grid.extra_hosts() > 0) seconds += 2 * grid.most_ranks_per_host() * bytes / grid.axes()[0].bandwidth;
    return seconds;
}

}  // namespace

std::vector<CombiningStage> combining_stages(const Grid& grid, AlongAxis way, int lane) {
    std::vector<CombiningStage> stages;
    const int axes = static_cast<int>(grid.axes().size());
    for (int turn = 0; turn < axes; ++turn) {
        const int axis = (lane + turn) % axes, size = grid.axes()[axis].size;
        if (way == AlongAxis::to_each) {
            stages.push_back({axis, 1, size});
        } else {
            for (int weight = 1; weight < size; weight *= 2) stages.push_back({axis, weight, 2});
        }
    }
    return stages;
}

std::vector<int> combining_aggregator_counts(const Grid& grid) {
    std::vector<int> counts = {1};
    for (const int wish : {grid.natural_aggregators(), grid.fewest_ranks_per_host()}) {
        if (wish > counts.back()) counts.push_back(wish);
    }
    return counts;
}

double combining_seconds(const Grid& grid, const Problem& problem, AlongAxis way, double bytes) {
    const double of_place = bytes * grid.ranks() / grid.places();
    const double start = grid.costs_together().message_time;
    int messages = 0;
    double in_turn = 0, latency = 0, transfer = 0, busiest_axis = 0, copied = bytes;
    for (const Axis& axis : grid.axes()) {
        double of_axis = 0;
        for (int weight = 1; weight < (way == AlongAxis::to_each ? 2 : axis.size); weight *= 2) {
            const StageCost cost = way == AlongAxis::to_each ? cost_to_each(axis) : cost_of_shift(axis, weight);
            messages += cost.messages;
            latency += axis.way_latency(cost.hops);
            const double bandwidth = axis.switched ? axis.pair_bandwidth : axis.message_bandwidth();
            const double of_stage = cost.link_load * of_place / bandwidth;
            in_turn += started_in_turn_seconds(cost.messages, start, of_stage);
            of_axis += of_stage;
            copied += cost.moved * of_place / problem.aggregators;
        }
        transfer += of_axis;
        busiest_axis = std::max(busiest_axis, of_axis);
    }
    // Lanes that begin with different axes keep them all busy.
    const double at_once = std::min<double>(problem.lanes, std::max<std::size_t>(1, grid.axes().size()));
    const double network = std::max(busiest_axis, transfer / at_once);
    const double stages =
        problem.lanes == 1 ? in_turn : started_in_turn_seconds(problem.lanes * messages, start, network);
    return latency + stages + copied / grid.costs_together().copy_bandwidth + host_seconds(grid, problem, bytes);
}

Program build_combining(const Grid& grid, const Problem& problem, AlongAxis way, int rank) {
    const ServedRanks served(grid, problem.aggregators);
    std::vector<CombiningLane> lanes;
    int scratch_blocks = 0;  // of a lane; those of all slices are as many
    for (int lane = 0; lane < problem.lanes; ++lane) {
        const auto stages = combining_stages(grid, way, lane);
        lanes.emplace_back(grid, served, stages, problem, lane, rank);
        scratch_blocks = std::max(scratch_blocks, lanes.back().scratch_blocks());
    }
    ProgramBuilder builder(grid.ranks() * problem.lanes, scratch_blocks * problem.lanes);
    for (int lane = 0; lane < problem.lanes; ++lane) lanes[lane].write(builder, lane * scratch_blocks);
    return builder.finish();
}

}  // namespace coll_topo
