// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/import/torus_search.hpp"

#include <utility>

namespace coll_topo::importing {

/// A torus in which some neighbours have no cable between them, as where one is broken.
struct TorusWithGaps {
    SwitchTorus torus;
    std::vector<std::pair<int, int>> gaps;  ///< pairs of switches
};

/// Finds a torus of which at most three pairs of neighbours have lost all their cables: of switches with fewer
/// neighbours than others, pairs are joined until there is a torus. Meshes, whose switches at the edges have fewer
/// neighbours anyway, are only found whole.
std::optional<TorusWithGaps> find_torus_with_gaps(const Wiring& wiring, const TorusWanted& wanted);

}  // namespace coll_topo::importing
