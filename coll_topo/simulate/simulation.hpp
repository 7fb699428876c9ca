// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/simulate/child_process.hpp"
#include "coll_topo/verify/proof.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// When a step was in progress, in seconds from the start of the collective.
struct StepTime {
    double begin = -1;
    double end = -1;  ///< less than `begin`: it never ended
};

/// What came out of running a schedule on a simulated machine.
struct Simulation {
    double seconds = 0;                        ///< until the last rank was done
    std::vector<std::uint64_t> link_bytes;     ///< by link of LinkGraph: what it carried
    std::vector<std::vector<StepTime>> steps;  ///< by rank and step, numbered within the rank's program
};

/// What is simulated besides the network.
struct SimulationSettings {
    /// Whether messages, combining and copying take time of the ranks (MachineCosts), and messages within a host take
    /// any. Without, only the links limit, as in the bounds.
    bool software_costs = true;
    /// Whether no rank starts a step before all have ended the one before, as if barriers that cost nothing stood
    /// between the steps. Papers often count like that. A schedule whose partners are in different steps gets stuck.
    bool lockstep = false;
    /// The most messages of a lane under way at once, begun in the order of its schedule; 0: whatever the schedule
    /// posts together. The number of communication controllers in papers on alltoall.
    int sends_at_once = 0;
    /// Seconds: messages that would end so shortly after another end with it, by that much too early. Between every two
    /// ends the simulator shares out all links anew; a coarser resolution makes it faster where ranks drift apart.
    double resolution = 1e-12;
};

/// Runs the schedule of a collective on `bytes` of data (as in Request) in the fluid network simulator SimGrid, in a
/// process of its own. Fails if the messages do not match, the network does not connect those who talk, the file leaves
/// open a bandwidth, or the schedule gets stuck, naming rank, lane and step.
Expected<Simulation> simulate_schedule(const Schedule& schedule, Collective collective, std::uint64_t bytes,
                                       const Fabric& fabric, const Placement& placement,
                                       const SimulationSettings& settings = {},
                                       const simulate::Progress& progress = {});

}  // namespace coll_topo
