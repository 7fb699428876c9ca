// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/combining_lane.hpp"

#include "coll_topo/base/mixed_radix.hpp"

#include <algorithm>
#include <utility>

namespace coll_topo {
namespace {

void append(std::vector<Blocks>& runs, Blocks next) {
    if (!runs.empty() && runs.back().buffer == next.buffer && runs.back().first + runs.back().count == next.first) {
        runs.back().count += next.count;
    } else {
        runs.push_back(next);
    }
}

}  // namespace

CombiningLane::CombiningLane(const Grid& grid, const ServedRanks& served, std::span<const CombiningStage> stages,
                             const Problem& problem, int lane, int rank)
    : grid_(grid),
      served_(served),
      problem_(problem),
      lane_(lane),
      rank_(rank),
      here_(served.server(rank).host),
      part_(grid.host(rank) == here_ ? grid.aggregator_number(rank, problem.aggregators) : -1),
      units_(grid.places(), Blocks{Buffer::scratch, 0, 0}),
      moved_(grid.places(), 0) {
    int stride = 1;
    for (const Axis& axis : grid.axes()) strides_.push_back(std::exchange(stride, stride * axis.size));
    plan_gather();
    if (is_aggregator()) plan_stages(stages);
    plan_scatter();
}

int CombiningLane::ahead(int place, int offset) const {
    for (std::size_t axis = 0; axis < strides_.size(); ++axis) {
        const int size = grid_.axes()[axis].size, stride = strides_[axis];
        const int there = (digit(place, stride, size) + digit(offset, stride, size)) % size;
        place = with_digit(place, stride, size, there);
    }
    return place;
}

int CombiningLane::behind(int place, int offset) const {
    for (std::size_t axis = 0; axis < strides_.size(); ++axis) {
        const int size = grid_.axes()[axis].size, stride = strides_[axis];
        const int there = (digit(place, stride, size) + size - digit(offset, stride, size)) % size;
        place = with_digit(place, stride, size, there);
    }
    return place;
}

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
        // Near places first, each with the one as far the other way: on a ring both directions are equally busy.
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
    Exchange exchange{aggregator(ahead(here_, way), part_), aggregator(behind(here_, way), part_), way, {}, {}, {}};
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
        const int source = behind(here_, moved[slot]);
        blocks += blocks_of_unit(source, ahead(source, slot));
    }
    return static_cast<int>(blocks);
}

// By destination, then source, in rank order: the first stage can often send straight from the caller's buffer, and the
// last one receive straight into it.
void CombiningLane::sort_slots(std::vector<std::int32_t>& slots, const std::vector<std::int32_t>& moved) const {
    std::vector<std::pair<std::int64_t, std::int32_t>> keyed;
    for (const std::int32_t slot : slots) {
        const int source = behind(here_, moved[slot]), destination = ahead(source, slot);
        const std::int64_t key = served_.at(destination)[0];
        keyed.emplace_back(key * grid_.ranks() + served_.at(source)[0], slot);
    }
    std::ranges::sort(keyed);
    std::ranges::transform(keyed, slots.begin(), [](const auto& entry) { return entry.second; });
}

