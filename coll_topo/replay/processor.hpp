// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/replay/machine.hpp"

#include <algorithm>
#include <coroutine>
#include <vector>

namespace coll_topo::replay {

/// The one thread of a rank, which serves its lanes in turn, or after much work the first one that waits
/// (Program::first_lanes_first), as in the executor.
class Processor {
public:
    Processor(Machine& machine, bool first_lanes_first) : machine_(machine), first_lanes_first_(first_lanes_first) {}

    /// To be awaited: goes on when it is the lane's turn.
    auto take(int lane) {
        struct Turn {
            Processor& processor;
            int lane;
            bool await_ready() const noexcept { return !std::exchange(processor.busy_, true); }
            void await_suspend(std::coroutine_handle<> waiting) { processor.waiting_.push_back({lane, waiting}); }
            void await_resume() const noexcept {}
        };
        return Turn{*this, lane};
    }

    void give_up() {
        busy_ = !waiting_.empty();
        if (!busy_) return;
        auto next = waiting_.begin();
        if (first_lanes_first_ && reduced_ >= long_bytes) next = std::ranges::min_element(waiting_, {}, &Waiting::lane);
        reduced_ = 0;
        machine_.wake(next->handle);
        waiting_.erase(next);
    }

    void reduced(double bytes) { reduced_ += bytes; }

private:
    static constexpr double long_bytes = 64 * 1024;  // LanesRun::reduced_long

    struct Waiting {
        int lane;
        std::coroutine_handle<> handle;
    };

    Machine& machine_;
    bool first_lanes_first_;
    bool busy_ = false;
    double reduced_ = 0;            // bytes, since the turn was given
    std::vector<Waiting> waiting_;  // those that came first at the front
};

}  // namespace coll_topo::replay
