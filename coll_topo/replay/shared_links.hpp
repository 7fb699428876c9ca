// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/replay/end_queue.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace coll_topo::replay {

/// Messages that are on links at the same time share them max-min fairly: no message could go faster but at the cost of
/// one that is no faster than itself. Only what shares links with those that begin or end is shared out anew. After a
/// rest a link passes a burst of so many bytes at once, as limiters of virtual links do (Machine LinkBurst=).
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

    /// Appends the messages that end until then, which leave their links.
    void take_ended(double until, std::vector<int>& ended);

private:
    struct Message {
        std::uint32_t first_link, links;  // in way_
        double bytes;                     // left at `updated`
        double rate = 0;
        double updated = 0;
        bool visited = false;
    };
    struct Link {
        double bandwidth = 0;
        bool known = false;
        bool visited = false;
        std::vector<int> messages;
        double free = 0;   // bandwidth of those that have no rate yet; then what no message takes
        int waiting = 0;   // of the messages
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
    void visit(int link);
    void collect();
    void set_rates(double now);
    void set_rate(int number, double rate, double now);

    std::function<double(int)> seconds_per_byte_;
    const double burst_;
    std::vector<Message> messages_;
    std::vector<int> way_;
    std::vector<Link> links_;
    std::vector<int> changed_;   // links; and those that share messages with them, once collected
    std::vector<int> affected_;  // messages
    std::int64_t shares_ = 0;
    std::vector<int> open_;  // links whose messages still wait for a rate
    EndQueue ends_;
};

}  // namespace coll_topo::replay
