// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/acceptance/cable_plan.hpp"
#include "coll_topo/acceptance/measurement.hpp"

#include <vector>

namespace coll_topo::acceptance {

/// A link by its ends, which stay the same where cables are added or removed.
struct LinkEnds {
    int from = 0;  ///< vertices of LinkGraph
    int to = 0;
    int number = 0;  ///< among parallel links with the same ends

    bool operator==(const LinkEnds&) const = default;
};
LinkEnds ends_of(const LinkGraph& graph, int link);

/// A cluster as it may be, unlike its file: other cables, hosts at other places, links that carry less.
struct Cluster {
    struct SlowLink {
        LinkEnds link;
        double share = 1;  ///< of its bandwidth that it carries; 0: nothing
    };

    explicit Cluster(const Fabric& file);

    Fabric fabric;           ///< the network as it is
    std::vector<int> place;  ///< by host of the file: the host of `fabric` at whose place it is
    std::vector<SlowLink> slow;
};

/// The network of a cluster as a file should describe it: with its cables, and each host at its place.
Fabric as_wired(const Cluster& cluster);

/// What the tests of a plan for the cluster's file would give on it, without noise and without the work of hosts.
/// Messages share links fairly; a route that does not exist gives no result.
CableMeasurement expected(const CablePlan& plan, const LinkCapacities& of_file, const Cluster& cluster);

}  // namespace coll_topo::acceptance
