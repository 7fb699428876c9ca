// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <simgrid/s4u.hpp>

#include <algorithm>
#include <vector>

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

/// The one thread of a rank, which serves its lanes in turn, or after much work the first one that waits
/// (Program::first_lanes_first). A lane whose turn it is goes on until it has started its next messages or must wait
/// for one. All as in the executor.
class Processor {
public:
    Processor(const Memory& memory, bool first_lanes_first) : first_lanes_first_(first_lanes_first), memory_(&memory) {}

    void take(int lane) {
        if (busy_) {
            waiting_.push_back({lane, simgrid::s4u::Semaphore::create(0)});
            // What a lane waits for is kept here only until its turn comes.
            const simgrid::s4u::SemaphorePtr turn = waiting_.back().turn;
            turn->acquire();
        }
        busy_ = true;
    }

    void give_up() {
        busy_ = !waiting_.empty();
        if (!busy_) return;
        auto next = waiting_.begin();
        if (first_lanes_first_ && reduced_ >= long_bytes) next = std::ranges::min_element(waiting_, {}, &Waiting::lane);
        reduced_ = 0;
        const simgrid::s4u::SemaphorePtr turn = next->turn;
        waiting_.erase(next);
        turn->release();
    }

    void reduced(double bytes) { reduced_ += bytes; }
    const Memory& memory() const { return *memory_; }

private:
    static constexpr double long_bytes = 64 * 1024;  // LanesRun::reduced_long

    struct Waiting {
        int lane;
        simgrid::s4u::SemaphorePtr turn;
    };

    bool first_lanes_first_;
    bool busy_ = false;
    double reduced_ = 0;            // bytes, since the turn was given
    std::vector<Waiting> waiting_;  // those that came first at the front
    const Memory* memory_;
};

}  // namespace coll_topo::simulate
