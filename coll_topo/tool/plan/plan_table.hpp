// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/link_graph.hpp"
#include "coll_topo/tool/scenario/scenario.hpp"

#include <ostream>
#include <vector>

namespace coll_topo::tool {

/// Writes a plan as procedure tables: for each of the given ranks, which ranks it sends to and receives from in each
/// round (verify/rounds.hpp). Rounds of one kind, such as those along columns, share a table unless it gets too wide;
/// ranks without a message in it are left out. Fails if the schedule comes to a standstill.
Expected<void> write_plan_table(std::ostream& out, const Scenario& scenario, const Candidate& candidate,
                                const Schedule& schedule, LinkGraph& network, const std::vector<int>& ranks);

}  // namespace coll_topo::tool
