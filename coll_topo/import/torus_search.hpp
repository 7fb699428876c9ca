// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/import/wiring.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace coll_topo::importing {

/// Switches at the cells of a torus or mesh. Dimensions have at least two switches.
struct SwitchTorus {
    std::vector<int> sizes = {};
    std::vector<bool> wrapped = {};
    std::vector<std::vector<int>> coordinates = {};  ///< by switch, then by dimension
};

/// Whether a torus that was found is the one that is looked for.
using TorusWanted = std::function<bool(const SwitchTorus&)>;

/// Finds the dimensions of a torus or mesh of switches from the cables alone; nothing if it is none, or has a hole.
/// Each neighbour of one switch is tried in each direction; from there, all others follow: the switch at v+a+b is the
/// one other neighbour that v+a and v+b have in common. Of what can be told in several ways, such as a ring of 4 and a
/// mesh of 2x2, the one with fewer dimensions comes first.
std::optional<SwitchTorus> find_torus(const Wiring& wiring, const TorusWanted& wanted);

}  // namespace coll_topo::importing
