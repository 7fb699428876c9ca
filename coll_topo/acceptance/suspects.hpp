// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/acceptance/fault.hpp"
#include "coll_topo/acceptance/shortfall.hpp"

#include <vector>

namespace coll_topo::acceptance {

/// All other orders of the dimensions of a torus; none where there are too many.
std::vector<Fault> orders(const Fabric& file);

/// Faults that may explain a shortfall: of the links and hosts that have most part in it, up to a few hundred. How slow
/// a link is follows from the tests.
std::vector<Fault> suspects(const CablePlan& plan, const Fabric& file, const LinkGraph& graph, const Cluster& cluster,
                            const Shortfall& shortfall);

}  // namespace coll_topo::acceptance
