// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/grid/leaf_arrangement.hpp"

#include <cstdint>
#include <span>

namespace coll_topo {

/// LeafArrangement::alltoall_bandwidth: follows the routes from every leaf to every host. 0 if they are too many to
/// follow, or no link's bandwidth is known. `hosts` are those of the fabric, in the order of the arrangement.
double find_alltoall_bandwidth(const Fabric& fabric, std::span<const std::int32_t> hosts,
                               const LeafArrangement& arrangement);

}  // namespace coll_topo
