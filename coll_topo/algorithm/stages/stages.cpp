// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/stages/stages.hpp"

#include "coll_topo/base/mixed_radix.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <utility>

namespace coll_topo {

StageOrder::StageOrder(const Grid& grid, int lane) : StageOrder(grid, lane, Division::where_it_helps) {}

StageOrder StageOrder::of_whole_vectors(const Grid& grid) {
    StageOrder stage_order(grid, 0, Division::into_primes);
    stage_order.same_for_all_hosts_ = grid.skewed();
    return stage_order;
}

StageOrder::StageOrder(const Grid& grid, int lane, Division division) : grid_(&grid), same_for_all_hosts_(false) {
    int stride = 1;
    for (const Axis& axis : grid.axes()) {
        axes_.push_back({axis.size, stride, axis.wrapped, division == Division::into_rings && !axis.wrapped});
        stride *= axis.size;
    }
    const int axes = static_cast<int>(axes_.size());
    mirrored_ = !grid.switched() && axes > 0 && lane / axes % 2 == 1;

    std::vector<int> order(axes);
    std::iota(order.begin(), order.end(), 0);
    if (!grid.switched() && axes > 0) {
        std::stable_sort(order.begin(), order.end(),
                         [&](int a, int b) { return grid.axes()[a].bandwidth > grid.axes()[b].bandwidth; });
        std::rotate(order.begin(), order.begin() + lane % axes, order.end());
    }

    for (const int index : order) {
        const Axis& axis = grid.axes()[index];
        const bool ring = division == Division::into_rings;
        const bool whole = ring || (division == Division::where_it_helps && axis.undivided());
        const bool near = division == Division::odd_primes_first && axis.wrapped;
        std::vector<int> factors = whole ? std::vector<int>{axis.size} : prime_factors(axis.size);
        if (near) std::ranges::stable_partition(factors, [](int radix) { return radix % 2 == 1; });
        int digit_stride = 1;
        for (const int radix : factors) {
            const bool direct = !ring && (axis.switched || radix <= Stage::largest_direct_radix);
            stages_.push_back({index, digit_stride, radix, direct, near && direct && radix % 2 == 1});
            digit_stride *= radix;
        }
    }
}

StageOrder StageOrder::of_swing(const Grid& grid, int lane) {
    return of_swing(grid, lane, Division::odd_primes_first);
}

StageOrder StageOrder::of_swing(const Grid& grid, int lane, Division division) {
    StageOrder stage_order(grid, lane, division);
    stage_order.labels_.resize(grid.axes().size());
    for (int axis = 0; axis < static_cast<int>(grid.axes().size()); ++axis) {
        const Axis& ring = grid.axes()[axis];
        // Up to four places the distances are the same as those of digits.
        if (ring.wrapped && ring.size > 4 && std::has_single_bit(static_cast<unsigned>(ring.size))) {
            stage_order.swing_on(axis);
        }
    }
    stage_order.take_axes_in_turn();
    return stage_order;
}

StageOrder StageOrder::of_swing_whole_vectors(const Grid& grid) {
    StageOrder stage_order = of_swing(grid, 0, Division::into_primes);
    std::ranges::reverse(stage_order.stages_);
    return stage_order;
}

StageOrder StageOrder::of_rings(const Grid& grid, int lane) {
    return StageOrder(grid, lane, Division::into_rings);
}

StageOrder StageOrder::of_places(const Grid& grid) {
    StageOrder stage_order(grid, 0, Division::into_primes);
    std::ranges::sort(stage_order.stages_, std::ranges::greater(),
                      [](const Stage& stage) { return std::pair(stage.axis, stage.stride); });
    return stage_order;
}

namespace {

/// In an even step ahead of even places, in an odd one behind them.
int swing_distance(int step) {
    int distance = 1;
    for (int s = 0; s < step; ++s) distance = 1 - 2 * distance;
    return distance;
}

/// The partner of a place on a ring of 2^k places in a step of Swing.
int swing_partner(int place, int step, int size) {
    const int distance = swing_distance(step);
    return (place + (place % 2 == 0 ? distance : size - distance % size) + size) % size;
}

}  // namespace

int StageOrder::spacing(const Stage& stage) const {
    if (!swings(stage.axis)) return stage.stride;
    return std::abs(swing_distance(std::countr_zero(static_cast<unsigned>(stage.stride))));
}

/// The places that a place reaches by the steps from s on are those that share its first s digits; so digit s tells
/// which of them it reaches after step s.
void StageOrder::swing_on(int axis) {
    const int size = axes_[axis].size;
    std::vector<std::int32_t>& labels = labels_[axis];
    labels.assign(size, 0);
    // The lowest place of those that each reaches by later steps stands for all of them.
    std::vector<int> lowest(size);
    std::iota(lowest.begin(), lowest.end(), 0);
    for (int step = std::countr_zero(static_cast<unsigned>(size)) - 1; step >= 0; --step) {
        const std::vector<int> later = lowest;
        for (int place = 0; place < size; ++place) {
            const int other = later[swing_partner(place, step, size)];
            if (other < later[place]) labels[place] |= 1 << step;
            lowest[place] = std::min(later[place], other);
        }
    }
}

void StageOrder::take_axes_in_turn() {
    // The constructor has put the stages of each axis together, in the order of the axes.
    std::vector<int> turn(stages_.size(), 0);
    for (std::size_t i = 1; i < stages_.size(); ++i)
        turn[i] = stages_[i].axis == stages_[i - 1].axis ? turn[i - 1] + 1 : 0;
    std::vector<std::size_t> order(stages_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return turn[i]; });
    std::vector<Stage> stages;
    for (const std::size_t i : order) stages.push_back(stages_[i]);
    stages_ = std::move(stages);
}

