// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/replay/shared_links.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace coll_topo::replay {

void SharedLinks::clear() {
    messages_.clear();
    way_.clear();
    changed_.clear();
    ends_.clear();
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

void SharedLinks::add_end(const End& end) {
    ends_.push_back(end);
    std::ranges::push_heap(ends_, std::greater());
}

void SharedLinks::remove_next_end() {
    std::ranges::pop_heap(ends_, std::greater());
    ends_.pop_back();
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
    message.under_way = true;
    message.updated = now;
    if (message.links == 0) add_end({now, number, message.version});
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
    add_end({now + message.bytes / rate, number, ++message.version});
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
    set_rates(now);
}

double SharedLinks::next_end() {
    while (!ends_.empty() && ends_.front().version != messages_[ends_.front().message].version) remove_next_end();
    return ends_.empty() ? std::numeric_limits<double>::infinity() : ends_.front().time;
}

void SharedLinks::take_ended(double until, std::vector<int>& ended) {
    while (next_end() <= until) {
        const int number = ends_.front().message;
        remove_next_end();
        Message& message = messages_[number];
        message.under_way = false;
        ++message.version;
        for (const int link : way_of(message)) {
            auto& others = links_[link].messages;
            others.erase(std::ranges::find(others, number));
            visit(link);
        }
        ended.push_back(number);
    }
}

}  // namespace coll_topo::replay
