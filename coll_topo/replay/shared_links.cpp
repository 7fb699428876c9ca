// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/replay/shared_links.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace coll_topo::replay {
namespace {

constexpr double rounding = 1e-9;

// Where so many messages get new rates each time that one ends, others of nearly the same time end with it.
constexpr std::size_t many = 128;
constexpr double about_now = 1e-3;  // of the time that they have taken

bool is_faster(double rate, double than) {
    return rate > than * (1 + rounding);
}

bool is_full(double open, double bandwidth) {
    return open <= rounding * bandwidth;
}

}  // namespace

void SharedLinks::clear() {
    messages_.clear();
    way_.clear();
    changed_.clear();
    ends_.clear();
    shares_ = 0;
    last_affected_ = 0;
    for (Link& link : links_) {
        link.messages.clear();
        rest(link);
    }
}

void SharedLinks::rest(Link& link) const {
    link.free = link.bandwidth;
    link.left = 0;
    link.full = link.changed = false;
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
    message.begun = message.updated = now;
    if (message.links == 0) ends_.set(number, now);
    if (burst_ > 0) message.bytes -= take_burst(message, now);
    for (const int link : way_of(message)) {
        links_[link].messages.push_back(number);
        change(link);
    }
}

void SharedLinks::change(int number) {
    Link& link = links_[number];
    if (!link.changed) changed_.push_back(number);
    link.changed = true;
}

void SharedLinks::touch(int number, double now) {
    Link& link = links_[number];
    if (link.touched) return;
    link.touched = true;
    touched_.push_back(number);
    if (burst_ > 0) save(link, now);
    link.free = link.messages.empty() ? link.bandwidth : link.free + link.left;
    link.left = 0;
}

void SharedLinks::affect(int number, double now) {
    Message& message = messages_[number];
    if (message.affected) return;
    message.affected = true;
    affected_.push_back(number);
    for (const int link : way_of(message)) touch(link, now);
}

void SharedLinks::set_next_rate(int number, double rate, int bottleneck) {
    Message& message = messages_[number];
    message.next_rate = rate;
    message.bottleneck = bottleneck;
    for (const int on_way : way_of(message)) {
        links_[on_way].open -= rate;
        --links_[on_way].waiting;
    }
}

/// As if those that are not affected kept their rates. The link with the least for each of its messages decides on
/// these; so on with what is left of the others.
void SharedLinks::fill() {
    constexpr double none = -1;
    for (const int number : touched_) {
        Link& link = links_[number];
        link.open = link.free;
        link.waiting = 0;
        link.level = none;
    }
    for (const int number : affected_) {
        Message& message = messages_[number];
        message.next_rate = none;
        for (const int link : way_of(message)) {
            links_[link].open += message.rate;
            ++links_[link].waiting;
        }
    }
    shares_ += static_cast<std::int64_t>(affected_.size());
    open_.clear();
    std::ranges::copy_if(touched_, std::back_inserter(open_), [&](int number) { return links_[number].waiting > 0; });
    while (!open_.empty()) {
        double least = std::numeric_limits<double>::infinity();
        for (const int number : open_) least = std::min(least, links_[number].open / links_[number].waiting);
        least = std::max(least, 0.0);
        for (const int number : open_) {
            Link& link = links_[number];
            if (link.waiting == 0 || is_faster(link.open / link.waiting, least)) continue;
            link.level = least;
            for (const int message : link.messages) {
                if (messages_[message].affected && messages_[message].next_rate == none)
                    set_next_rate(message, least, number);
            }
        }
        std::erase_if(open_, [&](int number) { return links_[number].waiting == 0; });
    }
}

/// Others are affected if they are faster than those that now have the same bottleneck, or if theirs is none any more.
bool SharedLinks::affect_more(double now) {
    const std::size_t affected = affected_.size(), touched = touched_.size();
    for (std::size_t i = 0; i < touched; ++i) {
        const int number = touched_[i];
        const Link& link = links_[number];
        const bool full = is_full(link.open, link.bandwidth);
        if (!full && !link.full) continue;
        double fastest = 0;
        for (const int other : link.messages) {
            if (messages_[other].affected) fastest = std::max(fastest, messages_[other].next_rate);
        }
        for (const int other : link.messages) {
            const Message& message = messages_[other];
            if (message.affected) continue;
            const bool is_too_fast = link.level >= 0 && is_faster(message.rate, link.level);
            const bool is_released = message.bottleneck == number && (!full || is_faster(fastest, message.rate));
            if (is_too_fast || is_released) affect(other, now);
        }
    }
    return affected_.size() > affected;
}

void SharedLinks::set_rates(double now) {
    for (const int number : affected_) {
        Message& message = messages_[number];
        message.affected = false;
        if (message.rate == message.next_rate) continue;
        message.bytes = std::max(0.0, message.bytes - message.rate * (now - message.updated));
        message.updated = now;
        message.rate = message.next_rate;
        ends_.set(number, now + message.bytes / message.rate);
    }
    for (const int number : touched_) {
        Link& link = links_[number];
        link.free = link.open;
        link.full = is_full(link.open, link.bandwidth);
        link.touched = false;
    }
    affected_.clear();
    touched_.clear();
}

void SharedLinks::share(double now) {
    if (changed_.empty()) return;
    for (const int number : changed_) {
        links_[number].changed = false;
        touch(number, now);
        for (const int other : links_[number].messages) {
            const int bottleneck = messages_[other].bottleneck;
            if (bottleneck == number || bottleneck < 0) affect(other, now);
        }
    }
    changed_.clear();
    do fill();
    while (affect_more(now));
    last_affected_ = affected_.size();
    set_rates(now);
}

double SharedLinks::next_end() const {
    return ends_.empty() ? std::numeric_limits<double>::infinity() : ends_.next_time();
}

bool SharedLinks::ends(double until) const {
    if (next_end() <= until) return true;
    if (ends_.empty() || last_affected_ < many) return false;
    return next_end() - until <= about_now * (until - messages_[ends_.next()].begun);
}

void SharedLinks::take_ended(double until, std::vector<int>& ended) {
    while (ends(until)) {
        const int number = ends_.next();
        ends_.remove_next();
        Message& message = messages_[number];
        for (const int link : way_of(message)) {
            auto& others = links_[link].messages;
            others.erase(std::ranges::find(others, number));
            links_[link].left += message.rate;
            change(link);
        }
        ended.push_back(number);
    }
}

}  // namespace coll_topo::replay
