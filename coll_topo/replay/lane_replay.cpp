// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/replay/lane_replay.hpp"

#include <algorithm>
#include <utility>

namespace coll_topo::replay {
namespace {

/// Whoever awaits this waits until its port is woken.
struct Blocked {
    Port& port;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> lane) const noexcept { port.blocked = lane; }
    void await_resume() const noexcept {}
};

}  // namespace

LaneReplay::LaneReplay(Machine& machine, const MachineCosts& costs, const Rank& rank, int lane, double short_message)
    : machine_(machine),
      costs_(costs),
      rank_(rank),
      lane_(lane),
      short_message_(short_message),
      windowed_(this->lane().window > 1),
      limit_(windowed_ ? this->lane().window : this->lane().sends_at_once) {}

Task LaneReplay::run() {
    for (std::int32_t step = lane().begin_step; step < lane().end_step; ++step) {
        const Step& now = rank_.program.steps[step];
        co_await end_steps(most_behind(now));
        if (ahead_.empty()) ahead_.push_back(post_receives(now));
        Transfers receives = std::move(ahead_.front());
        ahead_.pop_front();
        behind_.push_back({step});
        post_ahead(step);
        co_await exchange(now, std::move(receives));
    }
    co_await end_steps(0);
    end_turn();
    has_ended_ = true;
}

bool LaneReplay::StepInFlight::has_ended() const {
    return std::ranges::all_of(sends, &Transfer::has_ended) && std::ranges::all_of(receives, &Transfer::has_ended);
}

// The executor skips messages of no bytes.
LaneReplay::Transfers LaneReplay::post_receives(const Step& step) {
    Transfers posted;
    for (const Action& action : rank_.program.actions_of(step)) {
        if (!is_receive(action) || bytes(action) == 0) continue;
        posted.push_back({&action, &machine_.receive({action.peer, rank_.number, lane_}, bytes(action), port_)});
    }
    return posted;
}

void LaneReplay::post_ahead(std::int32_t now) {
    const std::int32_t oldest = behind_.front().step;
    for (std::int32_t step = now + 1 + static_cast<std::int32_t>(ahead_.size()); step < lane().end_step; ++step) {
        const Step& later = rank_.program.steps[step];
        if (step - now > later.receives_ahead) return;
        if (step - oldest > std::max(later.receives_ahead, later.passes_sends)) return;
        ahead_.push_back(post_receives(later));
    }
}

bool LaneReplay::is_limited(const Action& send) const {
    return !windowed_ && limit_ > 0 && bytes(send) > short_message_;
}

bool LaneReplay::works(const Step& step) const {
    const auto actions = rank_.program.actions_of(step);
    return !actions.empty() && !is_transfer(actions.back());
}

void LaneReplay::end_turn() {
    if (has_turn_) rank_.processor.give_up();
    has_turn_ = false;
}

Task LaneReplay::work(double seconds) {
    if (!has_turn_) co_await rank_.processor.take(lane_);
    has_turn_ = true;
    if (seconds > 0) co_await machine_.sleep(seconds);
}

Task LaneReplay::progress() {
    if (!port_.arrived.empty()) {
        Message& message = *port_.arrived.front();
        port_.arrived.pop_front();
        co_await work(message.bytes / costs_.local_bandwidth);
        machine_.end(message);
        co_return;
    }
    end_turn();
    co_await Blocked{port_};
}

Task LaneReplay::wait_for(Transfer transfer) {
    while (!transfer.has_ended()) co_await progress();
}

Task LaneReplay::wait_for_all(const Transfers& transfers) {
    for (const Transfer& transfer : transfers) {
        if (!transfer.has_ended()) co_await wait_for(transfer);
    }
}

Task LaneReplay::end_steps(std::size_t most) {
    while (!behind_.empty() && (behind_.size() > most || behind_.front().has_ended())) {
        co_await wait_for_all(behind_.front().sends);
        co_await wait_for_all(behind_.front().receives);
        behind_.pop_front();
    }
}

Task LaneReplay::send(const Action& action) {
    const bool local = machine_.within_host(to(action));
    co_await work(local ? costs_.local_message() : costs_.message_time);
    // The sender of few bytes within its host does not wait until the receiver has moved them.
    const bool waits = !local || bytes(action) > costs_.message_time * costs_.local_bandwidth;
    const Message& message = machine_.send(to(action), bytes(action), waits ? &port_ : nullptr);
    if (!waits) co_return;
    behind_.back().sends.push_back({&action, &message});
    if (is_limited(action)) under_way_.push_back({&action, &message});
}

/// What arrives is combined in the order listed, also while sends wait for those before them.
Task LaneReplay::send_all(const Step& step, const Transfers& receives) {
    under_way_.clear();
    // What is combined may replace what is still being sent.
    const std::size_t early = step.sends_overlap_receives ? 0 : receives.size();
    for (const Action& action : rank_.program.actions_of(step)) {
        if (!is_send(action) || bytes(action) == 0) continue;
        while (is_limited(action) && under_way_.size() >= limit_) {
            const Transfer* receive = received_ < early ? &receives[received_] : nullptr;
            const auto some_ended = [&] {
                return (receive != nullptr && receive->has_ended()) ||
                       std::ranges::any_of(under_way_, &Transfer::has_ended);
            };
            while (!some_ended()) co_await progress();
            if (std::erase_if(under_way_, [](const Transfer& send) { return send.has_ended(); }) > 0) continue;
            co_await end(*receive);
            ++received_;
        }
        co_await send(action);
    }
    end_turn();
}

Task LaneReplay::exchange(const Step& step, Transfers receives) {
    received_ = 0;
    co_await send_all(step, receives);
    if (windowed_ && !works(step)) {
        behind_.back().receives = std::move(receives);
        co_return;
    }
    if (step.sends_overlap_receives) co_await wait_for_all(behind_.back().sends);
    for (; received_ < receives.size(); ++received_) co_await end(receives[received_]);
    if (works(step)) co_await work_on_own_data(step);
}

Task LaneReplay::end(Transfer receive) {
    if (!receive.has_ended()) co_await wait_for(receive);
    if (receive.action->kind == ActionKind::receive_reduce) co_await reduce(*receive.action);
}

Task LaneReplay::work_on_own_data(const Step& step) {
    co_await wait_for_all(behind_.back().sends);
    for (const Action& action : rank_.program.actions_of(step)) {
        if (action.kind == ActionKind::reduce) co_await reduce(action);
        if (action.kind == ActionKind::copy) co_await work(bytes(action) / costs_.copy_bandwidth);
    }
}

Task LaneReplay::reduce(const Action& action) {
    co_await work(bytes(action) / costs_.reduce_bandwidth);
    rank_.processor.reduced(bytes(action));
}

}  // namespace coll_topo::replay
