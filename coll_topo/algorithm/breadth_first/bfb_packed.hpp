// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"

/// Breadth-first reduce-scatter and allgather in few messages; see bfb_packed.cpp.
namespace coll_topo::bfb_packed {

double seconds(const Grid& grid, const Problem& problem, double bytes);
Program build(const Grid& grid, const Problem& problem, int rank);

}  // namespace coll_topo::bfb_packed
