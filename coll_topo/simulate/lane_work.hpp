// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/message_sizes.hpp"
#include "coll_topo/schedule/work_at_once.hpp"
#include "coll_topo/simulate/processor.hpp"
#include "coll_topo/simulate/run.hpp"

#include <simgrid/s4u.hpp>

#include <algorithm>

namespace coll_topo::simulate {

/// What a lane has the processor of its rank do, in its turns: it begins messages, moves what came from ranks of the
/// host, combines and copies. None of it takes any time where software costs none.
class LaneWork {
public:
    LaneWork(const Run& run, const MessageSizes& sizes, Processor& processor, int rank, int lane)
        : run_(run), sizes_(sizes), processor_(processor), rank_(rank), lane_(lane) {}

    /// Whether the message is one that its receiver moves.
    bool moves_within_host(const Action& action) const {
        return run_.settings.software_costs && run_.platform.same_host(rank_, action.peer);
    }

    /// The sender of so few bytes does not wait until the receiver has moved them.
    bool is_buffered(const Action& action) const {
        return bytes(action) <= run_.costs.message_time * run_.costs.local_bandwidth;
    }

    void begin_message(const Action& action) {
        const double seconds = run_.costs.message(run_.platform.same_host(rank_, action.peer));
        if (!run_.settings.software_costs || seconds <= 0) return;
        take_turn();
        simgrid::s4u::this_actor::sleep_for(seconds);
    }

    /// Moves what has come from a rank of the host.
    void move_arrived(const Action& receive) {
        if (is_copied_last(receive))
            copy_last(receive);
        else
            move(receive, run_.costs.local_bandwidth);
    }

    void reduce(const Action& action) {
        move(action, run_.costs.reduce_bandwidth);
        processor_.reduced(bytes(action));
    }

    void copy(const Action& action) { move(action, run_.costs.copy_bandwidth); }

    void end_turn() {
        if (has_turn_) processor_.give_up();
        has_turn_ = false;
    }

private:
    double bytes(const Action& action) const { return static_cast<double>(sizes_.bytes(action)); }

    void take_turn() {
        if (!has_turn_) processor_.take(lane_);
        has_turn_ = true;
    }

    /// At `rate` bytes/s, or as fast as the memory of the host allows.
    void move(const Action& action, double rate) {
        if (!run_.settings.software_costs) return;
        take_turn();
        processor_.memory().move(bytes(action), rate);
    }

    /// Whether other lanes may send and combine before it is copied: their messages to other hosts are not to wait.
    bool is_copied_last(const Action& receive) const {
        return receive.kind == ActionKind::receive && !is_buffered(receive) && run_.platform.has_several_hosts();
    }

    void copy_last(const Action& receive) {
        end_turn();
        processor_.take_to_copy();
        for (double left = bytes(receive); left > 0; left -= copied_at_once) {
            processor_.memory().move(std::min<double>(left, copied_at_once), run_.costs.local_bandwidth);
            if (left > copied_at_once) processor_.pause_copying();
        }
        processor_.give_up();
    }

    const Run& run_;
    const MessageSizes& sizes_;
    Processor& processor_;
    int rank_;
    int lane_;
    bool has_turn_ = false;
};

}  // namespace coll_topo::simulate
