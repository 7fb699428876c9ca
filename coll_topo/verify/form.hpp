// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/schedule/program.hpp"

namespace coll_topo::verify {

/// Finds what is wrong with a program by itself: steps that belong to no lane or to two, unknown enumerators, blocks
/// outside their buffer, reductions where nothing is to be combined, peers that do not exist, two messages one way
/// between two ranks in a step, scratch in an order that the executor cannot follow. All other checks rely on this one.
Expected<void> check_form(Collective collective, const Program& program, int rank, int ranks);

}  // namespace coll_topo::verify
