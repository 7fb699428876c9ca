// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/acceptance/cluster.hpp"

#include <string>
#include <vector>

namespace coll_topo::acceptance {

enum class FaultKind {
    slow_direction,   ///< a link carries less than it should
    slow_cable,       ///< both of its directions do
    dead_cable,       ///< nothing passes, in either direction
    missing_cable,    ///< of switches: messages take other cables instead
    swapped_hosts,    ///< two hosts are at each other's places
    moved_host,       ///< a host is at another leaf
    dimension_order,  ///< hosts of a torus are numbered along its dimensions in another order
};

/// One way in which a cluster may differ from its file. Which members count depends on the kind.
struct Fault {
    FaultKind kind;
    LinkEnds link = {};  ///< of cables, in the direction of the file's LinkGraph that comes first, or the slow one
    double share = 1;    ///< of its bandwidth that a slow link carries
    int host = -1;
    int other = -1;               ///< the other host; of a moved one the switch
    std::vector<int> order = {};  ///< dimension i of the file is dimension order[i] of the cluster
    bool renumbered = false;      ///< of a moved host: routes follow from numbers that go from leaf to leaf anew

    /// Whether both say the same of the cluster, but for how slow a link is and how routes are found.
    bool same_as(const Fault& fault) const;
};

/// Makes the cluster have the fault; false if it cannot have it.
bool apply(const Fault& fault, Cluster& cluster);

/// For people: "hosts n05 and n06 are swapped". `graph` is that of the file.
std::string fault_text(const Fault& fault, const Fabric& file, const LinkGraph& graph);

}  // namespace coll_topo::acceptance
