// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

/// The one thread of a rank, which serves its lanes in turn. A lane whose turn it is goes on until it has started its
/// next messages or must wait for one, as in the executor.
class Processor {
public:
    explicit Processor(const Memory& memory) : memory_(&memory) {}

    void take() { free_->lock(); }
    void give_up() { free_->unlock(); }
    const Memory& memory() const { return *memory_; }

private:
    simgrid::s4u::MutexPtr free_ = simgrid::s4u::Mutex::create();
    const Memory* memory_;
};

}  // namespace coll_topo::simulate
