// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/cost/message_ways.hpp"

#include "coll_topo/algorithm/cost/torus_of_axes.hpp"

#include <algorithm>
#include <utility>

namespace coll_topo {

namespace {

/// Whether messages leave the line. All links of the torus are kept, whoever uses them, which must not be too many.
bool go_through_torus(const Grid& grid) {
    constexpr std::int64_t most_cells_per_host = 32, most_cells = 1 << 15;
    if (!grid.winds()) return false;
    return grid.cells()->part().cells() <= std::min(most_cells, most_cells_per_host * grid.hosts());
}

}  // namespace

MessageWays::MessageWays(const Grid& grid) : grid_(grid), winds_(go_through_torus(grid)) {
    if (grid.switched()) {
        switch_ways_.emplace(grid);
        return;
    }
    torus_.emplace(winds_ ? grid.cells()->part() : torus_of_axes(grid));
    int stride = 1;
    for (const TorusDimension& dimension : torus_->torus().dimensions()) {
        strides_.push_back(std::exchange(stride, stride * dimension.size));
    }
}

double MessageWays::seconds_per_byte(int link) const {
    if (switch_ways_) return switch_ways_->seconds_per_byte(link);
    const auto& dimensions = torus_->torus().dimensions();
    return seconds_per_byte_at(dimensions[static_cast<std::size_t>(link) / 2 % dimensions.size()].bandwidth);
}

double MessageWays::append(int from_host, int to_host, std::vector<int>& links) {
    if (from_host == to_host) return 0;
    return switch_ways_ ? switch_ways_->append(from_host, to_host, links) : append_on_torus(from_host, to_host, links);
}

double MessageWays::append_on_torus(int from_host, int to_host, std::vector<int>& links) const {
    const auto& dimensions = torus_->torus().dimensions();
    const int count = static_cast<int>(dimensions.size());
    double latency = grid_.axes().empty() ? 0 : grid_.axes()[0].start_latency;
    torus_->for_legs(cell_of(from_host), cell_of(to_host), [&](const TorusLeg& leg) {
        const TorusDimension& dimension = dimensions[leg.dimension];
        latency += leg.hops * dimension.latency;
        const int first = leg.dimension * 2 + (leg.positive ? 0 : 1);
        for (int hop = 0, coordinate = leg.first; hop < leg.hops; ++hop) {
            const int place = static_cast<int>(leg.line) + coordinate * strides_[leg.dimension];
            links.push_back(place * count * 2 + first);
            if (++coordinate == dimension.size) coordinate = 0;
        }
    });
    return latency;
}

}  // namespace coll_topo
