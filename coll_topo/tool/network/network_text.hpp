// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/fabric.hpp"

#include <ostream>

namespace coll_topo::tool {

/// Draws a network with characters: the planes of a torus as grids of names, the switches each with what is below and
/// above it. Above 400 hosts, counts instead of names.
void write_network_text(std::ostream& out, const Fabric& fabric);

}  // namespace coll_topo::tool