Blocks CombiningLane::room_for(const Exchange& exchange, const std::vector<std::int32_t>& moved, bool last) {
    if (last && served_.by(here_, part_).size() == 1) {
        std::vector<Blocks> results;
        for (const std::int32_t slot : exchange.arriving) {
            for (const std::int32_t source : served_.at(behind(here_, moved[slot]))) {
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

void CombiningLane::write(ProgramBuilder& builder, int first_scratch) {
    builder_ = &builder;
    first_scratch_ = first_scratch;
    builder.lane();
    gather();
    for (const std::vector<Exchange>& stage : stages_) exchange(stage);
    scatter();
}

void CombiningLane::gather() {
    std::vector<Message> messages;
    next_leaving_ = leaving_;
    for (int part = 0; part < problem_.aggregators; ++part) {
        if (part == part_) continue;
        std::vector<Blocks> runs;
        for (int destination = 0; destination < grid_.ranks(); ++destination) {
            if (served_.server(destination).part == part) append(runs, of_caller(Buffer::input, destination));
        }
        messages.push_back({aggregator(here_, part), together(runs)});
    }
    builder_->next_step();
    for (std::size_t i = 0; i < gathered_.size(); ++i) {
        const int member = served_.at(here_)[i];
        if (member == rank_) continue;
        builder_->receive(member, scratch({Buffer::scratch, gathered_[i], served_.of_part(part_)}));
    }
    send_all(messages);
}

void CombiningLane::exchange(const std::vector<Exchange>& stage) {
    std::vector<Message> messages;
    next_leaving_ = leaving_;
    for (const Exchange& exchange : stage) {
        std::vector<Blocks> runs;
        for (const std::int32_t slot : exchange.leaving) append_unit(runs, slot);
        messages.push_back({exchange.to, together(runs)});
    }
    builder_->next_step();
    for (const Exchange& exchange : stage) builder_->receive(exchange.from, scratch(exchange.into));
    send_all(messages);
    for (const Exchange& exchange : stage) settle(exchange);
}

void CombiningLane::settle(const Exchange& exchange) {
    Blocks next = exchange.into;
    for (const std::int32_t slot : exchange.arriving) {
        const int source = behind(here_, moved_[slot] += exchange.way);
        next.count = blocks_of_unit(source, ahead(source, slot));
        units_[slot] = next;
        next.first += next.count;
    }
}

void CombiningLane::scatter() {
    const Server server = served_.server(rank_);
    if (!is_aggregator()) {
        builder_->next_step();
        const Blocks all{lanes() > 1 ? Buffer::scratch : Buffer::output, from_server_, grid_.ranks()};
        builder_->receive(aggregator(server.host, server.part), scratch(all));
        for (int source = 0; lanes() > 1 && source < grid_.ranks(); ++source) {
            builder_->copy(scratch({all.buffer, all.first + source, 1}), Buffer::output,
                           of_caller(Buffer::output, source).first);
        }
        return;
    }
    for (int source = 0; source < grid_.ranks(); ++source) {
        const Blocks from = arrived(source, rank_);
        if (from.buffer != Buffer::output) {
            builder_->copy(scratch(from), Buffer::output, of_caller(Buffer::output, source).first);
        }
    }
    std::vector<Message> messages;
    next_leaving_ = leaving_;
    for (const std::int32_t destination : served_.by(here_, part_)) {
        if (destination == rank_) continue;
        std::vector<Blocks> runs;
        for (int source = 0; source < grid_.ranks(); ++source) append(runs, arrived(source, destination));
        messages.push_back({destination, together(runs)});
    }
    builder_->next_step();
    send_all(messages);
}

void CombiningLane::send_all(const std::vector<Message>& messages) {
    for (const Message& message : messages) builder_->send(message.peer, scratch(message.blocks));
}

Blocks CombiningLane::together(const std::vector<Blocks>& runs) {
    if (runs.size() == 1) return runs[0];
    const int first = next_leaving_;
    for (const Blocks& run : runs) {
        builder_->copy(scratch(run), Buffer::scratch, first_scratch_ + next_leaving_);
        next_leaving_ += run.count;
    }
    return {Buffer::scratch, first, next_leaving_ - first};
}

void CombiningLane::append_unit(std::vector<Blocks>& runs, int slot) const {
    if (units_[slot].count > 0) return append(runs, units_[slot]);
    for (const std::int32_t source : served_.at(here_)) {
        for (const std::int32_t destination : served_.by(ahead(here_, slot), part_)) {
            append(runs, gathered(source, destination));
        }
    }
}

Blocks CombiningLane::gathered(int source, int destination) const {
    if (source == rank_) return of_caller(Buffer::input, destination);
    return {Buffer::scratch, gathered_[served_.index_at(source)] + served_.index_of_part(destination), 1};
}

Blocks CombiningLane::arrived(int source, int destination) const {
    // The way from its place to here is its slot.
    const Blocks unit = units_[behind(here_, served_.server(source).host)];
    if (unit.count == 0) return gathered(source, destination);
    const auto width = static_cast<int>(served_.by(here_, part_).size());
    return {unit.buffer, unit.first + served_.index_at(source) * width + served_.index_by(destination), 1};
}

Blocks CombiningLane::scratch(Blocks blocks) const {
    if (blocks.buffer == Buffer::scratch) blocks.first += first_scratch_;
    return blocks;
}

}  // namespace coll_topo
