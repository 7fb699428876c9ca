// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/cost/message_ways.hpp"
#include "coll_topo/grid/grid.hpp"
#include "coll_topo/replay/host_memories.hpp"
#include "coll_topo/replay/shared_links.hpp"

#include <algorithm>
#include <coroutine>
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <vector>

namespace coll_topo::replay {

struct Message;

/// Where a lane of a rank waits for its messages.
struct Port {
    std::coroutine_handle<> blocked = nullptr;  ///< null: it is at work

    /// From a rank of its host, for it to move.
    void add_arrived(Message& message);
    /// The oldest of these; null if there is none.
    Message* take_arrived();

private:
    Message* oldest_ = nullptr;
    Message* newest_ = nullptr;
};

/// A message from when its first end has come to it.
struct Message {
    double bytes;
    int from;
    bool sent;                 ///< the sender has come
    Port* receiver = nullptr;  ///< null until it has come
    Port* sender = nullptr;    ///< null until it has come, or if it does not wait
    int on_links = -1;         ///< its number there, once it is on its way to another host
    bool ended = false;
    bool copied_last = false;         ///< from a rank of the host: lanes may send and combine before
    Message* arrived_next = nullptr;  ///< of those of its Port
};

/// The time, the links, and the messages on them.
class Machine {
public:
    /// The ways are those of the grid, and links theirs, with nothing on them.
    Machine(const Grid& grid, MessageWays& ways, SharedLinks& links);

    double now() const { return now_; }

    /// To be awaited: goes on so many seconds later.
    auto sleep(double seconds) {
        struct Sleep {
            Machine& machine;
            double seconds;
            bool await_ready() const noexcept { return seconds <= 0; }
            void await_suspend(std::coroutine_handle<> sleeper) const {
                machine.at(machine.now_ + seconds, sleeper, nullptr);
            }
            void await_resume() const noexcept {}
        };
        return Sleep{*this, seconds};
    }
    /// Likewise, once processors that all hosts share have spent so much on it, one after the other.
    auto share_processors(double seconds) {
        if (seconds > 0) processors_taken_ = std::max(processors_taken_, now_) + seconds;
        return sleep(seconds > 0 ? processors_taken_ - now_ : 0);
    }
    /// Likewise, once the memory of its host has moved so many bytes for this rank.
    auto move(int rank, MemoryWork work, double bytes) {
        struct Move {
            Machine& machine;
            int host;
            MemoryWork work;
            double bytes;
            bool await_ready() const noexcept { return bytes <= 0; }
            void await_suspend(std::coroutine_handle<> waiting) const {
                HostMemories& memories = machine.memories_;
                if (memories.is_enough(host, work))
                    machine.at(machine.now_ + bytes / memories.rate(work), waiting, nullptr);
                else
                    memories.begin(host, work, bytes, waiting, machine.now_);
            }
            void await_resume() const noexcept {}
        };
        return Move{*this, grid_.host(rank), work, bytes};
    }
    /// Goes on at this time, after those that were woken before.
    void wake(std::coroutine_handle<> sleeper) { ready_.push_back(sleeper); }
    void wake(Port& port) {
        if (port.blocked) wake(std::exchange(port.blocked, nullptr));
    }

    struct Ends {
        int from, to;
        int lane;
    };
    /// The port is told of the end of the message, if it waits for that; messages between the same ends match in order.
    Message& send(const Ends& ends, double bytes, Port* port);
    Message& receive(const Ends& ends, double bytes, Port& port);
    /// The receiver has moved what came from a rank of its host.
    void end(Message& message);

    bool within_host(const Ends& ends) const { return grid_.host(ends.from) == grid_.host(ends.to); }

    bool has_several_hosts() const { return grid_.hosts() > 1; }

    /// Until nobody is left who can go on, the time has passed the limit, or links have been shared out so often.
    void run(double limit, std::int64_t most_shares);

private:
    struct Event {
        double time;
        std::int64_t order;
        std::coroutine_handle<> sleeper;  // null:
        Message* message;                 // that takes its links
        bool operator>(const Event& other) const {
            return time != other.time ? time > other.time : order > other.order;
        }
    };

    void at(double time, std::coroutine_handle<> sleeper, Message* message) {
        events_.push({time, order_++, sleeper, message});
    }
    /// The message between these ends for which the other end waits, or a new one.
    Message& meet(const Ends& ends, double bytes, bool sends);
    void begin(const Ends& ends, Message& message);
    void go_on();

    const Grid& grid_;
    MessageWays& ways_;
    SharedLinks& links_;
    HostMemories memories_;
    double now_ = 0;
    double processors_taken_ = 0;  // until then
    std::int64_t order_ = 0;
    std::deque<Message> messages_;
    std::vector<Message*> on_links_;  // by number in links_
    std::vector<int> way_;            // of the message in hand
    std::vector<int> ended_;
    std::vector<std::vector<Message*>> unmatched_;  // by lane and receiver, oldest first
    std::vector<std::coroutine_handle<>> ready_, going_on_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
};

}  // namespace coll_topo::replay
