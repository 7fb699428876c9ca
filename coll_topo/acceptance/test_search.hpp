// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/acceptance/cable_test.hpp"

#include <vector>

namespace coll_topo::acceptance {

/// For every link that messages between these hosts take, at least one test that fills it; with as few other cables as
/// there are ways to choose: neighbours of a torus, hosts of a leaf. On switches, the messages for the link of a leaf
/// up go to the next leaf, and those for the link down come from the one after it, so that tests which share a link
/// differ in others. As many hosts send as it takes to fill the link. Where no choice of a few million routes fills a
/// link, the test that comes nearest stays.
/// Ordered so that tests which can run at once tend to follow each other. `hosts` is ascending.
std::vector<CableTest> find_cable_tests(const Fabric& fabric, LinkGraph& graph, const LinkCapacities& capacities,
                                        const std::vector<int>& hosts);

}  // namespace coll_topo::acceptance
