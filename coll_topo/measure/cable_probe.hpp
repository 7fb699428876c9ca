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
    int leader = 0;                ///< the rank that gives orders, the first of its host
    /// On the leading rank: called for each round that begins, and with the results so far and the number of rounds,
    /// also those left out, after each that has ended.
    std::function<void(const std::string&)> begin = {};
    std::function<void(const acceptance::CableMeasurement&, int)> ended = {};
    std::function<void()> waits = {};  ///< On others: called now and then while no order reaches them.
};

/// Runs the plan, the same on all ranks: the leading rank orders each round, and hears what the first rank of every
/// host has measured; all other ranks sleep. Where a rank does not answer, orders and answers are passed on by others.
/// A rank that is reached in no way is silent, and tests of its host are left out from then on. The leading rank has
/// the result, 0 for what was not measured; the others an empty one. Where something was not measured, the job cannot
/// end in MPI_Finalize.
acceptance::CableMeasurement probe_cables(MPI_Comm communicator, const acceptance::CablePlan& plan, LinkGraph& graph,
                                          const std::vector<int>& host_of_rank, const ProbeSettings& settings);

}  // namespace coll_topo::bench
