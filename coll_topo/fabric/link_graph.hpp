// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/fabric/switch_routing.hpp"

#include <optional>
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
/// switches; every direction of every cable is a link of its own. For the simulator, drawings and proofs of contention,
/// which look at single links; planning does not need it. The fabric must outlive it.
/// What the file leaves open about the cable of a host (HostLink) is taken from the fastest cable of its router or
/// leaf; but on a torus, where hosts use all cables at once, it then carries as much as all cables of its router
/// together.
class LinkGraph {
public:
    explicit LinkGraph(const Fabric& fabric);

    int hosts() const { return fabric_->hosts.size(); }
    int vertices() const { return vertices_; }
    /// A host's or switch's name; "(1,3)" for the router of a torus cell without a host, "n07.router" for that of a
    /// host whose own link the file describes (HostLink).
    std::string name(int vertex) const;

    std::span<const Link> links() const { return links_; }

    /// The other direction of the cable of a link.
    int opposite(int link) const { return opposite_[link]; }

    /// Whether each host has a cable of its own to a router or switch; if not, it is a router of a torus itself.
    bool hosts_have_cables() const { return !uplink_of_host_.empty(); }

    /// That of the cable of a host, if it has one.
    const Link& host_link(int host) const { return links_[uplink_of_host_[host]]; }

    /// Appends the links, as indices, that a message from one host to another takes; none if they are the same host.
    /// Torus: dimension order. Switches: by destination, as the routes of the file say, else the shortest way up and
    /// down (d-mod-k over equal routes). False, and nothing appended, if the network does not connect the two.
    bool route(int from_host, int to_host, std::vector<int>& route);

    /// Whether messages of the cell at its start may take a link. Of the two cables of a ring of two, all messages of a
    /// cell take the same one.
    bool carries_own_messages(int link) const { return only_passed_through_.empty() || !only_passed_through_[link]; }

    /// The vertex of a torus cell or of a switch.
    int vertex_of_cell(std::int64_t cell) const { return vertex_of_cell_[cell]; }
    int vertex_of_switch(int index) const { return hosts() + index; }

private:
    void add_torus(const Torus& torus);
    void add_switches(const SwitchGraph& graph);
    void add_host_cables(const std::vector<int>& attached_to);
    void add_cable(const Link& up);
    void route_torus(const Torus& torus, int from_host, int to_host, std::vector<int>& route);
    bool route_switches(const SwitchGraph& graph, int from_host, int to_host, std::vector<int>& route);

    const Fabric* fabric_;
    int vertices_ = 0;
    std::vector<Link> links_;
    std::vector<int> opposite_;        // by link
    std::vector<int> uplink_of_host_;  // the link into the network; the one after leads back; empty: no such cables

    std::vector<int> vertex_of_cell_;           // torus
    std::vector<std::int64_t> cell_of_router_;  // torus: by vertex, from hosts() on
    std::vector<int> link_of_torus_link_;       // torus: -1 where the torus leaves a number unused
    std::vector<std::int64_t> torus_route_;
    std::vector<bool> only_passed_through_;  // torus: by link

    std::optional<SwitchRouting> routing_;  // switches
    std::vector<int> first_cable_;          // switches: by SwitchLink; cable c is link 2c further up, 2c+1 down
    std::vector<CableUse> switch_route_;
};

}  // namespace coll_topo
