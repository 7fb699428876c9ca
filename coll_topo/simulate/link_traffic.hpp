// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/link_graph.hpp"
#include "coll_topo/grid/placement.hpp"
#include "coll_topo/verify/proof.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo::simulate {

/// The bytes that the messages of a schedule put on each directed link of the graph, by link. Fails if the network does
/// not connect two hosts that talk, or if the file leaves open the bandwidth of a link in use.
Expected<std::vector<std::uint64_t>> link_traffic(const Schedule& schedule, Collective collective, std::uint64_t bytes,
                                                  LinkGraph& graph, const Placement& placement);

}  // namespace coll_topo::simulate
