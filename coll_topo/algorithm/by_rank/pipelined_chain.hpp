// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/schedule/builder.hpp"

/// Blocks that stream down a chain of ranks; see pipelined_chain.cpp.
namespace coll_topo::pipelined_chain {

/// Writes the lane of a rank between two others of a chain; -1 where it ends. The root has none before it. The vector
/// has `segments` blocks.
void write_lane(ProgramBuilder& builder, const Problem& problem, int rank, int before, int after);

}  // namespace coll_topo::pipelined_chain
