// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/torus_routes.hpp"
#include "coll_topo/grid/grid.hpp"

namespace coll_topo {

/// The routes of messages between the hosts of a grid without switches, in the part of the torus that these span.
TorusRoutes host_routes(const Grid& grid);

}  // namespace coll_topo
