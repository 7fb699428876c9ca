// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/cost/message_ways.hpp"
#include "coll_topo/grid/grid.hpp"
#include "coll_topo/schedule/program.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
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

    /// Adds a message to the current step; the receiver spends `work` on it, seconds. Those of a rank start one after
    /// the other, and it goes on before they have arrived, as far as Step::passes_sends allows.
    void message(int from, int to, double bytes, double work = 0);
    /// Ends the current step: its receivers have got their messages.
    void end_step();

    /// When the last rank is done, in seconds from the beginning.
    double latest() const;

private:
    struct Message {
        int from;
        int to;
        double bytes;
        double work;
        double start;
        double latency;
        std::size_t first_link;  // in way_
        std::size_t links;
        double arrival = 0;
    };
    struct LinkOnWay {
        int number;      // in links_
        double end = 0;  // when it has carried the message, and those before it
    };
    struct Rank {
        double clock = 0;
        double last_sent = 0;                            // when the messages of the current step have arrived
        std::array<double, most_steps_ahead> sent = {};  // the same of the steps before, oldest first
        bool sends = false;                              // in the current step
    };
    struct Link {
        double seconds_per_byte = 0;
        double burst = 0;      // bytes that pass at once after a rest
        double busy_from = 0;  // the last time that is known of
        double busy_until = 0;
        // Of the current step, which is gone through from its last message to its first: when the next one starts, and
        // when the link is idle after that.
        double next_start = std::numeric_limits<double>::infinity();
        double next_end = 0;

        /// When it has carried the bytes of a message that is ready at `start`.
        double carry(double start, double bytes);
    };

    /// Appends the links of the way to way_; its latency, seconds.
    double add_way(int from_host, int to_host);
    void queue_on_links();
    void receive(const Message& message);

    const Grid& grid_;
    const MachineCosts costs_;
    MessageWays ways_;
    std::vector<Rank> ranks_;
    std::vector<Link> links_;
    std::vector<Message> messages_;
    std::vector<LinkOnWay> way_;
    std::vector<int> links_on_way_;                         // kept for its memory, as the next one
    std::vector<std::pair<double, std::size_t>> by_start_;  // numbers in messages_
};

}  // namespace coll_topo
