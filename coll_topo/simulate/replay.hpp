// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/machine_costs.hpp"
#include "coll_topo/simulate/child_process.hpp"
#include "coll_topo/simulate/platform.hpp"
#include "coll_topo/simulate/simulation.hpp"

#include <cstdint>

namespace coll_topo::simulate {

/// Runs all lanes of all ranks on the platform as the executor does: lanes are independent; a step posts its receives
/// and its sends and ends when all of them, and its local work, are done; receives of the next step are posted early
/// where the program allows it; a message starts when both its sides are posted. With software costs, a rank is one
/// processor that does one thing at a time for all its lanes: starting a message, combining, copying. What a lane has
/// combined it passes on before another lane combines. With several hosts, what comes from a rank of the same host is
/// copied when no lane waits to send or combine, a part at a time. Messages are not cut: combining starts when all of a
/// message has arrived. Can be called once in a process.
Simulation replay(const Schedule& schedule, Collective collective, std::uint64_t bytes, const Platform& platform,
                  const MachineCosts& costs, const SimulationSettings& settings, const Progress& progress);

}  // namespace coll_topo::simulate
