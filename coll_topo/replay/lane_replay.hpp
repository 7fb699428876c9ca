// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/replay/machine.hpp"
#include "coll_topo/replay/processor.hpp"
#include "coll_topo/replay/task.hpp"
#include "coll_topo/schedule/message_sizes.hpp"
#include "coll_topo/schedule/program.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace coll_topo::replay {

/// What a rank does, and on what.
struct Rank {
    int number;
    const Program& program;
    const MessageSizes& sizes;
    Processor& processor;
};

/// One lane of one rank, as the executor runs it: receives are posted ahead, and a step begins while sends before it
/// are under way, as far as the program allows both.
class LaneReplay {
public:
    /// Lane::sends_at_once is for messages of more than `short_message` bytes.
    LaneReplay(Machine& machine, const MachineCosts& costs, const Rank& rank, int lane, double short_message);

    Task run();
    bool has_ended() const { return has_ended_; }

private:
    struct Transfer {
        const Action* action;
        const Message* message;

        bool has_ended() const { return message->ended; }
    };
    using Transfers = std::vector<Transfer>;
    struct StepInFlight {
        std::int32_t step;
        Transfers sends = {};
        Transfers receives = {};  // in lanes with a window

        bool has_ended() const;
    };

    double bytes(const Action& action) const { return static_cast<double>(rank_.sizes.bytes(action)); }
    const Lane& lane() const { return rank_.program.lanes[lane_]; }
    Machine::Ends to(const Action& send) const { return {rank_.number, send.peer, lane_}; }
    Transfers post_receives(const Step& step);
    void post_ahead(std::int32_t now);
    std::size_t most_behind(const Step& step) const { return windowed_ ? limit_ - 1 : step.passes_sends; }
    bool is_limited(const Action& send) const;
    bool works(const Step& step) const;
    void end_turn();

    Task work(double seconds);
    Task send(const Action& action);
    Task send_all(const Step& step, const Transfers& receives);
    Task exchange(const Step& step, Transfers receives);
    Task end(Transfer receive);
    Task reduce(const Action& action);
    Task work_on_own_data(const Step& step);
    Task end_steps(std::size_t most);
    /// Moves what has come from a rank of the host, or else waits until something has ended.
    Task progress();
    Task wait_for(Transfer transfer);
    Task wait_for_all(const Transfers& transfers);

    Machine& machine_;
    const MachineCosts& costs_;
    const Rank rank_;
    const int lane_;
    const double short_message_;
    const bool windowed_;      // several steps in flight
    const std::size_t limit_;  // of these, or else of the sends of a step; 0: none
    Port port_;
    std::deque<Transfers> ahead_;      // receives posted, of the steps to come
    std::deque<StepInFlight> behind_;  // of the steps so far, the current one last
    Transfers under_way_;              // if there is a limit
    std::size_t received_ = 0;         // of the current step
    bool has_turn_ = false;            // on the processor
    bool has_ended_ = false;
};

}  // namespace coll_topo::replay
