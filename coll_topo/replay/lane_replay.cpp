// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/replay/lane_replay.hpp"

#include "coll_topo/schedule/late_copies.hpp"
#include "coll_topo/schedule/work_at_once.hpp"

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

LaneReplay::LaneReplay(const Setting& setting, const Rank& rank, int lane)
    : setting_(setting),
      rank_(rank),
      lane_(lane),
      first_(rank.sized.copied_late > 0 ? first_step_with_messages(program(), this->lane()) : this->lane().begin_step),
      windowed_(this->lane().window > 1),
      limit_(windowed_ ? this->lane().window : this->lane().sends_at_once),
      steps_(this->lane().end_step - this->lane().begin_step),
      oldest_(first_),
      now_(oldest_ - 1),
      posted_(oldest_) {
    if (steps_.empty()) return;
    constexpr int most = 32;  // of the actions many may be copies
    const int transfers = std::min(most, step_at(this->lane().end_step - 1).end - step_at(oldest_).begin);
    sends_.reserve(transfers);
    receives_.reserve(transfers);
}

Task LaneReplay::run() {
    for (std::int32_t step = first_; step < lane().end_step; ++step) {
        while (must_end_step(most_behind(step_at(step)))) co_await end_step();
        now_ = step;
        if (posted_ == step) post_receives(step);
        post_ahead();
        co_await exchange();
    }
    while (must_end_step(0)) co_await end_step();
    end_turn();
    has_ended_ = true;
}

LaneReplay::Transfers LaneReplay::sends_of(std::int32_t step) {
    return Transfers(sends_).subspan(of(step).first_send, of(step).end_send - of(step).first_send);
}

LaneReplay::Transfers LaneReplay::receives_of(std::int32_t step) {
    return Transfers(receives_).subspan(of(step).waited_for, of(step).end_receive - of(step).waited_for);
}

bool LaneReplay::step_has_ended(std::int32_t step) {
    return std::ranges::all_of(sends_of(step), &Transfer::has_ended) &&
           std::ranges::all_of(receives_of(step), &Transfer::has_ended);
}

// The executor skips messages of no bytes.
void LaneReplay::post_receives(std::int32_t step) {
    const std::size_t first = receives_.size();
    const bool several_hosts = setting_.machine.has_several_hosts();
    for (const Action& action : program().actions_of(step_at(step))) {
        if (!is_receive(action) || bytes(action) == 0) continue;
        const Machine::Ends ends{action.peer, rank_.number, lane_};
        Message& message = setting_.machine.receive(ends, bytes(action), port_);
        message.copied_last = several_hosts && action.kind == ActionKind::receive && !is_short(action);
        receives_.push_back({&action, &message});
    }
    of(step).waited_for = first;
    of(step).end_receive = receives_.size();
    posted_ = step + 1;
}

void LaneReplay::post_ahead() {
    for (; posted_ < lane().end_step; post_receives(posted_)) {
        const Step& later = step_at(posted_);
        if (posted_ - now_ > later.receives_ahead) return;
        if (posted_ - oldest_ > std::max(later.receives_ahead, later.passes_sends)) return;
    }
}

bool LaneReplay::is_limited(const Action& send) const {
    return !windowed_ && limit_ > 0 && bytes(send) > setting_.short_message;
}

bool LaneReplay::works(const Step& step) const {
    const auto actions = program().actions_of(step);
    return !actions.empty() && !is_transfer(actions.back());
}

void LaneReplay::end_turn() {
    if (has_turn_) rank_.processor.give_up();
    has_turn_ = false;
}

Task LaneReplay::progress() {
    if (Message* const message = port_.take_arrived()) {
        if (message->copied_last) {
            co_await copy_last(*message);
        } else {
            co_await turn();
            co_await move(MemoryWork::receive, message->bytes);
        }
        setting_.machine.end(*message);
        co_return;
    }
    end_turn();
    co_await Blocked{port_};
    has_waited_ = true;
    co_await setting_.machine.sleep(setting_.waiting_for_turn);
}

Task LaneReplay::copy_last(Message& message) {
    end_turn();
    co_await rank_.processor.take_to_copy();
    for (double left = message.bytes; left > 0; left -= copied_at_once) {
        co_await move(MemoryWork::receive, std::min<double>(left, copied_at_once));
        if (left > copied_at_once) co_await rank_.processor.pause_copying();
    }
    rank_.processor.give_up();
}

