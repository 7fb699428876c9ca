// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/cost/message_ways.hpp"

#include "coll_topo/algorithm/cost/torus_of_axes.hpp"

#include <utility>

namespace coll_topo {

MessageWays::MessageWays(const Grid& grid) : grid_(grid) {
    int stride = 1;
    for (const Axis& axis : grid.axes()) strides_.push_back(std::exchange(stride, stride * axis.size));
    if (grid.switched())
        switch_ways_.emplace(grid);
    else
        torus_.emplace(torus_of_axes(grid));
}

double MessageWays::seconds_per_byte(int link) const {
    if (switch_ways_) return switch_ways_->seconds_per_byte(link);
    const auto axis = static_cast<std::size_t>(link) / 2 % std::max<std::size_t>(1, grid_.axes().size());
    return seconds_per_byte_at(grid_.axes()[axis].message_bandwidth());
}

double MessageWays::append(int from_host, int to_host, std::vector<int>& links) {
    if (from_host == to_host) return 0;
    return switch_ways_ ? switch_ways_->append(from_host, to_host, links) : append_on_torus(from_host, to_host, links);
}

double MessageWays::append_on_torus(int from_host, int to_host, std::vector<int>& links) const {
    const auto& axes = grid_.axes();
    const int count = static_cast<int>(axes.size());
    const int here = grid_.place_of(from_host), there = grid_.place_of(to_host);
    double latency = axes.empty() ? 0 : axes[0].start_latency;
    torus_->for_legs(here, there, [&](const TorusLeg& leg) {
        const Axis& axis = axes[leg.dimension];
        latency += leg.hops * axis.latency;
        const int first = leg.dimension * 2 + (leg.positive ? 0 : 1);
        for (int hop = 0, coordinate = leg.first; hop < leg.hops; ++hop) {
            const int place = static_cast<int>(leg.line) + coordinate * strides_[leg.dimension];
            links.push_back(place * count * 2 + first);
            if (++coordinate == axis.size) coordinate = 0;
        }
    });
    return latency;
}

}  // namespace coll_topo
