// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/replay/machine.hpp"
#include "coll_topo/schedule/lane_turns.hpp"

#include <coroutine>
#include <utility>

namespace coll_topo::replay {

/// Whoever awaits this goes on at once if it has its turn, else when it gets it, for which `wait` enqueues it.
template <typename Wait>
class Turn {
public:
    Turn(bool has_turn, Wait wait) : has_turn_(has_turn), wait_(wait) {}

    bool await_ready() const noexcept { return has_turn_; }
    void await_suspend(std::coroutine_handle<> waiting) const { wait_(waiting); }
    void await_resume() const noexcept {}

private:
    bool has_turn_;
    Wait wait_;
};

/// The one thread of a rank. What gives a turn is to be awaited where it is called.
class Processor {
public:
    Processor(Machine& machine, bool first_lanes_first) : machine_(machine), turns_(first_lanes_first) {}

    /// For a lane, which may have its turn.
    auto take(int lane, bool& has_turn) {
        return Turn(std::exchange(has_turn, true) || turns_.take(),
                    [this, lane](std::coroutine_handle<> waiting) { turns_.wait(lane, waiting); });
    }

    /// To copy what came from a rank of the host, when no lane waits to send or combine.
    auto take_to_copy() {
        return Turn(turns_.take(), [this](std::coroutine_handle<> waiting) { turns_.wait_to_copy(waiting); });
    }
    /// Lets those lanes go first.
    auto pause_copying() {
        return Turn(false, [this](std::coroutine_handle<> waiting) {
            turns_.wait_to_go_on_copying(waiting);
            give_up();
        });
    }

    /// For what is done only when no lane has anything to do.
    auto take_when_idle() {
        return Turn(turns_.take(), [this](std::coroutine_handle<> waiting) { turns_.wait_until_idle(waiting); });
    }

    void give_up() {
        if (const auto next = turns_.give_up()) machine_.wake(*next);
    }

    void reduced(double bytes) { turns_.reduced(bytes); }

private:
    Machine& machine_;
    LaneTurns<std::coroutine_handle<>> turns_;
};

}  // namespace coll_topo::replay
