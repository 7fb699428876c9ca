// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/link_graph.hpp"
#include "coll_topo/tool/scenario/scenario.hpp"

#include <ostream>
#include <vector>

namespace coll_topo::tool {

/// Writes a plan as share/coll-topo-plan.schema.json describes it: the programs of the given ranks, and with `routes`
/// the route between every two hosts of which one sends to the other.
void write_plan_json(std::ostream& out, const Scenario& scenario, const Candidate& candidate, const Schedule& schedule,
                     LinkGraph& network, const std::vector<int>& ranks, bool routes);

}  // namespace coll_topo::tool
