// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"

/// Breadth-first reduce-scatter and allgather; see bfb.cpp.
namespace coll_topo::bfb {

double seconds(const Grid& grid, const Problem& problem, double bytes);
Program build(const Grid& grid, const Problem& problem, int rank);

}  // namespace coll_topo::bfb
