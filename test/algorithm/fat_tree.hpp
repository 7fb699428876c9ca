// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/grid/grid.hpp"
#include "test/algorithm/machine.hpp"

#include <vector>

namespace coll_topo::test {

/// The cables of all fat trees here.
inline constexpr SwitchLink cable{0, 0, 1, 10e9, 1e-6};

/// Hosts n0, n1, … on the leaves of a graph.
Fabric fabric_of(SwitchGraph graph);

/// The fat tree of 36 hosts: a multi-layer full mesh of switches with 6 ports, 4 groups of 3 leaves of 3 hosts.
Fabric mesh_of_36_hosts();

/// A fat tree with `leaves[g]` leaves in group g, which share a spine of their own, next to one for all groups.
Fabric grouped_fat_tree(const std::vector<int>& leaves, int hosts_per_leaf);

/// Such a fat tree of 1 to 12 groups of 1 to 3 leaves of 1 to 4 hosts, and `ranks` ranks anywhere on it.
Machine roll_fat_tree(int ranks, std::uint32_t seed);

}  // namespace coll_topo::test
