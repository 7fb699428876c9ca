// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/late_copies.hpp"
#include "coll_topo/schedule/message_sizes.hpp"
#include "coll_topo/simulate/processor.hpp"
#include "coll_topo/simulate/run.hpp"

#include <simgrid/s4u.hpp>

#include <algorithm>

namespace coll_topo::simulate {

/// The actor that copies what a rank copies late: the steps of copies with which its lanes begin.
class LateCopyActor {
public:
    LateCopyActor(Run& run, const MessageSizes& sizes, Processor& processor, int rank)
        : run_(run), sizes_(sizes), processor_(processor), rank_(rank) {}

    void operator()() {
        const Program& program = run_.schedule[rank_];
        const double begin = simgrid::s4u::Engine::get_clock();
        copy(bytes_of_late_copies(program, sizes_));
        for (const Lane& lane : program.lanes) {
            for (std::int32_t step = lane.begin_step; step < first_step_with_messages(program, lane); ++step) {
                run_.result.steps[rank_][step] = {begin, simgrid::s4u::Engine::get_clock()};
                run_.count_step();
            }
        }
    }

private:
    void copy(std::uint64_t bytes) {
        if (!run_.settings.software_costs) return;
        // Lanes let other actors run before they take their first turn.
        simgrid::s4u::this_actor::sleep_for(run_.costs.message_time / 2);
        const std::uint64_t share = late_copy_share(bytes);
        for (std::uint64_t copied = 0; copied < bytes; copied += share) {
            processor_.take_when_idle();
            processor_.memory().move(static_cast<double>(std::min(share, bytes - copied)), run_.costs.copy_bandwidth);
            processor_.give_up();
        }
    }

    Run& run_;
    const MessageSizes& sizes_;
    Processor& processor_;
    int rank_;
};

}  // namespace coll_topo::simulate
