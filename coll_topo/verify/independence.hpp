// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/schedule/program.hpp"

namespace coll_topo::verify {

/// Finds actions in flight together that touch the same blocks: within a step, between a step and early receives of
/// later ones, between sends under way and the steps that pass them, between the steps of a window, and between lanes.
/// Needs a program of sound form.
Expected<void> check_independence(Collective collective, const Program& program, int rank, int ranks);

}  // namespace coll_topo::verify
