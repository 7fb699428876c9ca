// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/fabric.hpp"

#include <span>
#include <string>
#include <vector>

namespace coll_topo {

/// A directed link between two vertices of a LinkGraph.
struct Link {
    int from;
    int to;
    double bandwidth;  ///< bytes/s; 0: the file does not say
    double latency;    ///< seconds
};

/// A fabric of any kind as one graph: vertices are the hosts, 0 .. hosts()-1 as in the fabric, then routers and
/// switches; every direction of every cable is a link of its own. For those who look at a network link by link, such as
/// the simulator, drawings and proofs of contention; planning does not need it. The fabric must outlive it.
class LinkGraph {
public:
    explicit LinkGraph(const Fabric& fabric);

    int hosts() const;
    int vertices() const;
    /// A host's or switch's name; "(1,3)" for the router of a torus cell without a host, "n07.router" for that of a
    /// host whose own link the file describes (HostLink).
    std::string name(int vertex) const;

    std::span<const Link> links() const;

    /// Appends the links, as indices, that a message from one host to another takes; none if they are the same host.
    /// Torus: dimension order. Switches: shortest way up and down, by destination (d-mod-k over equal ways).
    void route(int from_host, int to_host, std::vector<int>& route);
};

}  // namespace coll_topo
