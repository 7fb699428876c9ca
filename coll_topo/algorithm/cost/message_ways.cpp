// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/cost/message_ways.hpp"

#include <algorithm>

namespace coll_topo {

MessageWays::MessageWays(const Grid& grid) : grid_(grid) {
    if (grid.switched()) {
        switch_ways_.emplace(grid);
    } else {
        routes_.emplace(grid.cells()->routes());
    }
}

double MessageWays::seconds_per_byte(int link) const {
    if (switch_ways_) return switch_ways_->seconds_per_byte(link);
    return seconds_per_byte_at(routes_->torus().dimensions()[routes_->dimension(link / 2)].bandwidth);
}

double MessageWays::fastest_link() const {
    double fastest = 0;
    if (routes_) {
        for (const TorusDimension& dimension : routes_->torus().dimensions())
            fastest = std::max(fastest, dimension.bandwidth);
        return fastest;
    }
    for (int link = 0; link < switch_ways_->links(); ++link) {
        const double seconds = switch_ways_->seconds_per_byte(link);
        if (seconds > 0) fastest = std::max(fastest, 1 / seconds);
    }
    return fastest;
}

double MessageWays::append(int from_host, int to_host, std::vector<int>& links) {
    if (from_host == to_host) return 0;
    return switch_ways_ ? switch_ways_->append(from_host, to_host, links) : append_on_torus(from_host, to_host, links);
}

double MessageWays::append_on_torus(int from_host, int to_host, std::vector<int>& links) {
    const auto& dimensions = routes_->torus().dimensions();
    double latency = grid_.cells()->start_latency();
    routes_->for_legs(from_host, to_host, [&](const TorusLeg& leg) {
        const TorusDimension& dimension = dimensions[leg.dimension];
        latency += leg.hops * dimension.latency;
        for (int hop = 0, coordinate = leg.first; hop < leg.hops; ++hop) {
            links.push_back(2 * (leg.line + coordinate) + (leg.positive ? 0 : 1));
            if (++coordinate == dimension.size) coordinate = 0;
        }
    });
    return latency;
}

}  // namespace coll_topo
