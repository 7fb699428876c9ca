// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"

/// Predicted seconds of messages directly between the root and everyone else, as linear.cpp sends them.
namespace coll_topo::linear {

/// So many bytes to each: a bcast, or a scatter of pieces.
double send_seconds(const Grid& grid, int root, double bytes);
/// A piece from each.
double gather_seconds(const Grid& grid, int root, double piece);
double reduce_seconds(const Grid& grid, int root, double bytes);

}  // namespace coll_topo::linear
