// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/link_graph.hpp"

#include <span>

namespace coll_topo {

/// What some hosts together can send to others at most, bytes/s, if all traffic may take any route. The cables of the
/// hosts themselves count. (Dinic, "Algorithm for solution of a problem of maximum flow in networks with power
/// estimation", Soviet Math. Doklady 11, 1970.)
double max_flow(const LinkGraph& graph, std::span<const int> from, std::span<const int> to);

}  // namespace coll_topo