int StageOrder::coordinate(int place, int axis) const {
    const AxisView& view = axes_[axis];
    if (same_for_all_hosts_ && axis > 0) place = grid_->along(place, 0, 0);
    const int seen = view.mirror(digit(place, view.stride, view.size), mirrored_);
    if (!view.folded) return seen;
    return seen % 2 == 0 ? seen / 2 : view.size - 1 - seen / 2;
}

int StageOrder::AxisView::mirror(int coordinate, bool mirrored) const {
    if (!mirrored) return coordinate;
    // On a ring the reflection keeps place 0, which shifts every pair of neighbours by one cable.
    return wrapped ? (size - coordinate) % size : size - 1 - coordinate;
}

int StageOrder::member(int place, const Stage& stage) const {
    return digit(label(coordinate(place, stage.axis), stage.axis), stage.stride, stage.radix);
}

int StageOrder::place_of_member(int place, const Stage& stage, int member) const {
    const AxisView& view = axes_[stage.axis];
    const int start = coordinate(place, stage.axis);
    int target = with_digit(start, stage.stride, stage.radix, member);
    if (swings(stage.axis)) {
        const int step = std::countr_zero(static_cast<unsigned>(stage.stride));
        target = member == this->member(place, stage) ? start : swing_partner(start, step, view.size);
    }
    if (stage.nearest) {
        const int ahead = (member - this->member(place, stage) + stage.radix) % stage.radix;
        const int steps = ahead <= stage.radix / 2 ? ahead : ahead - stage.radix;
        target = (start + steps * stage.stride + view.size) % view.size;
    }
    if (view.folded) target = 2 * target < view.size ? 2 * target : 2 * (view.size - 1 - target) + 1;
    target = view.mirror(target, mirrored_);
    if (!same_for_all_hosts_ || stage.axis == 0) return grid_->along(place, stage.axis, target);
    const int first_host = grid_->along(grid_->along(place, 0, 0), stage.axis, target);
    return grid_->along(first_host, 0, coordinate(place, 0));
}

int StageOrder::distance(int place, const Stage& stage, int turn) const {
    const bool first_axis = stage.axis == 0 || !grid_->switched();
    const int ahead = first_axis ? 0 : coordinate(place, 0);
    return 1 + (turn - 1 + ahead) % (stage.radix - 1);
}

int StageOrder::position(int place) const {
    int position = 0;
    for (const Stage& stage : stages_) position = position * stage.radix + member(place, stage);
    return position;
}

int StageOrder::first_share_width() const {
    return axes_.empty() ? 1 : grid_->places() / axes_[0].size;
}

std::vector<std::int32_t> StageOrder::first_line(int place) const {
    std::vector<std::int32_t> line;
    for (int c = 0; !axes_.empty() && c < axes_[0].size; ++c) line.push_back(grid_->along(place, 0, c));
    return line;
}

std::vector<std::int32_t> StageOrder::enumerate(bool first_stage_significant) const {
    // A digit adds its share to the number of a place whatever the other coordinates are: one table for each axis.
    std::vector<std::vector<std::int32_t>> shares;
    for (const AxisView& axis : axes_) shares.emplace_back(axis.size, 0);
    int weight = first_stage_significant ? grid_->places() : 1;
    for (const Stage& stage : stages_) {
        if (first_stage_significant) weight /= stage.radix;
        const AxisView& axis = axes_[stage.axis];
        for (int c = 0; c < axis.size; ++c) shares[stage.axis][c] += member(c * axis.stride, stage) * weight;
        if (!first_stage_significant) weight *= stage.radix;
    }

    std::vector<std::int32_t> numbers = {0};
    numbers.reserve(grid_->places());
    for (const auto& share : shares) {
        const std::size_t below = numbers.size();
        for (std::size_t c = 1; c < share.size(); ++c) {
            for (std::size_t i = 0; i < below; ++i) numbers.push_back(numbers[i] + share[c] - share[0]);
        }
        for (std::size_t i = 0; share[0] != 0 && i < numbers.size(); ++i) numbers[i] += share[0];
    }
    std::vector<std::int32_t> order(grid_->places());
    for (int place = 0; place < grid_->places(); ++place) order[numbers[place]] = place;
    return order;
}

std::vector<std::int32_t> StageOrder::places_by_position() const {
    return enumerate(true);
}

std::vector<std::int32_t> StageOrder::places_by_operand() const {
    return enumerate(false);
}

int link_load(const Stage& stage, const Axis& axis) {
    if (axis.switched) return stage.radix - 1;
    if (!stage.direct) return stage.stride;
    const bool whole_ring = axis.wrapped && stage.stride * stage.radix == axis.size;
    if (!whole_ring && !stage.nearest) return stage.stride * (stage.radix / 2) * ((stage.radix + 1) / 2);
    if (stage.radix == 2) return (stage.stride + 1) / 2;  // ties are split between both ways
    return stage.stride * (stage.radix * stage.radix - 1) / 8;
}

bool ranks_in_operand_order(const Grid& grid, const StageOrder& stage_order) {
    if (grid.skewed() || grid.extra_hosts() > 0 || grid.fewest_ranks_per_host() != grid.most_ranks_per_host())
        return false;
    int expected = 0;
    for (const std::int32_t place : stage_order.places_by_operand()) {
        for (const std::int32_t rank : grid.ranks_of_host(place)) {
            if (rank != expected++) return false;
        }
    }
    return true;
}

}  // namespace coll_topo
