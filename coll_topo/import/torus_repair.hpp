// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/import/torus_search.hpp"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace coll_topo::importing {

/// A torus that has lost a switch, or all cables between some neighbours.
struct RepairedTorus {
    SwitchTorus torus;                           ///< with the lost switch, the last one
    std::vector<std::pair<int, int>> gaps = {};  ///< pairs of switches without a cable
    std::vector<int> around_lost_switch = {};    ///< its neighbours; empty: none is lost
};

/// What finds the torus that a wiring without losses is.
using TorusFinder = std::function<std::optional<SwitchTorus>(const Wiring&)>;

/// Finds a torus that lacks one switch, or at most three pairs of neighbours all their cables: of switches with fewer
/// neighbours than others, all are joined to one more switch, or in pairs, until there is a torus. Meshes, whose
/// switches at the edges have fewer neighbours anyway, are only found whole.
std::optional<RepairedTorus> find_torus_with_losses(const Wiring& wiring, const TorusFinder& find);

}  // namespace coll_topo::importing
