// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/job_placement/job_placement.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// Directed links that lead out of a box of these sizes, in a mesh out of one that touches no edge; none in a dimension
/// that the box fills.
std::int64_t surface(const Torus& torus, const std::vector<int>& sizes);

/// The first hosts of a box of adjacent cells, across the edge where the torus is wrapped, all with a free host: of the
/// boxes that hold the job, and would not without one of their outer layers, one with the smallest surface, so that
/// little traffic of others passes and the shortest ways stay inside; among these the smallest, then the one with the
/// smallest diameter; of its places the one with the fewest free neighbours, so that large boxes stay free. Ranks go
/// along the first dimension first. The fabric is a torus or mesh. Fails if no free box is large enough.
Expected<JobPlacement> place_free_box(const Fabric& fabric, const Job& job);

}  // namespace coll_topo
