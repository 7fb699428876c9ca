// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/replay/machine.hpp"
#include "coll_topo/replay/processor.hpp"
#include "coll_topo/replay/sized_program.hpp"
#include "coll_topo/replay/task.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace coll_topo::replay {

/// What is the same for all lanes.
struct Setting {
    Machine& machine;
    FramePool& frames;
    const MachineCosts& costs;
    double short_message;     ///< Lane::sends_at_once is for messages of more bytes
    double waiting_for_turn;  ///< until a rank that has waited goes on: seconds
};

/// What a rank does, and on what.
struct Rank {
    int number;
    const SizedProgram& sized;
    Processor& processor;
};

/// One lane of one rank, as the executor runs it: receives are posted ahead, and a step begins while sends before it
/// are under way, as far as the program allows both.
class LaneReplay {
public:
    LaneReplay(const Setting& setting, const Rank& rank, int lane);

    Task run();
    bool has_ended() const { return has_ended_; }
    FramePool& frames() const { return setting_.frames; }

private:
    struct Transfer {
        const Action* action;
        const Message* message;

        bool has_ended() const { return message->ended; }
    };
    using Transfers = std::span<const Transfer>;
    /// Where those of a step are in sends_ and receives_.
    struct StepTransfers {
        std::size_t first_send = 0, end_send = 0;
        std::size_t waited_for = 0, end_receive = 0;  // of receives, those before are done with
    };

    double bytes(const Action& action) const { return rank_.sized.bytes_of(action); }
    const Program& program() const { return rank_.sized.program; }
    const Lane& lane() const { return program().lanes[lane_]; }
    const Step& step_at(std::int32_t step) const { return program().steps[step]; }
    Machine::Ends to(const Action& send) const { return {rank_.number, send.peer, lane_}; }

    StepTransfers& of(std::int32_t step) { return steps_[step - lane().begin_step]; }
    Transfers sends_of(std::int32_t step);
    /// Without those that have been waited for.
    Transfers receives_of(std::int32_t step);
    bool step_has_ended(std::int32_t step);

    void post_receives(std::int32_t step);
    void post_ahead();
    std::int32_t most_behind(const Step& step) const {
        return windowed_ ? static_cast<std::int32_t>(limit_) - 1 : step.passes_sends;
    }
    bool is_limited(const Action& send) const;
    bool works(const Step& step) const;
    void end_turn();

    /// To be awaited before work.
    auto turn() { return rank_.processor.take(lane_, has_turn_); }
    auto move(MemoryWork work, double bytes) { return setting_.machine.move(rank_.number, work, bytes); }
    /// Whether its sender does not wait until the receiver has moved it, if it is within a host.
    bool is_short(const Action& action) const {
        return bytes(action) <= setting_.costs.message_time * setting_.costs.local_bandwidth;
    }
    void send(const Action& action);
    bool some_have_ended(const Transfer* receive) const;

    Task send_all();
    Task exchange();
    Task end(Transfer receive);
    Task work_on_own_data();
    /// Waits for the oldest one in flight.
    Task end_step();
    /// Of steps begun, whether more than so many are in flight.
    bool must_end_step(std::int32_t most);
    /// Moves what has come from a rank of the host, or else waits until something has ended.
    Task progress();
    Task copy_last(Message& message);
    Task wait_for_all(Transfers transfers);
    /// To be awaited once for all that a step has waited for.
    auto wake() {
        const bool has_waited = std::exchange(has_waited_, false);
        return setting_.machine.share_processors(has_waited ? setting_.costs.waking_time() : 0);
    }

    const Setting& setting_;
    const Rank rank_;
    const int lane_;
    const std::int32_t first_;  // step
    const bool windowed_;       // several steps in flight
    const std::size_t limit_;   // of these, or else of the sends of a step; 0: none
    Port port_;
    std::vector<StepTransfers> steps_;
    std::vector<Transfer> sends_, receives_;  // so far
    std::int32_t oldest_;                     // step that is in flight
    std::int32_t now_;                        // the step begun last; before oldest_: none is in flight
    std::int32_t posted_;                     // the first step whose receives are not posted
    std::vector<Transfer> under_way_;         // of the sends of the current step, if there is a limit
    bool has_turn_ = false;                   // on the processor
    bool has_waited_ = false;                 // since the last wake()
    bool has_ended_ = false;
};

/// What a rank copies late.
class LateCopyReplay {
public:
    LateCopyReplay(const Setting& setting, const Rank& rank) : setting_(setting), rank_(rank) {}

    Task run();
    FramePool& frames() const { return setting_.frames; }

private:
    const Setting& setting_;
    const Rank rank_;
};

}  // namespace coll_topo::replay
