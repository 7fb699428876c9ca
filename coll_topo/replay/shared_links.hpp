// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/replay/end_queue.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace coll_topo::replay {

/// Messages that are on links at the same time share them max-min fairly: no message could go faster but at the cost of
/// one that is no faster than itself. That is so if each has a bottleneck, a full link on which none is faster. When
/// messages begin or end, only those get another share whose bottleneck changes. After a rest a link passes a burst of
/// so many bytes at once, as limiters of virtual links do (Machine LinkBurst=).
class SharedLinks {
public:
    /// Numbers of links may be used without notice; `seconds_per_byte` of one is asked for once.
    explicit SharedLinks(std::function<double(int link)> seconds_per_byte, double burst = 0)
        : seconds_per_byte_(std::move(seconds_per_byte)), burst_(burst) {}

    /// As at the beginning; what is known of links, and memory, are kept.
    void clear();

    /// A message that is to take these links, 0 or more; its number, ascending from 0.
    int add(std::span<const int> way, double bytes);
    /// From now on it takes its links. Times never go back.
    void begin(int message, double now);

    /// Shares out what has changed. To be called before the time goes on.
    void share(double now);
    /// When the next message ends; infinite if there is none.
    double next_end() const;
    /// How often a message was given its share so far: that is what takes the caller's time.
    std::int64_t shares() const { return shares_; }

    /// Appends the messages that end until then, which leave their links. Of very many that share links some end up to
    /// a thousandth of their time too early, together with others.
    void take_ended(double until, std::vector<int>& ended);

private:
    struct Message {
        std::uint32_t first_link, links;  // in way_
        double bytes;                     // left at `updated`
        double rate = 0;
        double begun = 0, updated = 0;
        double next_rate = 0;
        int bottleneck = -1;  // the full link that decides on its rate; none before it has one
        bool affected = false;
    };
    struct Link {
        double bandwidth = 0;
        bool known = false;
        bool changed = false;
        bool touched = false;
        bool full = false;
        std::vector<int> messages;
        double free = 0;   // bandwidth that no message takes
        double left = 0;   // by messages that have ended, not yet in `free`
        double open = 0;   // for affected messages that have no next rate yet; then what none takes
        int waiting = 0;   // of affected messages
        double level = 0;  // of the messages whose bottleneck it has just become; negative: of none
        double burst = 0;  // what it would have passed at once at `rested`
        double rested = 0;
    };
    std::span<const int> way_of(const Message& message) const {
        return std::span(way_).subspan(message.first_link, message.links);
    }
    /// As if no message had been on it for long.
    void rest(Link& link) const;
    /// What it has not carried since then it can pass at once, up to the burst.
    void save(Link& link, double now) const;
    /// What all links of the way pass at once.
    double take_burst(const Message& message, double now);
    void change(int link);
    void touch(int link, double now);
    void affect(int message, double now);
    void fill();
    void set_next_rate(int message, double rate, int bottleneck);
    bool affect_more(double now);
    void set_rates(double now);
    /// Whether the next one does until then.
    bool ends(double until) const;

    std::function<double(int)> seconds_per_byte_;
    const double burst_;
    std::vector<Message> messages_;
    std::vector<int> way_;
    std::vector<Link> links_;
    std::vector<int> changed_;   // links that other messages take than before
    std::vector<int> touched_;   // links of those and of affected messages
    std::vector<int> affected_;  // messages that may get another rate
    std::vector<int> open_;      // links whose affected messages still wait for a rate
    std::size_t last_affected_ = 0;
    std::int64_t shares_ = 0;
    EndQueue ends_;
};

}  // namespace coll_topo::replay
