// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/acceptance/cable_plan.hpp"
#include "coll_topo/acceptance/measurement.hpp"

#include <mpi.h>
#include <functional>
#include <string>
#include <vector>

namespace coll_topo::bench {

/// How a plan is run, and who hears of it.
struct ProbeSettings {
    double seconds_of_round = 10;  ///< a rank that has not answered then is silent
    int first_round = 0;           ///< of all rounds of the plan; those before are left out
    /// On rank 0: called for each round that begins, and with the results so far and the number of rounds, also those
    /// left out, after each that has ended.
    std::function<void(const std::string&)> begin = {};
    std::function<void(const acceptance::CableMeasurement&, int)> ended = {};
};

/// Runs the plan, the same on all ranks: rank 0 orders each round, and hears what the first rank of every host has
/// measured; all other ranks sleep. Of a rank that is silent, tests of its host are left out from then on. Rank 0 has
/// the result, 0 for what was not measured; the others an empty one. Where some rank is silent, the job cannot end in
/// MPI_Finalize.
acceptance::CableMeasurement probe_cables(MPI_Comm communicator, const acceptance::CablePlan& plan,
                                          const acceptance::LinkCapacities& capacities,
                                          const std::vector<int>& host_of_rank, int hosts,
                                          const ProbeSettings& settings);

}  // namespace coll_topo::bench
