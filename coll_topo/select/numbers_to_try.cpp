// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/numbers_to_try.hpp"

#include "coll_topo/schedule/latency_bound.hpp"
#include "coll_topo/select/worth_its_messages.hpp"

#include <algorithm>

namespace coll_topo {

std::vector<int> lane_choices(const Algorithm& algorithm, const Grid& grid, const Request& request,
                              const Preferences& preferences) {
    if (!algorithm.uses_lanes) return {1};
    if (preferences.lanes > 0) return {std::min(preferences.lanes, most_lanes)};
    if (request.bytes <= latency_bound_bytes) return {1};
    const int axes = static_cast<int>(grid.axes().size());
    const std::vector<int> wishes = algorithm.lane_counts != nullptr ? algorithm.lane_counts(grid, request.collective())
                                                                     : std::vector{axes, 2 * axes};
    // In simulations more lanes gain little where each has less.
    constexpr double worth_more_lanes = 4 << 20;
    const int most = std::clamp(static_cast<int>(std::min<double>(request.bytes / worth_more_lanes, most_lanes)),
                                usual_lanes, most_lanes);
    std::vector<int> choices = {1};
    for (const int lanes : wishes) {
        if (lanes > choices.back() && lanes <= most) choices.push_back(lanes);
    }
    return choices;
}

std::vector<int> aggregator_choices(const Algorithm& algorithm, const Grid& grid, double bytes,
                                    const Preferences& preferences) {
    if (!algorithm.uses_aggregators) return {1};
    if (preferences.aggregators > 0) return {std::min(preferences.aggregators, grid.fewest_ranks_per_host())};
    if (algorithm.aggregator_counts != nullptr) return algorithm.aggregator_counts(grid);
    const int natural = grid.natural_aggregators();
    const bool messages_count = bytes <= latency_bound_bytes && grid.costs().shared_message_time > 0;
    if (messages_count && natural > 1) return {1, natural};
    return {natural};
}

std::vector<int> segment_choices(const Algorithm& algorithm, int lanes, double bytes, const Preferences& preferences) {
    constexpr int most_segments = 1024;
    if (!algorithm.uses_segments) return {1};
    if (preferences.segments > 0) return {std::min(preferences.segments, most_forced_segments)};
    if (bytes <= latency_bound_bytes) return {1};
    std::vector<int> choices = {1};
    for (int segments = 2; segments <= most_segments && lanes * segments <= bytes; segments *= 2) {
        choices.push_back(segments);
    }
    return choices;
}

}  // namespace coll_topo
