// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/replay/shared_links.hpp"

#include <algorithm>
#include <limits>

namespace coll_topo::replay {

void SharedLinks::clear() {
    messages_.clear();
    way_.clear();
    changed_.clear();
    ends_.clear();
    shares_ = 0;
    for (Link& link : links_) {
        link.messages.clear();
        link.visited = false;
        rest(link);
    }
}

void SharedLinks::rest(Link& link) const {
    link.free = link.bandwidth;
    link.burst = burst_;
    link.rested = 0;
}

void SharedLinks::save(Link& link, double now) const {
    link.burst = std::min(burst_, link.burst + link.free * (now - link.rested));
    link.rested = now;
}

double SharedLinks::take_burst(const Message& message, double now) {
    double bytes = message.bytes;
    for (const int number : way_of(message)) {
        save(links_[number], now);
        bytes = std::min(bytes, links_[number].burst);
    }
    for (const int number : way_of(message)) links_[number].burst -= bytes;
    return bytes;
}

int SharedLinks::add(std::span<const int> way, double bytes) {
    const auto first = static_cast<std::uint32_t>(way_.size());
    for (const int number : way) {
        if (number >= static_cast<int>(links_.size())) links_.resize(number + 1);
        Link& link = links_[number];
        if (!link.known) {
            const double seconds = seconds_per_byte_(number);
            link.bandwidth = seconds > 0 ? 1 / seconds : std::numeric_limits<double>::infinity();
            link.known = true;
            rest(link);
        }
        if (link.bandwidth < std::numeric_limits<double>::infinity()) way_.push_back(number);
    }
    messages_.push_back({first, static_cast<std::uint32_t>(way_.size()) - first, bytes});
    return static_cast<int>(messages_.size()) - 1;
}

void SharedLinks::begin(int number, double now) {
    Message& message = messages_[number];
    message.updated = now;
    if (message.links == 0) ends_.set(number, now);
    if (burst_ > 0) message.bytes -= take_burst(message, now);
    for (const int link : way_of(message)) {
        links_[link].messages.push_back(number);
        visit(link);
    }
}

void SharedLinks::visit(int link) {
    if (links_[link].visited) return;
    links_[link].visited = true;
    changed_.push_back(link);
}

/// All links, and all messages on them, that share anything with those that have changed.
void SharedLinks::collect() {
    affected_.clear();
    for (std::size_t i = 0; i < changed_.size(); ++i) {
        for (const int number : links_[changed_[i]].messages) {
            Message& message = messages_[number];
            if (message.visited) continue;
            message.visited = true;
            affected_.push_back(number);
            for (const int link : way_of(message)) visit(link);
        }
    }
}

void SharedLinks::set_rate(int number, double rate, double now) {
    Message& message = messages_[number];
    message.visited = false;
    for (const int on_way : way_of(message)) {
        links_[on_way].free -= rate;
        --links_[on_way].waiting;
    }
    if (message.rate == rate) return;
    message.bytes = std::max(0.0, message.bytes - message.rate * (now - message.updated));
    message.updated = now;
    message.rate = rate;
    ends_.set(number, now + message.bytes / rate);
}

/// The link with the least for each of its messages decides on these; so on with what is left of the others.
void SharedLinks::set_rates(double now) {
    open_.clear();
    for (const int number : changed_) {
        Link& link = links_[number];
        link.visited = false;
        if (burst_ > 0) save(link, now);
        link.free = link.bandwidth;
        link.waiting = static_cast<int>(link.messages.size());
        if (link.waiting > 0) open_.push_back(number);
    }
    changed_.clear();
    while (!open_.empty()) {
        constexpr double rounding = 1 + 1e-12;
        double least = std::numeric_limits<double>::infinity();
        for (const int number : open_) least = std::min(least, links_[number].free / links_[number].waiting);
        for (const int number : open_) {
            const Link& link = links_[number];
            if (link.waiting == 0 || link.free / link.waiting > least * rounding) continue;
            for (const int message : link.messages) {
                if (messages_[message].visited) set_rate(message, least, now);
            }
        }
        std::erase_if(open_, [&](int number) { return links_[number].waiting == 0; });
    }
}

void SharedLinks::share(double now) {
    if (changed_.empty()) return;
    collect();
    shares_ += static_cast<std::int64_t>(affected_.size());
    set_rates(now);
}

double SharedLinks::next_end() const {
    return ends_.empty() ? std::numeric_limits<double>::infinity() : ends_.next_time();
}

void SharedLinks::take_ended(double until, std::vector<int>& ended) {
    while (next_end() <= until) {
        const int number = ends_.next();
        ends_.remove_next();
        Message& message = messages_[number];
        for (const int link : way_of(message)) {
            auto& others = links_[link].messages;
            others.erase(std::ranges::find(others, number));
            visit(link);
        }
        ended.push_back(number);
    }
}

}  // namespace coll_topo::replay
