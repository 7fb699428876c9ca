// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"
#include "coll_topo/replay/end_queue.hpp"

#include <array>
#include <coroutine>
#include <cstdint>
#include <vector>

namespace coll_topo::replay {

/// What a rank moves: what comes from its host, what it combines, what it copies; each at a rate of its own.
enum class MemoryWork : std::uint8_t { receive, reduce, copy };

/// The memories of hosts, each of which moves so many bytes/s for all that its ranks do at a time: everything at its
/// own rate at most, and the rest is shared out evenly, max-min fair.
class HostMemories {
public:
    /// The grid must outlive it.
    explicit HostMemories(const Grid& grid);

    /// Bytes/s of one that is alone.
    double rate(MemoryWork work) const { return rates_[static_cast<int>(work)]; }
    /// Whether it goes on at that rate whatever the other ranks of the host do.
    bool is_enough(int host, MemoryWork work) const {
        return rate(work) * static_cast<double>(grid_.ranks_of_host(host).size()) <= bandwidth_;
    }

    /// Of one where that is not so: whoever waits for it is to be told of its end. Times never go back.
    void begin(int host, MemoryWork work, double bytes, std::coroutine_handle<> waiting, double now);
    /// When the next one ends; infinite if there is none.
    double next_end() const;
    /// Appends who waits for those that end until then, in this order.
    void take_ended(double until, std::vector<std::coroutine_handle<>>& waiting);

private:
    static constexpr int kinds = 3;  // of MemoryWork

    struct Move {
        double end;  // bytes that each of its kind will have moved since the beginning
        std::int64_t order;
        std::coroutine_handle<> waiting;
        bool operator>(const Move& other) const { return end != other.end ? end > other.end : order > other.order; }
    };
    /// All moves of a kind go on at the same rate.
    struct Kind {
        std::vector<Move> moves;  // a heap, the first to end in front
        double moved = 0;         // bytes of each, since the beginning
        double rate = 0;
    };
    struct Memory {
        std::array<Kind, kinds> of_kind;
        double updated = 0;
    };

    void update(Memory& memory, double now) const;
    /// Shares out the bandwidth anew.
    void share(int host);

    const Grid& grid_;
    const double bandwidth_;
    const std::array<double, kinds> rates_;
    std::vector<Memory> memories_;  // by host
    EndQueue ends_;                 // of hosts
    std::int64_t order_ = 0;
};

}  // namespace coll_topo::replay
