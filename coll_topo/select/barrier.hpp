// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"

namespace coll_topo {

/// Predicted seconds of a barrier as other modules do it: each rank tells those 1, 2, 4, ... further on, or in pairs.
double rank_order_barrier_seconds(const Grid& grid);

}  // namespace coll_topo
