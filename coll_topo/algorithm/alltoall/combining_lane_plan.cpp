// SPDX-License-Identifier: BSD-3-Clause
//
// What a lane exchanges with whom, and where in its scratch everything lies.
#include "coll_topo/algorithm/alltoall/combining_lane.hpp"

#include "coll_topo/base/mixed_radix.hpp"

#include <algorithm>
#include <utility>

namespace coll_topo {

void CombiningLane::plan_gather() {
    if (is_aggregator()) {
        for (const std::int32_t member : served_.at(here_)) {
            gathered_.push_back(leaving_);
            if (member != rank_) leaving_ += served_.of_part(part_);
        }
    }
    for (int part = 0; part < problem_.aggregators; ++part) {
        if (part != part_) most_leaving_ += served_.of_part(part);
    }
}

void CombiningLane::plan_stages(std::span<const CombiningStage> stages) {
    std::vector<std::int32_t> moved(grid_.places(), 0);
    for (const CombiningStage& stage : stages) {
        const int size = grid_.axes()[stage.axis].size, stride = strides_[stage.axis];
        std::vector<std::vector<std::int32_t>> slots(stage.radix);
        for (int slot = 0; slot < grid_.places(); ++slot) {
            slots[stage.digit_of(digit(slot, stride, size))].push_back(slot);
        }
        stages_.emplace_back();
        const bool last = &stage == &stages.back();
        int leaving = 0;
        // Near places first, each with its mirror image: on a ring both directions are equally busy.
        for (int turn = 1; 2 * turn <= stage.radix; ++turn) {
            leaving += plan_exchange(stage, turn, std::move(slots[turn]), moved, last);
            if (2 * turn == stage.radix) break;
            const int back = stage.radix - turn;
            leaving += plan_exchange(stage, back, std::move(slots[back]), moved, last);
        }
        most_leaving_ = std::max(most_leaving_, leaving);
    }
}

int CombiningLane::plan_exchange(const CombiningStage& stage, int digit, std::vector<std::int32_t> slots,
                                 std::vector<std::int32_t>& moved, bool last) {
    if (slots.empty()) return 0;
    const int way = digit * stage.weight * strides_[stage.axis];
    Exchange exchange{aggregator(ahead_[way], part_), aggregator(behind_[way], part_), way, {}, {}, {}};
    sort_slots(slots, moved);
    exchange.leaving = slots;
    const int leaving = blocks_in(slots, moved);
    for (const std::int32_t slot : slots) moved[slot] += way;
    sort_slots(slots, moved);
    exchange.arriving = std::move(slots);
    exchange.into = room_for(exchange, moved, last);
    stages_.back().push_back(std::move(exchange));
    return leaving;
}

int CombiningLane::blocks_in(const std::vector<std::int32_t>& slots, const std::vector<std::int32_t>& moved) const {
    std::size_t blocks = 0;
    for (const std::int32_t slot : slots) {
        blocks += blocks_of_unit(source_of(moved[slot]), destination_of(slot, moved[slot]));
    }
    return static_cast<int>(blocks);
}

// By destination, then source, in rank order: the first stage can often send straight from the caller's buffer, and the
// last one receive straight into it.
void CombiningLane::sort_slots(std::vector<std::int32_t>& slots, const std::vector<std::int32_t>& moved) const {
    std::vector<std::pair<std::int64_t, std::int32_t>> keyed;
    for (const std::int32_t slot : slots) {
        const std::int64_t key = served_.at(destination_of(slot, moved[slot]))[0];
        keyed.emplace_back(key * grid_.ranks() + served_.at(source_of(moved[slot]))[0], slot);
    }
    std::ranges::sort(keyed);
    std::ranges::transform(keyed, slots.begin(), [](const auto& entry) { return entry.second; });
}

Blocks CombiningLane::room_for(const Exchange& exchange, const std::vector<std::int32_t>& moved, bool last) {
    if (last && served_.by(here_, part_).size() == 1) {
        std::vector<Blocks> results;
        for (const std::int32_t slot : exchange.arriving) {
            for (const std::int32_t source : served_.at(source_of(moved[slot]))) {
                append(results, of_caller(Buffer::output, source));
            }
        }
        if (results.size() == 1) return results[0];
    }
    const int blocks = blocks_in(exchange.arriving, moved);
    return {Buffer::scratch, std::exchange(leaving_, leaving_ + blocks), blocks};
}

void CombiningLane::plan_scatter() {
    if (is_aggregator()) {
        const auto others = static_cast<int>(served_.by(here_, part_).size()) - 1;
        most_leaving_ = std::max(most_leaving_, others * grid_.ranks());
    } else if (problem_.lanes > 1) {
        from_server_ = std::exchange(leaving_, leaving_ + grid_.ranks());
    }
}

}  // namespace coll_topo
