// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/alltoall/combining_lane.hpp"

#include "coll_topo/base/mixed_radix.hpp"

#include <algorithm>
#include <utility>

namespace coll_topo {

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
    find_places();
    plan_gather();
    if (is_aggregator()) plan_stages(stages);
    plan_scatter();
}

void CombiningLane::find_places() {
    ahead_.assign(grid_.places(), here_);
    behind_ = ahead_;
    for (std::size_t axis = 0; axis < strides_.size(); ++axis) {
        const int size = grid_.axes()[axis].size, stride = strides_[axis];
        const int own = digit(here_, stride, size);
        for (int offset = 0; offset < grid_.places(); ++offset) {
            const int way = digit(offset, stride, size);
            ahead_[offset] = with_digit(ahead_[offset], stride, size, (own + way) % size);
            behind_[offset] = with_digit(behind_[offset], stride, size, (own + size - way) % size);
        }
    }
}

void CombiningLane::append(std::vector<Blocks>& runs, Blocks next) {
    if (!runs.empty() && runs.back().buffer == next.buffer && runs.back().first + runs.back().count == next.first) {
        runs.back().count += next.count;
    } else {
        runs.push_back(next);
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
        moved_[slot] += exchange.way;
        next.count = blocks_of_unit(source_of(moved_[slot]), destination_of(slot, moved_[slot]));
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
        for (const std::int32_t destination : served_.by(ahead_[slot], part_)) {
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
    const Blocks unit = units_[behind_[served_.server(source).host]];
    if (unit.count == 0) return gathered(source, destination);
    const auto width = static_cast<int>(served_.by(here_, part_).size());
    return {unit.buffer, unit.first + served_.index_at(source) * width + served_.index_by(destination), 1};
}

Blocks CombiningLane::scratch(Blocks blocks) const {
    if (blocks.buffer == Buffer::scratch) blocks.first += first_scratch_;
    return blocks;
}

}  // namespace coll_topo
