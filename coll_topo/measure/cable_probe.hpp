// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/acceptance/cable_plan.hpp"
#include "coll_topo/acceptance/measurement.hpp"

#include <mpi.h>
#include <functional>
#include <string>
#include <vector>

namespace coll_topo::bench {

/// Runs the plan, the same on all ranks: rank 0 orders each round, and hears what the first rank of every host has
/// measured; all other ranks sleep. A rank that has not answered so many seconds after the others is silent from then
/// on, and tests of its host are left out. Rank 0 has the result; the others an empty one. `begin` is called there for
/// each round. Where some rank is silent, the job cannot end in MPI_Finalize.
acceptance::CableMeasurement probe_cables(MPI_Comm communicator, const acceptance::CablePlan& plan,
                                          const acceptance::LinkCapacities& capacities,
                                          const std::vector<int>& host_of_rank, int hosts, double seconds_of_round,
                                          const std::function<void(const std::string&)>& begin);

}  // namespace coll_topo::bench
