// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/machine_costs.hpp"
#include "coll_topo/simulate/local_port.hpp"
#include "coll_topo/simulate/platform.hpp"
#include "coll_topo/simulate/replay.hpp"

#include <simgrid/s4u.hpp>

#include <memory>
#include <vector>

namespace coll_topo::simulate {

/// What all lanes know.
struct Run {
    const Schedule& schedule;
    const Platform& platform;
    const MachineCosts& costs;
    const SimulationSettings& settings;
    Simulation& result;
    const Progress& progress;
    std::int64_t steps = 0;
    std::int64_t steps_done = 0;
    /// Bytes that leave a rank while it begins the next message: Lane::sends_at_once does not matter to so few.
    double short_message = 0;
    /// In lockstep, behind the first step of each lane, the second, ...
    std::vector<simgrid::s4u::BarrierPtr> barriers = {};
    std::vector<std::vector<LocalPort>> ports = {};  ///< by rank and lane

    void count_step() {
        constexpr std::int64_t reports = 100;
        const std::int64_t before = steps_done++ * reports / steps;
        if (progress && steps_done * reports / steps > before) {
            progress(static_cast<double>(steps_done) / static_cast<double>(steps));
        }
    }
};

/// A message under way, seen from one end.
struct Transfer {
    const Action* action;
    simgrid::s4u::CommPtr message;        ///< null within a host
    std::shared_ptr<LocalMessage> local;  ///< null between hosts

    /// Negative while it has not ended. Not by test(): SimGrid keeps a record of each message that was only tested, and
    /// searches all records for every later message.
    double end() const { return local ? local->moved : message->get_finish_time(); }
    bool has_ended() const { return end() >= 0; }
};

}  // namespace coll_topo::simulate
