// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/in_order/line_tree.hpp"

#include <span>

namespace coll_topo {

/// The program of a rank in an allreduce or reduce in which blocks stream through trees of lines, one after the other:
/// the vector is cut into Problem::segments blocks for each tree. A step is a slot of a round. In allreduce a round has
/// the slots of reduce, then those of bcast, which go the same ways back; in reduce the top sends the result to the
/// root if it is another rank.
Program build_line_pipeline(const Problem& problem, int rank, std::span<const LineTree> trees);

/// Seconds of that for `bytes`, for trees whose lines are those of the grid.
double line_pipeline_seconds(const Grid& grid, const Problem& problem, double bytes, std::span<const LineTree> trees);

}  // namespace coll_topo
