// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/switch_graph.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// By switch: the group of a leaf, or -1 for switches without hosts. Leaves wired to the same set of upper switches
/// form a group, so that several routes join any two of its leaves; groups are numbered by their first leaf.
std::vector<std::int32_t> leaf_groups(const SwitchGraph& graph);

}  // namespace coll_topo
