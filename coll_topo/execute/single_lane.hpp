// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/execute/data.hpp"
#include "coll_topo/execute/plan.hpp"
#include "coll_topo/execute/transport.h"

#include <cstddef>

namespace coll_topo {

/// Whether a program has one lane with at most one message each way in a step, as recursive doubling has.
bool is_single_lane(const Program& program);

/// Runs such a program step by step without cutting messages. The result is that of execute_lanes(), with less
/// bookkeeping, which the smallest messages notice. `staging` has room for the operand received in any step.
int execute_single_lane(const Program& program, coll_topo_transport& transport, const Data& data, std::byte* staging);

}  // namespace coll_topo
