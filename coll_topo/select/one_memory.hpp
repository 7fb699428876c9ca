// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/select/decision.hpp"

namespace coll_topo {

/// In a trial all ranks, of whatever hosts, share one memory, and may take turns on its processors. What is right for
/// the network may have too many messages there, or too many that wait for one another: then a reference is chosen
/// instead that is predicted to be clearly faster there. Whether one is; else the decision, which has chosen, stays.
bool choose_for_one_memory(const Grid& grid, const Request& request, const Preferences& preferences,
                           Decision& decision);

}  // namespace coll_topo
