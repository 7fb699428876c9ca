// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/passage.hpp"

#include <algorithm>

namespace coll_topo::verify {

Passage::Passage(const Schedule& schedule, const std::vector<Memory>& memories, const Matching& matching)
    : schedule_(schedule),
      memories_(memories),
      matching_(matching),
      states_(matching.messages.size()),
      waiting_(matching.messages.size()) {
    for (std::size_t i = 0; i < states_.size(); ++i) states_[i].blocked_by = static_cast<std::int32_t>(i);
}

void Passage::post(std::int32_t message, std::vector<std::int32_t>& passing) {
    if (++states_[message].sides_posted < 2) return;
    retries_.assign(waiting_[message].begin(), waiting_[message].end());
    waiting_[message].clear();
    retries_.push_back(message);
    while (!retries_.empty()) {
        const std::int32_t next = retries_.back();
        retries_.pop_back();
        if (states_[next].passed) continue;
        const std::size_t known = passing.size();
        try_to_pass(next, passing);
        for (std::size_t i = known; i < passing.size(); ++i) {
            auto& waiting = waiting_[passing[i]];
            retries_.insert(retries_.end(), waiting.begin(), waiting.end());
            waiting.clear();
        }
    }
}

// Messages that wait for each other segment by segment pass together, or none of them.
void Passage::try_to_pass(std::int32_t message, std::vector<std::int32_t>& passing) {
    together_.assign({message});
    states_[message].looked_at = true;
    std::int32_t blocked_by = -1;
    for (std::size_t i = 0; i < together_.size() && blocked_by < 0; ++i) blocked_by = blocker(together_[i]);
    for (const std::int32_t one : together_) {
        states_[one].looked_at = false;
        states_[one].passed = blocked_by < 0;
    }
    if (blocked_by < 0) {
        passing.insert(passing.end(), together_.begin(), together_.end());
    } else {
        states_[message].blocked_by = blocked_by;
        waiting_[blocked_by].push_back(message);
    }
}

std::int32_t Passage::sent_before(const MessageEnd& sender) const {
    const Program& program = schedule_[sender.rank];
    const auto lane = std::ranges::find_if(program.lanes, [&](const Lane& one) { return sender.step < one.end_step; });
    if (lane->sends_at_once == 0) return -1;
    const std::int32_t earlier = sender.action - lane->sends_at_once;
    if (earlier < program.steps[sender.step].begin || !is_send(program.actions[earlier])) return -1;
    const std::int32_t message = matching_.message_of[sender.rank][earlier];
    return states_[message].passed ? -1 : message;
}

// What the message must wait for to be posted or pass as a whole, or -1. Adds what it goes along with to together_.
std::int32_t Passage::blocker(std::int32_t message) {
    if (states_[message].sides_posted < 2) return message;
    if (const std::int32_t earlier = sent_before(matching_.messages[message].sender); earlier >= 0) return earlier;
    const MessageEnd end = matching_.messages[message].receiver;
    const Program& program = schedule_[end.rank];
    const Step& step = program.steps[end.step];
    if (program.actions[end.action].kind != ActionKind::receive_reduce) return -1;

    const Memory& memory = memories_[end.rank];
    const Range target = memory.writes(program.actions[end.action]);
    const auto wait_for = [&](std::int32_t action, Range blocks) -> std::int32_t {
        const std::int32_t other = matching_.message_of[end.rank][action];
        State& state = states_[other];
        if (state.passed) return -1;
        if (blocks.begin != target.begin || blocks.end != target.end) return other;
        if (state.looked_at) return -1;
        state.looked_at = true;
        together_.push_back(other);
        return -1;
    };
    for (std::int32_t i = end.action - 1; i >= step.begin; --i) {
        if (program.actions[i].kind != ActionKind::receive_reduce) continue;
        if (const std::int32_t other = wait_for(i, memory.writes(program.actions[i])); other >= 0) return other;
        break;
    }
    for (std::int32_t i = step.begin; i < step.end && step.sends_overlap_receives; ++i) {
        const Range sent = memory.reads(program.actions[i]);
        if (program.actions[i].kind != ActionKind::send || !intersect(sent, target)) continue;
        if (const std::int32_t other = wait_for(i, sent); other >= 0) return other;
    }
    return -1;
}

}  // namespace coll_topo::verify
