// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/switch_graph.hpp"
#include "coll_topo/input/statement.hpp"

#include <span>

namespace coll_topo {

/// Reads the Route statements into a graph that is complete but for its routes. Fails on switches, hosts and cables
/// that are not there, on a second route for a switch and host, and on routes by which messages never arrive.
Expected<void> read_routes(std::span<const Statement> statements, const NameTable& hosts, SwitchGraph& graph);

}  // namespace coll_topo
