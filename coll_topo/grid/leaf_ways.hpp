// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/grid/leaf_arrangement.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace coll_topo {

/// LeafArrangement::ways, from the routes between pairs of leaves: each leaf, or each of a sample, with the next one of
/// its group and with one outside. `hosts` are those of the fabric, in the order of the arrangement.
std::array<Way, 3> find_ways(const Fabric& fabric, std::span<const std::int32_t> hosts,
                             const LeafArrangement& arrangement);

/// LeafArrangement::uplink_bandwidth.
double find_uplink_bandwidth(const SwitchGraph& graph, std::span<const std::int32_t> hosts,
                             const LeafArrangement& arrangement);

}  // namespace coll_topo
