// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/acceptance/rounds.hpp"

#include <vector>

namespace coll_topo::acceptance {

/// Rounds that tell which hosts are at a leaf where it has as many uplinks as hosts, so that all messages run at full
/// speed wherever hosts are: each host gets a message from another of its leaf, while a third one there sends over the
/// uplink that the first message would take if the host was at another leaf. By the file they share nothing.
///
///     leaf 1:  a -> h,  c -> x over the uplink of h        leaf 2:  x, ...
std::vector<Round> placement_rounds(const Fabric& fabric, const LinkGraph& graph, const LinkCapacities& capacities,
                                    const std::vector<CableTest>& tests);

}  // namespace coll_topo::acceptance
