// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/replay/machine.hpp"
#include "coll_topo/schedule/lane_turns.hpp"

#include <coroutine>

namespace coll_topo::replay {

/// The one thread of a rank.
class Processor {
public:
    Processor(Machine& machine, bool first_lanes_first) : machine_(machine), turns_(first_lanes_first) {}

    /// To be awaited by a lane, which may have its turn: goes on when it has.
    auto take(int lane, bool& has_turn) {
        struct Turn {
            Processor& processor;
            int lane;
            bool& has_turn;
            bool await_ready() const noexcept { return has_turn || processor.turns_.take(); }
            void await_suspend(std::coroutine_handle<> waiting) const { processor.turns_.wait(lane, waiting); }
            void await_resume() const noexcept { has_turn = true; }
        };
        return Turn{*this, lane, has_turn};
    }

    /// The same to copy what came from a rank of the host, when no lane waits to send or combine.
    auto take_to_copy() {
        struct Turn {
            Processor& processor;
            bool await_ready() const noexcept { return processor.turns_.take(); }
            void await_suspend(std::coroutine_handle<> waiting) const { processor.turns_.wait_to_copy(waiting); }
            void await_resume() const noexcept {}
        };
        return Turn{*this};
    }
    /// Lets those lanes go first.
    auto pause_copying() {
        struct Turn {
            Processor& processor;
            bool await_ready() const noexcept { return false; }
            void await_suspend(std::coroutine_handle<> waiting) const {
                processor.turns_.wait_to_go_on_copying(waiting);
                processor.give_up();
            }
            void await_resume() const noexcept {}
        };
        return Turn{*this};
    }

    /// The same for what is done only when no lane has anything to do.
    auto take_when_idle() {
        struct Turn {
            Processor& processor;
            bool await_ready() const noexcept { return processor.turns_.take(); }
            void await_suspend(std::coroutine_handle<> waiting) const { processor.turns_.wait_until_idle(waiting); }
            void await_resume() const noexcept {}
        };
        return Turn{*this};
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
