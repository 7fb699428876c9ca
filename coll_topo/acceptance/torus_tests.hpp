// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/acceptance/cable_test.hpp"

namespace coll_topo::acceptance {

/// The part of find_cable_tests for a torus: link by link.
std::vector<CableTest> find_torus_tests(const Fabric& fabric, LinkGraph& graph, const LinkCapacities& capacities,
                                        const std::vector<int>& hosts);

}  // namespace coll_topo::acceptance
