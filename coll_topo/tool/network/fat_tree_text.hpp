// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/switch_graph.hpp"

#include <ostream>

namespace coll_topo::tool {

/// What the wiring of a fat tree is recognised as: the grid and the parallel classes of a Latin square, or the groups
/// of leaves with the same spines. Nothing for other networks, for a single group, and for planes of more than 100
/// leaves.
void write_fat_tree(std::ostream& out, const SwitchGraph& graph);

}  // namespace coll_topo::tool
