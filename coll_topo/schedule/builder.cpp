// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/schedule/builder.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace coll_topo {
namespace {

bool overlap(Buffer buffer_a, std::int32_t first_a, std::int32_t count_a, Buffer buffer_b, std::int32_t first_b,
             std::int32_t count_b) {
    return buffer_a == buffer_b && first_a < first_b + count_b && first_b < first_a + count_a;
}

/// Whether `action` reads or writes any of the blocks.
bool touches(const Action& action, Buffer buffer, std::int32_t first, std::int32_t count) {
    return overlap(action.buffer, action.first, action.count, buffer, first, count) ||
           (!is_transfer(action) && overlap(action.target, action.at, action.count, buffer, first, count));
}

// Comparing all pairs of the long steps of rearrangements, and of many ranks a host, would cost more than it gains.
constexpr std::size_t most_pairs = 4096;

/// The sends of a step, which stand together.
std::span<const Action> sends_of(std::span<const Action> actions) {
    const auto begin = std::ranges::find_if(actions, is_send);
    return {begin, std::find_if_not(begin, actions.end(), is_send)};
}

/// Whether any of the actions that matter meets any of the others; of too many pairs, one is taken to.
template <typename Matters, typename Meet>
bool any_pair(std::span<const Action> actions, Matters matters, std::span<const Action> others, Meet meet) {
    if (others.empty()) return false;
    const auto count = static_cast<std::size_t>(std::ranges::count_if(actions, matters));
    if (count * others.size() > most_pairs) return true;
    return std::ranges::any_of(actions, [&](const Action& one) {
        return matters(one) && std::ranges::any_of(others, [&](const Action& other) { return meet(one, other); });
    });
}

bool reduces_received(const Action& action) {
    return action.kind == ActionKind::receive_reduce;
}

bool sends_overlap_receives(std::span<const Action> actions) {
    return any_pair(actions, reduces_received, sends_of(actions), [](const Action& receive, const Action& send) {
        return touches(send, receive.buffer, receive.first, receive.count);
    });
}

/// An early receive must not change what the step before still uses. What is to be reduced waits elsewhere until then.
bool receives_disturb(std::span<const Action> before, std::span<const Action> actions) {
    const auto is_plain_receive = [](const Action& action) { return action.kind == ActionKind::receive; };
    return any_pair(actions, is_plain_receive, before, [](const Action& receive, const Action& other) {
        return touches(other, receive.buffer, receive.first, receive.count);
    });
}

/// What is still being sent must not change.
bool writes_disturb_sends(std::span<const Action> before, std::span<const Action> actions) {
    const auto writes = [](const Action& action) { return !is_send(action); };
    return any_pair(actions, writes, sends_of(before), [](const Action& action, const Action& send) {
        return touches(send, written_buffer(action), is_transfer(action) ? action.first : action.at, action.count);
    });
}

/// How many of the steps directly before this one in its lane it does not disturb.
template <typename Disturbs>
std::int8_t undisturbed(const Program& program, const Lane& lane, std::int32_t step, int most, Disturbs&& disturbs) {
    const auto actions = program.actions_of(program.steps[step]);
    int count = 0;
    for (; count < most && step - count > lane.begin_step; ++count) {
        if (disturbs(program.actions_of(program.steps[step - count - 1]), actions)) break;
    }
    return static_cast<std::int8_t>(count);
}

bool reduces_on_arrival(std::span<const Action> actions) {
    return std::ranges::any_of(actions, reduces_received);
}

}  // namespace

ProgramBuilder::ProgramBuilder(int blocks, int scratch_blocks) {
    program_.blocks = blocks;
    program_.scratch_blocks = scratch_blocks;
    // As many as most programs have.
    program_.steps.reserve(16);
    program_.actions.reserve(32);
}

void ProgramBuilder::lane(int window, int sends_at_once) {
    close_lane();
    const auto begin = static_cast<std::int32_t>(program_.steps.size());
    program_.lanes.push_back({begin, begin, window, sends_at_once});
}

void ProgramBuilder::next_step() {
    const auto end = static_cast<std::int32_t>(program_.actions.size());
    if (end == step_begin_) return;
    // Each kind in the order given.
    const auto before = [](const Action& a, const Action& b) { return place_in_step(a) < place_in_step(b); };
    const auto begin = program_.actions.begin() + step_begin_;
    // Rearrangements are long and already in order.
    if (!std::is_sorted(begin, program_.actions.end(), before)) {
        std::stable_sort(begin, program_.actions.end(), before);
    }
    program_.steps.push_back({step_begin_, end, false, 0, 0});
    step_begin_ = end;
}

void ProgramBuilder::close_lane() {
    next_step();
    if (!program_.lanes.empty()) program_.lanes.back().end_step = static_cast<std::int32_t>(program_.steps.size());
}

void ProgramBuilder::add(ActionKind kind, int peer, Blocks blocks, Buffer target, std::int32_t at, Operand operand) {
    if (blocks.count > 0)
        program_.actions.push_back({kind, blocks.buffer, target, operand, peer, blocks.first, blocks.count, at});
}

void ProgramBuilder::send(int peer, Blocks from) {
    add(ActionKind::send, peer, from, from.buffer, 0, Operand::left);
}

void ProgramBuilder::receive(int peer, Blocks into) {
    add(ActionKind::receive, peer, into, into.buffer, 0, Operand::left);
}

void ProgramBuilder::receive_reduce(int peer, Blocks into, Operand received_stands) {
    add(ActionKind::receive_reduce, peer, into, into.buffer, 0, received_stands);
}

void ProgramBuilder::copy(Blocks from, Buffer target, std::int32_t at) {
    // Runs of neighbouring blocks become one copy.
    if (static_cast<std::int32_t>(program_.actions.size()) > step_begin_) {
        Action& last = program_.actions.back();
        if (last.kind == ActionKind::copy && last.buffer == from.buffer && last.target == target &&
            last.first + last.count == from.first && last.at + last.count == at) {
            last.count += from.count;
            return;
        }
    }
    add(ActionKind::copy, -1, from, target, at, Operand::left);
}

void ProgramBuilder::reduce(Blocks from, Buffer target, std::int32_t at, Operand from_stands) {
    add(ActionKind::reduce, -1, from, target, at, from_stands);
}

Program ProgramBuilder::finish(std::vector<std::int32_t> scratch_order) {
    close_lane();
    program_.scratch_order = std::move(scratch_order);
    for (const Lane& lane : program_.lanes) {
        for (std::int32_t index = lane.begin_step; index < lane.end_step; ++index) {
            Step& step = program_.steps[index];
            const auto actions = program_.actions_of(step);
            step.sends_overlap_receives = sends_overlap_receives(actions);
            const int most_ahead = reduces_on_arrival(actions) ? 1 : lane.most_receives_ahead();
            step.receives_ahead = undisturbed(program_, lane, index, most_ahead, receives_disturb);
            step.passes_sends = undisturbed(program_, lane, index, lane.most_sends_passed(), writes_disturb_sends);
        }
    }
    return std::move(program_);
}

void limit_sends_passed(Program& program, int most) {
    for (Step& step : program.steps) step.passes_sends = std::min(step.passes_sends, static_cast<std::int8_t>(most));
}

}  // namespace coll_topo
