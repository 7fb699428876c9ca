// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/stages/rooted_stages.hpp"

#include "coll_topo/algorithm/stages/cost.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace coll_topo {
namespace {

double fan_seconds(const Grid& grid, const Fan& fan, int lanes) {
    if (grid.switched()) {
        return switched_stage_seconds(lanes, {fan.latency, fan.transfer, fan.messages, fan.start, /*combining=*/0});
    }
    return LaneWave{fan.messages * fan.start, fan.latency + fan.transfer}.seconds(lanes);
}

/// Through switches all axes share the port of a host.
double seconds_of_links(const Grid& grid, const std::vector<double>& on_axis) {
    if (on_axis.empty()) return 0;
    return grid.switched() ? std::reduce(on_axis.begin(), on_axis.end()) : std::ranges::max(on_axis);
}

}  // namespace

Fans fans_of(const Grid& grid, const StageOrder& stage_order, bool scatters, double bytes) {
    const auto& stages = stage_order.stages();
    const auto radix = [&](int stage) { return stages[stage].radix; };
    const double start = grid.costs_together().message_time;
    Fans fans{{}, std::vector<double>(grid.axes().size(), 0)};
    double share = bytes / grid.places();
    for (int end = static_cast<int>(stages.size()); end > 0;) {
        const int begin = scatters ? end - 1 : first_gathered_with(end - 1, radix);
        Fan fan{scatters ? radix(begin) - 1 : 1, start, 0, 0};
        for (int stage = end - 1; stage >= begin; --stage) {
            const StageWay way = fan_way(grid, stage_order, stages[stage]);
            const double transfer = share * way.per_byte;
            fan.latency = grid.switched() ? std::max(fan.latency, way.latency) : fan.latency + way.latency;
            fan.transfer += transfer;
            fans.on_axis[stages[stage].axis] += transfer;
            share *= radix(stage);
        }
        fans.in_turn.push_back(fan);
        end = begin;
    }
    return fans;
}

double seconds_at_root(const Grid& grid, int lanes, StageOrder (*stage_order)(const Grid&, int lane), bool scatters,
                       double bytes) {
    std::vector<double> on_axis(grid.axes().size(), 0);
    double slowest_lane = 0;
    for (int lane = 0; lane < lanes; ++lane) {
        const Fans fans = fans_of(grid, stage_order(grid, lane), scatters, bytes / lanes);
        double seconds = 0;
        for (const Fan& fan : fans.in_turn) seconds += fan_seconds(grid, fan, lanes);
        slowest_lane = std::max(slowest_lane, seconds);
        std::ranges::transform(on_axis, fans.on_axis, on_axis.begin(), std::plus<>());
    }
    return std::max(slowest_lane, seconds_of_links(grid, on_axis));
}

}  // namespace coll_topo
