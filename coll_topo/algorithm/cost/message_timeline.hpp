// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/cost/message_ways.hpp"
#include "coll_topo/grid/grid.hpp"
#include "coll_topo/schedule/program.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coll_topo {

/// Predicts algorithms whose ranks are at work at different times, such as trees: each rank has a clock of its own, and
/// each link one that says until when it is busy. RankOrderCost, which lets all ranks begin every step together, takes
/// less time and suits those that do.
///
/// Messages of a step that are on a link at the same time share it until the last of them has passed; those of later
/// steps queue behind them. Time and memory grow with the messages of a step and the hops of their ways, and with the
/// number of ranks.
class MessageTimeline {
public:
    explicit MessageTimeline(const Grid& grid);

    /// From one rank to another: looked up once for all messages that take it.
    struct Way {
        int from;
        int to;
        std::uint32_t first_link;  // in links_on_ways_
        std::uint32_t links;
        double latency;
    };
    /// One that many messages are to take; none may have been added before.
    Way keep_way(int from, int to);

    /// Adds a message to the current step; the receiver spends `work` on it, seconds. Those of a rank start one after
    /// the other, and it goes on before they have arrived, as far as Step::passes_sends allows.
    void message(const Way& way, double bytes, double work = 0);
    void message(int from, int to, double bytes, double work = 0) { message(find_way(from, to), bytes, work); }
    /// Ends the current step: its receivers have got their messages.
    void end_step();

    /// When the last rank is done, in seconds from the beginning.
    double latest() const;

private:
    struct Message {
        Way way;
        double bytes;
        double work;
        double start;
        double arrival;
    };
    struct Rank {
        double clock = 0;
        double last_sent = 0;                            // when the messages of the current step have arrived
        std::array<double, most_steps_ahead> sent = {};  // the same of the steps before, oldest first
        bool sends = false;                              // in the current step
    };
    /// A message on a link.
    struct Passage {
        double start;
        std::size_t number;  // in messages_
        double end = 0;      // when the link has carried it, and those before it
    };
    struct Link {
        double seconds_per_byte = 0;
        double burst = 0;      // bytes that pass at once after a rest
        double busy_from = 0;  // the last time that is known of
        double busy_until = 0;
        std::size_t passages = 0;  // of the current step
        std::size_t begin = 0;     // of the next one, in passages_

        /// When it has carried the bytes of a message that is ready at `start`.
        double carry(double start, double bytes);
    };

    Way find_way(int from, int to);
    void queue_on_links();
    void queue_on(Link& link, std::span<Passage> passages);
    void receive(const Message& message);

    const Grid& grid_;
    const MachineCosts costs_;
    MessageWays ways_;
    std::vector<Rank> ranks_;
    std::vector<Link> links_;
    std::vector<Message> messages_;
    std::vector<int> links_on_ways_;  // first of those that are kept, then of the messages of the current step
    std::size_t kept_links_ = 0;
    std::vector<int> busy_links_;    // of the current step
    std::vector<Passage> passages_;  // link by link; kept for its memory
};

}  // namespace coll_topo
