// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// Whether the shape of the network gives no cycle past all hosts of which neighbours' messages share no cable.
bool lacks_cycle(const Grid& grid);
/// Whether hosts are few enough to look for one there.
bool cycle_can_be_packed(const Grid& grid);

/// All hosts in the order of a cycle whose neighbours' messages, both ways round at the same time, share cables as
/// little as can be, beginning with `cycle`. See packed_cycle.cpp.
std::vector<std::int32_t> packed_cycle(const Grid& grid, std::vector<std::int32_t> cycle);

}  // namespace coll_topo
