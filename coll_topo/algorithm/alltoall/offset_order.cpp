// SPDX-License-Identifier: BSD-3-Clause
//
// The order of offsets for alltoall on a torus or mesh of any dimension.
//
// Messages in flight together share links fairly, so that a group takes the load of its busiest link, and all groups
// take the sum. No order can do better than the busiest link of the whole exchange, the bound under the routing of the
// fabric. Groups get there if the same link is busiest in each of them:
//
//     mesh of two equally fast dimensions     the printed order (mesh_order.cpp)               the bound, 2 in flight
//     any other mesh or torus                 mirror pairs (offset_units.cpp), joined such     2 in flight for each
//                                             that the slowest dimension stays it              dimension (mesh: 1)
//                                             (offset_balance.cpp)
//
// With ties by parity, the sum of loads equals the bound for tori of two dimensions with odd sizes, and comes within 2
// per cent of it for all others from 3x3 to 12x12, and from 3x3x3 to 6x6x6 but for 3x6x6 and 5x6x6 (3.5 and 2.8 per
// cent). Large tori come closer. It is farthest off where a slow ring of two stands behind a dimension of odd size.

#include "coll_topo/algorithm/alltoall/offset_order.hpp"

#include "coll_topo/algorithm/alltoall/mesh_order.hpp"
#include "coll_topo/algorithm/alltoall/offset_balance.hpp"
#include "coll_topo/algorithm/alltoall/offset_space.hpp"
#include "coll_topo/algorithm/alltoall/offset_units.hpp"

#include <algorithm>
#include <utility>

namespace coll_topo {
namespace {

std::vector<int> long_dimensions(const OffsetSpace& space) {
    std::vector<int> dimensions;
    for (int d = 0; d < space.dimensions(); ++d) {
        if (space.size(d) > 1) dimensions.push_back(d);
    }
    return dimensions;
}

/// How many messages keep all links busy: one for each direction of each ring. Both directions of a row are busy with
/// one, but between rings it takes two to balance those.
int messages_in_flight(const OffsetSpace& space) {
    const auto dimensions = static_cast<int>(long_dimensions(space).size());
    return std::max(1, space.any_wrapped() ? 2 * dimensions : dimensions);
}

/// Time of the groups one after the other.
double time_of(const std::vector<OffsetGroup>& groups) {
    double time = 0;
    for (const OffsetGroup& group : groups) time += *std::ranges::max_element(group.load);
    return time;
}

/// Balanced groups. Where these take much longer than the bound, more offsets may be in flight, within reason: where
/// ties go one way, half-way offsets need more room on other dimensions, and small shapes leave little choice of what
/// goes together.
std::vector<OffsetGroup> balanced_groups(const OffsetSpace& space) {
    constexpr double close = 1.02;
    const int least = messages_in_flight(space);
    const std::vector<OffsetGroup> units = offset_units(space, least);
    std::vector<OffsetGroup> best;
    double best_time = 0;
    int most = least;
    for (const OffsetGroup& unit : units) most = std::max(most, static_cast<int>(unit.offsets.size()));
    for (const int limit = most + 2 * least; most <= limit; most += 2) {
        std::vector<OffsetGroup> groups = balance(units, space, most);
        const double time = time_of(groups);
        if (best.empty() || time < best_time) {
            best = std::move(groups);
            best_time = time;
        }
        if (best_time <= close * space.bound()) break;
    }
    return best;
}

}  // namespace

OffsetOrder::OffsetOrder(const Torus& torus) {
    const OffsetSpace space(torus);
    offsets_.reserve(space.cells());
    const std::vector<int> dimensions = long_dimensions(space);
    if (dimensions.size() == 2 && !space.any_wrapped() &&
        space.slowness(dimensions[0]) == space.slowness(dimensions[1])) {
        for (const auto& group : mesh_order(space.size(dimensions[0]), space.size(dimensions[1]))) {
            std::vector<std::int32_t> offsets;
            for (const auto [x, y] : group) {
                offsets.push_back(space.with_component(space.with_component(0, dimensions[0], x), dimensions[1], y));
            }
            add(offsets);
        }
        return;
    }
    for (const OffsetGroup& group : balanced_groups(space)) add(group.offsets);
}

void OffsetOrder::add(std::span<const std::int32_t> group) {
    offsets_.insert(offsets_.end(), group.begin(), group.end());
    ends_.push_back(static_cast<std::int32_t>(offsets_.size()));
    window_ = std::max(window_, static_cast<int>(group.size()));
}

}  // namespace coll_topo
