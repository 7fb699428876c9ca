// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/lane_turns.hpp"

#include <simgrid/s4u.hpp>

namespace coll_topo::simulate {

/// The memory of a host, which moves so many bytes/s for all its ranks together. Each moves its own at a rate of its
/// own at most; the rest is shared out evenly.
class Memory {
public:
    /// `host` does one flop for each byte. `bandwidth` is in bytes/s.
    Memory(simgrid::s4u::Host* host, double bandwidth, int ranks) : host_(host), enough_(bandwidth / ranks) {}

    /// Takes the time in which the calling rank moves so many bytes at `rate` bytes/s at most.
    void move(double bytes, double rate) const {
        if (rate <= enough_)
            simgrid::s4u::this_actor::sleep_for(bytes / rate);
        else
            simgrid::s4u::this_actor::exec_init(bytes)->set_bound(rate)->set_host(host_)->wait();
    }

private:
    simgrid::s4u::Host* host_;
    double enough_;  // bytes/s that every rank has, whatever the others do
};

/// The one thread of a rank. A lane whose turn it is goes on until it has started its next messages or must wait for
/// one.
class Processor {
public:
    Processor(const Memory& memory, bool first_lanes_first) : turns_(first_lanes_first), memory_(&memory) {}

    void take(int lane) {
        if (!turns_.take()) wait([&](const auto& turn) { turns_.wait(lane, turn); });
    }

    /// When no lane waits to send or combine.
    void take_to_copy() {
        if (!turns_.take()) wait([&](const auto& turn) { turns_.wait_to_copy(turn); });
    }
    /// Lets those lanes go first.
    void pause_copying() {
        wait([&](const auto& turn) {
            turns_.wait_to_go_on_copying(turn);
            give_up();
        });
    }

    /// When no lane has anything to do.
    void take_when_idle() {
        if (!turns_.take()) wait([&](const auto& turn) { turns_.wait_until_idle(turn); });
    }

    void give_up() {
        if (const auto next = turns_.give_up()) (*next)->release();
    }

    void reduced(double bytes) { turns_.reduced(bytes); }
    const Memory& memory() const { return *memory_; }

private:
    /// Until the semaphore that is enqueued is released.
    template <typename Enqueue>
    static void wait(Enqueue&& enqueue) {
        const simgrid::s4u::SemaphorePtr turn = simgrid::s4u::Semaphore::create(0);
        enqueue(turn);
        turn->acquire();
    }

    LaneTurns<simgrid::s4u::SemaphorePtr> turns_;
    const Memory* memory_;
};

}  // namespace coll_topo::simulate
