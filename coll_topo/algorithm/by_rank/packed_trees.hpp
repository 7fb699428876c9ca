// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"
#include "coll_topo/schedule/program.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// By host: that from which it gets data, -1 for the host of the root.
using HostParents = std::vector<std::int32_t>;

/// Spanning trees over hosts, all from the same one, that share cables as little as can be, wherever the hosts stand.
/// See packed_trees.cpp. Made for some hundred hosts. The grid remembers them.
const std::vector<HostParents>& packed_trees(const Grid& grid, int root_host, int trees, Collective collective);

}  // namespace coll_topo