Task LaneReplay::wait_for_all(Transfers transfers) {
    for (const Transfer& transfer : transfers) {
        while (!transfer.has_ended()) co_await progress();
    }
}

bool LaneReplay::must_end_step(std::int32_t most) {
    while (oldest_ <= now_ && step_has_ended(oldest_)) ++oldest_;
    return oldest_ <= now_ && now_ - oldest_ + 1 > most;
}

Task LaneReplay::end_step() {
    co_await wait_for_all(sends_of(oldest_));
    co_await wait_for_all(receives_of(oldest_));
    co_await wake();
    ++oldest_;
}

void LaneReplay::send(const Action& action) {
    const bool waits = !setting_.machine.within_host(to(action)) || !is_short(action);
    const Message& message = setting_.machine.send(to(action), bytes(action), waits ? &port_ : nullptr);
    if (!waits) return;
    sends_.push_back({&action, &message});
    of(now_).end_send = sends_.size();
    if (is_limited(action)) under_way_.push_back({&action, &message});
}

bool LaneReplay::some_have_ended(const Transfer* receive) const {
    return (receive != nullptr && receive->has_ended()) || std::ranges::any_of(under_way_, &Transfer::has_ended);
}

/// What arrives is combined in the order listed, also while sends wait for those before them.
Task LaneReplay::send_all() {
    const Step& step = step_at(now_);
    StepTransfers& transfers = of(now_);
    transfers.first_send = transfers.end_send = sends_.size();
    under_way_.clear();
    // What is combined may replace what is still being sent.
    const std::size_t early = step.sends_overlap_receives ? transfers.waited_for : transfers.end_receive;
    for (const Action& action : program().actions_of(step)) {
        if (!is_send(action) || bytes(action) == 0) continue;
        while (is_limited(action) && under_way_.size() >= limit_) {
            const Transfer* receive = transfers.waited_for < early ? &receives_[transfers.waited_for] : nullptr;
            while (!some_have_ended(receive)) co_await progress();
            if (std::erase_if(under_way_, [](const Transfer& send) { return send.has_ended(); }) > 0) continue;
            co_await end(*receive);
            ++transfers.waited_for;
        }
        const bool within_host = setting_.machine.within_host(to(action));
        co_await turn();
        co_await setting_.machine.sleep(setting_.costs.message(within_host));
        co_await setting_.machine.share_processors(setting_.costs.shared_message(within_host));
        send(action);
    }
    end_turn();
}

Task LaneReplay::exchange() {
    co_await send_all();
    const Step& step = step_at(now_);
    if (windowed_ && !works(step)) co_return;
    if (step.sends_overlap_receives) co_await wait_for_all(sends_of(now_));
    StepTransfers& transfers = of(now_);
    for (; transfers.waited_for < transfers.end_receive; ++transfers.waited_for) {
        co_await end(receives_[transfers.waited_for]);
    }
    co_await wake();
    if (works(step)) co_await work_on_own_data();
}

Task LaneReplay::end(Transfer receive) {
    while (!receive.has_ended()) co_await progress();
    if (receive.action->kind != ActionKind::receive_reduce) co_return;
    co_await turn();
    co_await move(MemoryWork::reduce, bytes(*receive.action));
    rank_.processor.reduced(bytes(*receive.action));
}

/// All of it at once: nothing else of the rank comes in between.
Task LaneReplay::work_on_own_data() {
    co_await wait_for_all(sends_of(now_));
    double reduced = 0, copied = 0;
    for (const Action& action : program().actions_of(step_at(now_))) {
        if (action.kind == ActionKind::reduce) reduced += bytes(action);
        if (action.kind == ActionKind::copy) copied += bytes(action);
    }
    co_await turn();
    co_await move(MemoryWork::reduce, reduced);
    co_await move(MemoryWork::copy, copied);
    rank_.processor.reduced(reduced);
}

Task LateCopyReplay::run() {
    const std::uint64_t all = rank_.sized.copied_late, share = late_copy_share(all);
    for (std::uint64_t copied = 0; copied < all; copied += share) {
        co_await rank_.processor.take_when_idle();
        const auto bytes = static_cast<double>(std::min(share, all - copied));
        co_await setting_.machine.move(rank_.number, MemoryWork::copy, bytes);
        rank_.processor.give_up();
    }
}

}  // namespace coll_topo::replay
