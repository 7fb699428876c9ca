// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/switch_graph.hpp"
#include "coll_topo/input/name_register.hpp"

#include <span>
#include <vector>

namespace coll_topo {

/// Remarks on switches that probably only a typing error brought into being: they have no SwitchName, are named by one
/// Link only, and either have one cable where their neighbour's others lead to switches with several, or the name of
/// another switch but for two letters that are swapped. At most a few remarks; the last one tells of the rest.
/// Switches from `first_implied` on have no SwitchName; `statement_of_link` is where each link was given.
std::vector<Error> doubtful_switches(const SwitchGraph& graph, const NameRegister& switches, int first_implied,
                                     std::span<const char* const> statement_of_link);

}  // namespace coll_topo
