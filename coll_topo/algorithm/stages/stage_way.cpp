// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/stages/stage_way.hpp"

#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/fabric/torus_load.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

/// Hops to the farthest member of a group.
int farthest_hops(const Stage& stage, const Axis& axis) {
    if (axis.switched) return 1;
    if (!stage.direct) return stage.stride;
    if (stage.nearest) return stage.stride * (stage.radix / 2);
    if (!axis.wrapped) return stage.stride * (stage.radix - 1);
    int farthest = 0;
    for (int member = 1; member < stage.radix; ++member) {
        const int forward = stage.stride * member;
        farthest = std::max(farthest, std::min(forward, axis.size - forward));
    }
    return farthest;
}

/// The step at which to sample `count` messages so that no more than `most` are taken. Not divisible by 2 or 3, so that
/// a sample has places with all digits.
int sample_every(std::int64_t count, std::int64_t most) {
    int every = static_cast<int>((count + most - 1) / most);
    while (every > 1 && (every % 2 == 0 || every % 3 == 0)) ++every;
    return every;
}

/// Not all messages of a stage are under way at the same time, so one need not meet all those of the busiest cable: in
/// simulations, stages took about as long as the messages do on average, each on the busiest cable of its own way.
StageWay counted_way(const Grid& grid, const StageOrder& stage_order, const Stage& stage) {
    constexpr int most_counted = 4096, most_looked_at = 512;  // messages: a decision must not take long
    const std::int64_t messages = std::int64_t{grid.places()} * (stage.direct ? stage.radix - 1 : 1);
    const auto for_messages = [&](int every, auto&& visit) {
        for (int place = 0; place < grid.places(); place += every) {
            const int own = stage_order.member(place, stage);
            for (int ahead = 1; ahead <= (stage.direct ? stage.radix - 1 : 1); ++ahead) {
                const int other = stage_order.place_of_member(place, stage, (own + ahead) % stage.radix);
                visit(place, other);
            }
        }
    };
    TorusLoad load(grid.cells()->routes());
    const auto& dimensions = load.torus().dimensions();
    const int counted_every = sample_every(messages, most_counted);
    for_messages(counted_every,
                 [&](int from, int to) { load.for_legs(from, to, [&](const TorusLeg& leg) { load.add(leg, 1); }); });
    load.sum_up();
    StageWay way{0, 0};
    int looked_at = 0;
    for_messages(sample_every(messages, most_looked_at), [&](int from, int to) {
        double latency = 0, per_byte = 0;
        load.for_legs(from, to, [&](const TorusLeg& leg) {
            latency += leg.hops * dimensions[leg.dimension].latency;
            per_byte = std::max(per_byte, load.busiest(leg) / dimensions[leg.dimension].bandwidth);
        });
        way.latency = std::max(way.latency, latency);
        way.per_byte += per_byte;
        ++looked_at;
    });
    way.latency += grid.cells()->start_latency();
    way.per_byte *= static_cast<double>(counted_every) / looked_at;
    return way;
}

}  // namespace

StageWay stage_way(const Grid& grid, const StageOrder& stage_order, const Stage& stage) {
    if (!grid.keeps_to_axes()) return counted_way(grid, stage_order, stage);
    const Axis& axis = grid.axes()[stage.axis];
    return {axis.way_latency(farthest_hops(stage, axis)), link_load(stage, axis) / stage_bandwidth(stage, axis)};
}

StageWay fan_way(const Grid& grid, const StageOrder& stage_order, const Stage& stage) {
    Stage fan = stage;
    fan.direct = true;  // where all would pass data round a ring, too
    StageWay way = stage_way(grid, stage_order, fan);
    if (grid.switched()) return way;
    const Axis& axis = grid.axes()[stage.axis];
    const bool both_ways = axis.wrapped && stage.stride * stage.radix == axis.size;
    const int most_one_way = both_ways ? stage.radix / 2 : stage.radix - 1;
    way.per_byte = most_one_way / stage_bandwidth(stage, axis);
    return way;
}

}  // namespace coll_topo
