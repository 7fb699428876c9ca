// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/fabric/link_graph.hpp"
#include "coll_topo/tool/output/json_writer.hpp"

#include <utility>
#include <vector>

namespace coll_topo::tool {

/// Writes the member "links": an object for each directed link, {"from", "to", "bandwidth", "latency"}, in bytes/s (0:
/// not known) and seconds.
void write_links(JsonWriter& json, const LinkGraph& network);

/// Writes the member "routes": for each pair of hosts {"pair": [names], "links": [indices into "links"]}. Pairs without
/// a route are left out.
void write_routes(JsonWriter& json, LinkGraph& network, const std::vector<std::pair<int, int>>& pairs);

/// Writes the members of a network as coll-topo-network.schema.json describes them, with the routes between all hosts
/// if they are wanted.
void write_network(JsonWriter& json, const Fabric& fabric, LinkGraph& network, bool routes);

}  // namespace coll_topo::tool
