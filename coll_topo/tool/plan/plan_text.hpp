// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/link_graph.hpp"
#include "coll_topo/tool/scenario/scenario.hpp"

#include <ostream>
#include <vector>

namespace coll_topo::tool {

/// Writes what the given ranks do, step by step, in words: all of it, or the first steps of each lane.
void write_plan_text(std::ostream& out, const Scenario& scenario, const Candidate& candidate, const Schedule& schedule,
                     LinkGraph& network, const std::vector<int>& ranks, bool all);

}  // namespace coll_topo::tool
