// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/matching.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/verify/walk.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace coll_topo::verify {
namespace {

// Pairs the messages of one lane. A channel leads from one rank to another within the lane; the messages of a channel
// are numbered one after the other, in the order they are sent.
class LaneMatcher {
public:
    LaneMatcher(const Schedule& schedule, const std::vector<Memory>& memories, int lane, Matching& matching)
        : schedule_(schedule), memories_(memories), ranks_(schedule.size()), lane_(lane), matching_(matching) {}

    Expected<void> run();

private:
    std::size_t channel(std::int64_t from, std::int64_t to) const { return from * ranks_ + to; }
    void number_channels();
    void place_sends();
    Expected<void> place_receives();
    Expected<void> compare_pairs() const;
    std::string difference(const Message& message) const;
    tl::unexpected<Error> wrong(MessageEnd end, const std::string& what) const;

    template <typename Visit>
    void for_each_action(Visit&& visit) const;

    const Schedule& schedule_;
    const std::vector<Memory>& memories_;
    std::size_t ranks_;
    int lane_;
    Matching& matching_;
    std::vector<std::int32_t> begin_;  // the messages of channel c are begin_[c] .. begin_[c + 1] - 1
};

template <typename Visit>
void LaneMatcher::for_each_action(Visit&& visit) const {
    for (std::int32_t rank = 0; rank < static_cast<std::int32_t>(ranks_); ++rank) {
        const Program& program = schedule_[rank];
        if (lane_ >= static_cast<int>(program.lanes.size())) continue;
        for (std::int32_t step = program.lanes[lane_].begin_step; step < program.lanes[lane_].end_step; ++step) {
            for (std::int32_t i = program.steps[step].begin; i < program.steps[step].end; ++i) {
                visit(program.actions[i], MessageEnd{rank, step, i});
            }
        }
    }
}

tl::unexpected<Error> LaneMatcher::wrong(MessageEnd end, const std::string& what) const {
    return failure(place(end.rank, lane_, end.step - schedule_[end.rank].lanes[lane_].begin_step) + what);
}

void LaneMatcher::number_channels() {
    begin_.assign(ranks_ * ranks_ + 1, 0);
    for_each_action([&](const Action& action, MessageEnd end) {
        if (action.kind == ActionKind::send) ++begin_[channel(end.rank, action.peer)];
    });
    const auto first = static_cast<std::int32_t>(matching_.messages.size());
    std::exclusive_scan(begin_.begin(), begin_.end(), begin_.begin(), first);
    matching_.messages.resize(begin_.back());
}

void LaneMatcher::place_sends() {
    std::vector<std::int32_t> next = begin_;
    for_each_action([&](const Action& action, MessageEnd end) {
        if (action.kind != ActionKind::send) return;
        const std::int32_t message = next[channel(end.rank, action.peer)]++;
        matching_.messages[message].sender = end;
        matching_.message_of[end.rank][end.action] = message;
    });
}

Expected<void> LaneMatcher::place_receives() {
    std::vector<std::int32_t> next = begin_;
    MessageEnd lonely;
    for_each_action([&](const Action& action, MessageEnd end) {
        if (!is_receive(action)) return;
        const std::size_t from = channel(action.peer, end.rank);
        if (next[from] == begin_[from + 1]) {
            if (lonely.rank < 0) lonely = end;
            return;
        }
        const std::int32_t message = next[from]++;
        matching_.messages[message].receiver = end;
        matching_.message_of[end.rank][end.action] = message;
    });
    if (lonely.rank < 0) return {};
    const std::string peer = std::to_string(schedule_[lonely.rank].actions[lonely.action].peer);
    return wrong(lonely, "receives from rank " + peer + " a message that is never sent");
}

// Both ends must name the same blocks of the vector: then they are of the same sizes whatever the vector's length.
std::string LaneMatcher::difference(const Message& message) const {
    const Action& send = schedule_[message.sender.rank].actions[message.sender.action];
    const Action& receive = schedule_[message.receiver.rank].actions[message.receiver.action];
    if (send.count != receive.count) {
        return "sends " + std::to_string(send.count) + " blocks to rank " + std::to_string(send.peer) +
               ", which receives " + std::to_string(receive.count);
    }
    const Memory& from = memories_[message.sender.rank];
    const Memory& to = memories_[message.receiver.rank];
    const int source = from.reads(send).begin;
    const int target = to.writes(receive).begin;
    for (int i = 0; i < send.count; ++i) {
        if (from.vector_block(source + i) == to.vector_block(target + i)) continue;
        return "sends " + from.name(source + i) + ", which is vector block " +
               std::to_string(from.vector_block(source + i)) + ", to rank " + std::to_string(send.peer) +
               ", which receives it as " + to.name(target + i) + ", vector block " +
               std::to_string(to.vector_block(target + i));
    }
    return {};
}

Expected<void> LaneMatcher::compare_pairs() const {
    for (std::size_t i = begin_.front(); i < matching_.messages.size(); ++i) {
        const Message& message = matching_.messages[i];
        if (message.receiver.rank < 0) {
            const std::string peer = std::to_string(schedule_[message.sender.rank].actions[message.sender.action].peer);
            return wrong(message.sender, "sends to rank " + peer + " a message that is never received");
        }
        if (const std::string what = difference(message); !what.empty()) return wrong(message.sender, what);
    }
    return {};
}

Expected<void> LaneMatcher::run() {
    number_channels();
    place_sends();
    RETURN_IF_ERROR(place_receives());
    return compare_pairs();
}

}  // namespace

Expected<Matching> match(const Schedule& schedule, const std::vector<Memory>& memories) {
    Matching matching;
    std::size_t lanes = 0;
    for (const Program& program : schedule) {
        matching.message_of.emplace_back(program.actions.size(), -1);
        lanes = std::max(lanes, program.lanes.size());
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        RETURN_IF_ERROR(LaneMatcher(schedule, memories, static_cast<int>(lane), matching).run());
    }
    return matching;
}

}  // namespace coll_topo::verify
