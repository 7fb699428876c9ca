// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/cartesian.hpp"
#include "coll_topo/simulate/bounds.hpp"

namespace coll_topo::simulate {

/// The bound for neighbourhood collectives, of `bytes` for as many neighbours as the topology has at most:
/// - cables: the pieces that a host must get from other hosts, over all its cables; in neighbor_allgather each once;
/// - copying: what its ranks get, over its cables and from each other, or from themselves;
/// - messages: one of each rank.
Bound neighbor_bound(Collective collective, double bytes, const Cartesian& cartesian, const MachineCosts& costs,
                     const LinkGraph& graph, const Placement& placement);

}  // namespace coll_topo::simulate
