// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/measure/measuring_plan.hpp"
#include "coll_topo/tool/tune/measured_costs.hpp"

#include <mpi.h>
#include <functional>
#include <string>

namespace coll_topo::bench {

/// How often each thing is measured.
struct MeasuringLimits {
    int trials = 9;       ///< at most
    double seconds = 40;  ///< for everything, in equal shares; three trials are made in any case
};

/// Collective over the ranks of the plan. Adds what could be measured to `costs`, equal on all ranks; `begin` is called
/// with the name of what comes next.
void measure_cluster(MPI_Comm communicator, const MeasuringPlan& plan, bool torus, const MeasuringLimits& limits,
                     const std::function<void(const std::string&)>& begin, tool::MeasuredCosts& costs);

}  // namespace coll_topo::bench
