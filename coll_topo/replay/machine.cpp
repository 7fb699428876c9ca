// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/replay/machine.hpp"

#include <algorithm>
#include <limits>

namespace coll_topo::replay {

void Port::add_arrived(Message& message) {
    (oldest_ == nullptr ? oldest_ : newest_->arrived_next) = &message;
    newest_ = &message;
}

Message* Port::take_arrived() {
    Message* const message = oldest_;
    if (message != nullptr) oldest_ = message->arrived_next;
    return message;
}

Machine::Machine(const Grid& grid, MessageWays& ways, SharedLinks& links)
    : grid_(grid), ways_(ways), links_(links), memories_(grid) {}

Message& Machine::meet(const Ends& ends, double bytes, bool sends) {
    const std::size_t receiver = static_cast<std::size_t>(ends.lane) * grid_.ranks() + ends.to;
    if (receiver >= unmatched_.size()) unmatched_.resize(receiver + grid_.ranks());
    auto& unmatched = unmatched_[receiver];
    const auto found = std::ranges::find(unmatched, ends.from, &Message::from);
    if (found != unmatched.end() && (*found)->sent != sends) {
        Message& message = **found;
        unmatched.erase(found);
        return message;
    }
    messages_.push_back({bytes, ends.from, sends});
    unmatched.push_back(&messages_.back());
    return messages_.back();
}

Message& Machine::send(const Ends& ends, double bytes, Port* port) {
    Message& message = meet(ends, bytes, true);
    message.sent = true;
    message.sender = port;
    const bool eager = bytes <= grid_.costs().eager_limit && !within_host(ends);
    if (eager || message.receiver != nullptr) begin(ends, message);
    return message;
}

Message& Machine::receive(const Ends& ends, double bytes, Port& port) {
    Message& message = meet(ends, bytes, false);
    message.receiver = &port;
    if (message.sent && message.on_links < 0) begin(ends, message);
    return message;
}

void Machine::begin(const Ends& ends, Message& message) {
    if (within_host(ends)) {
        message.receiver->add_arrived(message);
        wake(*message.receiver);
        return;
    }
    way_.clear();
    const double latency = ways_.append(grid_.host(ends.from), grid_.host(ends.to), way_);
    message.on_links = links_.add(way_, message.bytes);
    on_links_.push_back(&message);
    at(now_ + latency, nullptr, &message);
}

void Machine::end(Message& message) {
    message.ended = true;
    if (message.sender != nullptr) wake(*message.sender);
    if (message.receiver != nullptr) wake(*message.receiver);
}

void Machine::go_on() {
    while (!ready_.empty()) {
        going_on_.swap(ready_);
        for (const std::coroutine_handle<> next : going_on_) next.resume();
        going_on_.clear();
    }
}

void Machine::run(double limit, std::int64_t most_shares) {
    constexpr double resolution = 1e-12;  // seconds
    while (now_ <= limit && links_.shares() <= most_shares) {
        go_on();
        links_.share(now_);
        const double next_event = events_.empty() ? std::numeric_limits<double>::infinity() : events_.top().time;
        const double next = std::min({next_event, links_.next_end(), memories_.next_end()});
        if (next == std::numeric_limits<double>::infinity()) return;
        now_ = std::max(now_, next);
        for (; !events_.empty() && events_.top().time <= now_ + resolution; events_.pop()) {
            const Event& event = events_.top();
            if (event.sleeper)
                wake(event.sleeper);
            else
                links_.begin(event.message->on_links, now_);
        }
        memories_.take_ended(now_ + resolution, ready_);
        ended_.clear();
        links_.take_ended(now_ + resolution, ended_);
        for (const int number : ended_) end(*on_links_[number]);
    }
}

}  // namespace coll_topo::replay
