// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/torus.hpp"
#include "coll_topo/grid/grid.hpp"

namespace coll_topo {

/// A torus with the axes of a grid without switches, routed as the file says: the cell of a place has its number. An
/// axis of two places that is a ring has two cables, each with half of its bandwidth.
Torus torus_of_axes(const Grid& grid);

}  // namespace coll_topo
