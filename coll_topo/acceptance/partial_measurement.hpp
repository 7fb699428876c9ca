// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/acceptance/cable_plan.hpp"
#include "coll_topo/acceptance/measurement.hpp"

namespace coll_topo::acceptance {

/// All rounds of a plan: of latency, then alone, then together.
int number_of_rounds(const CablePlan& plan);

/// What two runs have measured: the first all rounds before `next`, perhaps more, the second those from `next` on.
CableMeasurement joined(const CablePlan& plan, const CableMeasurement& first, int next, const CableMeasurement& second);

}  // namespace coll_topo::acceptance
