// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/replay/machine.hpp"

#include <algorithm>
#include <limits>

namespace coll_topo::replay {

Machine::Machine(const Grid& grid)
    : grid_(grid), ways_(grid), links_([this](int link) { return ways_.seconds_per_byte(link); }) {}

Message& Machine::meet(const Ends& ends, double bytes, bool sends) {
    const auto ranks = static_cast<std::uint64_t>(grid_.ranks());
    auto& unmatched = unmatched_[(static_cast<std::uint64_t>(ends.lane) * ranks + ends.from) * ranks + ends.to];
    if (!unmatched.empty() && unmatched.front()->sent != sends) {
        Message& message = *unmatched.front();
        unmatched.pop_front();
        return message;
    }
    messages_.push_back({bytes, sends});
    unmatched.push_back(&messages_.back());
    return messages_.back();
}

Message& Machine::send(const Ends& ends, double bytes, Port* port) {
    Message& message = meet(ends, bytes, true);
    message.sent = true;
    message.sender = port;
    if (message.receiver != nullptr) begin(ends, message);
    return message;
}

Message& Machine::receive(const Ends& ends, double bytes, Port& port) {
    Message& message = meet(ends, bytes, false);
    message.receiver = &port;
    if (message.sent) begin(ends, message);
    return message;
}

void Machine::begin(const Ends& ends, Message& message) {
    if (within_host(ends)) {
        message.receiver->arrived.push_back(&message);
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
    wake(*message.receiver);
}

void Machine::go_on() {
    while (!ready_.empty()) {
        const std::coroutine_handle<> next = ready_.front();
        ready_.pop_front();
        next.resume();
    }
}

void Machine::run() {
    constexpr double resolution = 1e-12;  // seconds
    for (;;) {
        go_on();
        links_.share(now_);
        const double next_event = events_.empty() ? std::numeric_limits<double>::infinity() : events_.top().time;
        const double next = std::min(next_event, links_.next_end());
        if (next == std::numeric_limits<double>::infinity()) return;
        now_ = std::max(now_, next);
        for (; !events_.empty() && events_.top().time <= now_ + resolution; events_.pop()) {
            const Event& event = events_.top();
            if (event.sleeper)
                wake(event.sleeper);
            else
                links_.begin(event.message->on_links, now_);
        }
        ended_.clear();
        links_.take_ended(now_ + resolution, ended_);
        for (const int number : ended_) end(*on_links_[number]);
    }
}

}  // namespace coll_topo::replay
