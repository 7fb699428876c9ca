// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/switch_graph.hpp"

#include <string>

namespace coll_topo {

/// What switches are, recognised by their wiring alone, in one line for people: a Latin-square fat tree, a multi-layer
/// full mesh, a tree, leaves and spines with their groups, or a network of so many levels.
std::string switch_summary(const SwitchGraph& graph);

}  // namespace coll_topo
