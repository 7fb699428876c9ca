// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/stages/rooted_stages.hpp"

#include "coll_topo/algorithm/stages/stage_way.hpp"

#include <algorithm>

namespace coll_topo {

std::vector<Fan> fans(const Grid& grid, const StageOrder& stage_order, bool scatters, double bytes) {
    const auto& stages = stage_order.stages();
    const auto radix = [&](int stage) { return stages[stage].radix; };
    const double start = grid.costs_together().message_time;
    std::vector<Fan> found;
    double share = bytes / grid.places();
    for (int end = static_cast<int>(stages.size()); end > 0;) {
        const int begin = scatters ? end - 1 : first_gathered_with(end - 1, radix);
        Fan fan{scatters ? (radix(begin) - 1) * start : start, 0, 0};
        for (int stage = end - 1; stage >= begin; --stage) {
            const StageWay way = fan_way(grid, stage_order, stages[stage]);
            fan.latency = grid.switched() ? std::max(fan.latency, way.latency) : fan.latency + way.latency;
            fan.transfer += share * way.per_byte;
            share *= radix(stage);
        }
        found.push_back(fan);
        end = begin;
    }
    return found;
}

}  // namespace coll_topo
