// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/acceptance/cable_test.hpp"

namespace coll_topo::acceptance {

/// The part of find_cable_tests for switches: the cables of hosts first, then those between switches.
std::vector<CableTest> find_switch_tests(const SwitchGraph& switches, LinkGraph& graph,
                                         const LinkCapacities& capacities, const std::vector<int>& hosts);

}  // namespace coll_topo::acceptance
