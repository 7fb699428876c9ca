// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/cost/message_timeline.hpp"

#include <algorithm>
#include <limits>
#include <ranges>
#include <utility>

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

MessageTimeline::Way MessageTimeline::find_way(int from, int to) {
    const auto first = static_cast<std::uint32_t>(links_on_ways_.size());
    const double latency = ways_.append(grid_.host(from), grid_.host(to), links_on_ways_);
    while (static_cast<int>(links_.size()) < ways_.links()) {
        links_.push_back({ways_.seconds_per_byte(static_cast<int>(links_.size())), costs_.link_burst});
    }
    return {from, to, first, static_cast<std::uint32_t>(links_on_ways_.size()) - first, latency};
}

MessageTimeline::Way MessageTimeline::keep_way(int from, int to) {
    const Way way = find_way(from, to);
    kept_links_ = links_on_ways_.size();
    return way;
}

void MessageTimeline::message(const Way& way, double bytes, double work) {
    Rank& sender = ranks_[way.from];
    if (!sender.sends) sender.clock = std::max(sender.clock, sender.sent.front());
    sender.sends = true;
    sender.clock += costs_.message(grid_.host(way.from) == grid_.host(way.to));
    messages_.push_back({way, bytes, work, sender.clock, sender.clock});
    for (const int link : std::span(links_on_ways_).subspan(way.first_link, way.links)) {
        if (links_[link].passages++ == 0) busy_links_.push_back(link);
    }
}

void MessageTimeline::queue_on_links() {
    std::size_t passages = 0;
    for (const int link : busy_links_) links_[link].begin = std::exchange(passages, passages + links_[link].passages);
    passages_.resize(passages);
    for (std::size_t number = 0; number < messages_.size(); ++number) {
        const Message& message = messages_[number];
        for (const int link : std::span(links_on_ways_).subspan(message.way.first_link, message.way.links)) {
            passages_[links_[link].begin++] = {message.start, number};
        }
    }
    passages = 0;
    for (const int number : busy_links_) {
        Link& link = links_[number];
        queue_on(link, std::span(passages_).subspan(passages, link.passages));
        passages += std::exchange(link.passages, 0);
    }
    busy_links_.clear();
    for (Message& message : messages_) message.arrival += message.way.latency;
}

void MessageTimeline::queue_on(Link& link, std::span<Passage> passages) {
    constexpr auto start_and_number = [](const Passage& passage) { return std::pair(passage.start, passage.number); };
    if (!std::ranges::is_sorted(passages, {}, start_and_number)) std::ranges::sort(passages, {}, start_and_number);
    for (Passage& passage : passages) passage.end = link.carry(passage.start, messages_[passage.number].bytes);
    // From the last one to the first: those that meet the next one have passed when it has.
    double next_start = std::numeric_limits<double>::infinity(), end = 0;
    for (const Passage& passage : passages | std::views::reverse) {
        if (next_start >= passage.end) end = passage.end;
        next_start = passage.start;
        double& arrival = messages_[passage.number].arrival;
        arrival = std::max(arrival, end);
    }
}

void MessageTimeline::receive(const Message& message) {
    Rank &sender = ranks_[message.way.from], &receiver = ranks_[message.way.to];
    const bool is_local = grid_.host(message.way.from) == grid_.host(message.way.to);
    receiver.clock = std::max(receiver.clock, message.arrival);
    if (is_local) receiver.clock += message.bytes / costs_.local_bandwidth;
    sender.last_sent = std::max(sender.last_sent, receiver.clock);
    receiver.clock += message.work;
}

void MessageTimeline::end_step() {
    queue_on_links();
    for (const Message& message : messages_) receive(message);
    for (const Message& message : messages_) {
        Rank& sender = ranks_[message.way.from];
        if (!sender.sends) continue;
        std::ranges::rotate(sender.sent, sender.sent.begin() + 1);
        sender.sent.back() = sender.last_sent;
        sender.sends = false;
    }
    messages_.clear();
    links_on_ways_.resize(kept_links_);
}

double MessageTimeline::latest() const {
    double latest = 0;
    for (const Rank& rank : ranks_) latest = std::max(latest, rank.clock);
    return latest;
}

}  // namespace coll_topo
