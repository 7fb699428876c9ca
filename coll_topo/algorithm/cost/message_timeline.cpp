// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/cost/message_timeline.hpp"

#include <algorithm>
#include <ranges>
#include <span>

namespace coll_topo {

double MessageTimeline::Link::carry(double start, double bytes) {
    const double duration = bytes * seconds_per_byte;
    if (burst > 0) {
        // Busy is what has used up the burst; it was all there at the beginning.
        busy_until = std::max(busy_until, start) + duration;
        return std::max(start, busy_until - burst * seconds_per_byte);
    }
    if (start < busy_from) {
        // Of a rank that is ahead of those seen so far: the link was idle until then.
        busy_until += std::max(0.0, start + duration - busy_from);
        return start + duration;
    }
    if (start > busy_until) busy_from = busy_until = start;
    busy_until += duration;
    return busy_until;
}

MessageTimeline::MessageTimeline(const Grid& grid)
    : grid_(grid), costs_(grid.costs_together()), ways_(grid), ranks_(grid.ranks()) {}

void MessageTimeline::message(int from, int to, double bytes, double work) {
    Rank& sender = ranks_[from];
    if (!sender.sends) sender.clock = std::max(sender.clock, sender.sent.front());
    sender.sends = true;
    sender.clock += costs_.message(grid_.host(from) == grid_.host(to));
    const std::size_t first = way_.size();
    const double latency = add_way(grid_.host(from), grid_.host(to));
    messages_.push_back({from, to, bytes, work, sender.clock, latency, first, way_.size() - first});
}

double MessageTimeline::add_way(int from_host, int to_host) {
    links_on_way_.clear();
    const double latency = ways_.append(from_host, to_host, links_on_way_);
    while (static_cast<int>(links_.size()) < ways_.links()) {
        links_.push_back({ways_.seconds_per_byte(static_cast<int>(links_.size())), costs_.link_burst});
    }
    for (const int link : links_on_way_) way_.push_back({link});
    return latency;
}

void MessageTimeline::queue_on_links() {
    by_start_.clear();
    for (std::size_t i = 0; i < messages_.size(); ++i) by_start_.emplace_back(messages_[i].start, i);
    if (!std::ranges::is_sorted(by_start_)) std::ranges::sort(by_start_);
    const auto way_of = [&](const Message& message) {
        return std::span(way_).subspan(message.first_link, message.links);
    };
    for (const auto& [start, number] : by_start_) {
        const Message& message = messages_[number];
        for (LinkOnWay& on_way : way_of(message)) on_way.end = links_[on_way.number].carry(start, message.bytes);
    }
    for (const auto& [start, number] : by_start_ | std::views::reverse) {
        Message& message = messages_[number];
        message.arrival = start;
        for (const LinkOnWay& on_way : way_of(message)) {
            Link& link = links_[on_way.number];
            const bool shared = link.next_start < on_way.end;
            link.next_end = shared ? link.next_end : on_way.end;
            link.next_start = start;
            message.arrival = std::max(message.arrival, link.next_end);
        }
        message.arrival += message.latency;
    }
    for (const LinkOnWay& on_way : way_) links_[on_way.number].next_start = std::numeric_limits<double>::infinity();
}

void MessageTimeline::receive(const Message& message) {
    Rank &sender = ranks_[message.from], &receiver = ranks_[message.to];
    const bool is_local = grid_.host(message.from) == grid_.host(message.to);
    receiver.clock = std::max(receiver.clock, message.arrival);
    if (is_local) receiver.clock += message.bytes / costs_.local_bandwidth;
    sender.last_sent = std::max(sender.last_sent, receiver.clock);
    receiver.clock += message.work;
}

void MessageTimeline::end_step() {
    queue_on_links();
    for (const Message& message : messages_) receive(message);
    for (const Message& message : messages_) {
        Rank& sender = ranks_[message.from];
        if (!sender.sends) continue;
        std::ranges::rotate(sender.sent, sender.sent.begin() + 1);
        sender.sent.back() = sender.last_sent;
        sender.sends = false;
    }
    messages_.clear();
    way_.clear();
}

double MessageTimeline::latest() const {
    double latest = 0;
    for (const Rank& rank : ranks_) latest = std::max(latest, rank.clock);
    return latest;
}

}  // namespace coll_topo
