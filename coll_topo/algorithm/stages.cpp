// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/stages.hpp"

#include "coll_topo/base/mixed_radix.hpp"

#include <algorithm>
#include <numeric>

namespace coll_topo {

Route::Route(const Grid& grid, int lane) : places_(grid.places()) {
    int stride = 1;
    for (const Axis& axis : grid.axes()) {
        axes_.push_back({axis.size, stride, axis.wrapped});
        stride *= axis.size;
    }
    const int axes = static_cast<int>(axes_.size());
    mirrored_ = axes > 0 && lane / axes % 2 == 1;

    std::vector<int> order(axes);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return grid.axes()[a].bandwidth > grid.axes()[b].bandwidth; });
    if (axes > 0) std::rotate(order.begin(), order.begin() + lane % axes, order.end());

    for (const int axis : order) {
        int digit_stride = 1;
        for (const int radix : prime_factors(axes_[axis].size)) {
            stages_.push_back({axis, digit_stride, radix});
            digit_stride *= radix;
        }
    }
}

int Route::coordinate(int place, int axis) const {
    const AxisView& view = axes_[axis];
    const int plain = digit(place, view.stride, view.size);
    if (!mirrored_) return plain;
    // On a ring the reflection keeps place 0, which shifts every pair of neighbours by one cable.
    return view.wrapped ? (view.size - plain) % view.size : view.size - 1 - plain;
}

int Route::member(int place, const Stage& stage) const {
    return digit(coordinate(place, stage.axis), stage.stride, stage.radix);
}

int Route::place_of_member(int place, const Stage& stage, int member) const {
    const AxisView& view = axes_[stage.axis];
    int target = with_digit(coordinate(place, stage.axis), stage.stride, stage.radix, member);
    if (mirrored_) target = view.wrapped ? (view.size - target) % view.size : view.size - 1 - target;
    return with_digit(place, view.stride, view.size, target);
}

int Route::position(int place) const {
    int position = 0;
    for (const Stage& stage : stages_) position = position * stage.radix + member(place, stage);
    return position;
}

std::vector<std::int32_t> Route::enumerate(bool first_stage_significant) const {
    // A digit adds its share to the number of a place whatever the other coordinates are: one table for each axis.
    std::vector<std::vector<std::int32_t>> shares;
    for (const AxisView& axis : axes_) shares.emplace_back(axis.size, 0);
    int weight = first_stage_significant ? places_ : 1;
    for (const Stage& stage : stages_) {
        if (first_stage_significant) weight /= stage.radix;
        const AxisView& axis = axes_[stage.axis];
        for (int c = 0; c < axis.size; ++c) shares[stage.axis][c] += member(c * axis.stride, stage) * weight;
        if (!first_stage_significant) weight *= stage.radix;
    }

    std::vector<std::int32_t> numbers = {0};
    numbers.reserve(places_);
    for (const auto& share : shares) {
        const std::size_t below = numbers.size();
        for (std::size_t c = 1; c < share.size(); ++c) {
            for (std::size_t i = 0; i < below; ++i) numbers.push_back(numbers[i] + share[c] - share[0]);
        }
        for (std::size_t i = 0; share[0] != 0 && i < numbers.size(); ++i) numbers[i] += share[0];
    }
    std::vector<std::int32_t> order(places_);
    for (int place = 0; place < places_; ++place) order[numbers[place]] = place;
    return order;
}

std::vector<std::int32_t> Route::places_by_position() const {
    return enumerate(true);
}

std::vector<std::int32_t> Route::places_by_operand() const {
    return enumerate(false);
}

int link_load(const Stage& stage, const Axis& axis) {
    if (!stage.direct()) return stage.stride;
    const bool whole_ring = axis.wrapped && stage.stride * stage.radix == axis.size;
    if (!whole_ring) return stage.stride * (stage.radix / 2) * ((stage.radix + 1) / 2);
    if (stage.radix == 2) return (stage.stride + 1) / 2;  // ties are split between both ways
    return stage.stride * (stage.radix * stage.radix - 1) / 8;
}

bool ranks_in_operand_order(const Grid& grid, const Route& route) {
    if (grid.surplus() > 0 || grid.smallest_board() != grid.largest_board()) return false;
    int expected = 0;
    for (const std::int32_t place : route.places_by_operand()) {
        for (const std::int32_t rank : grid.board(place)) {
            if (rank != expected++) return false;
        }
    }
    return true;
}

}  // namespace coll_topo
