// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/link_graph.hpp"

#include <algorithm>
#include <cstdint>

namespace coll_topo {

LinkGraph::LinkGraph(const Fabric& fabric) : fabric_(&fabric), vertices_(fabric.hosts.size()) {
    if (const Torus* torus = fabric.torus()) {
        add_torus(*torus);
    } else {
        add_switches(std::get<SwitchGraph>(fabric.network));
    }
}

/// Without a HostLink line, hosts are routers themselves; cells without a host have a router in any case.
void LinkGraph::add_torus(const Torus& torus) {
    const bool own_cables = fabric_->has_host_link();
    vertex_of_cell_.assign(torus.cells(), -1);
    std::vector<int> attached_to(hosts());
    for (int host = 0; host < hosts(); ++host) {
        attached_to[host] = own_cables ? vertices_++ : host;
        vertex_of_cell_[fabric_->cell(host)] = attached_to[host];
        if (own_cables) cell_of_router_.push_back(fabric_->cell(host));
    }
    for (std::int64_t cell = 0; cell < torus.cells(); ++cell) {
        if (vertex_of_cell_[cell] >= 0) continue;
        vertex_of_cell_[cell] = vertices_++;
        cell_of_router_.push_back(cell);
    }

    const auto dimensions = static_cast<std::int64_t>(torus.dimensions().size());
    link_of_torus_link_.assign(torus.links(), -1);
    for (std::int64_t link = 0; link < torus.links(); ++link) {
        const std::int64_t target = torus.link_target(link);
        if (target < 0) continue;
        const TorusDimension& dimension = torus.dimensions()[link / 2 % dimensions];
        link_of_torus_link_[link] = static_cast<int>(links_.size());
        only_passed_through_.push_back(!torus.carries_own_messages(link));
        links_.push_back(
            {vertex_of_cell_[link / 2 / dimensions], vertex_of_cell_[target], dimension.bandwidth, dimension.latency});
    }
    for (std::int64_t link = 0; link < torus.links(); ++link) {
        const std::int64_t target = torus.link_target(link);
        if (target < 0) continue;
        const std::int64_t back = (target * dimensions + link / 2 % dimensions) * 2 + (link % 2 == 0 ? 1 : 0);
        opposite_.push_back(link_of_torus_link_[back]);
    }
    if (own_cables) add_host_cables(attached_to);
    only_passed_through_.resize(links_.size(), false);
}

void LinkGraph::add_switches(const SwitchGraph& graph) {
    vertices_ += graph.switches.size();
    for (const SwitchLink& cables : graph.links) {
        first_cable_.push_back(static_cast<int>(links_.size()));
        const int lower = vertex_of_switch(cables.from), upper = vertex_of_switch(cables.to);
        for (int cable = 0; cable < cables.count; ++cable) {
            add_cable({lower, upper, cables.bandwidth, cables.latency});
        }
    }
    std::vector<int> attached_to(hosts());
    for (int host = 0; host < hosts(); ++host) attached_to[host] = vertex_of_switch(graph.leaf_of_host[host]);
    add_host_cables(attached_to);
    routing_.emplace(graph);
}

/// Both directions, the one given first.
void LinkGraph::add_cable(const Link& up) {
    const int first = static_cast<int>(links_.size());
    links_.push_back(up);
    links_.push_back({up.to, up.from, up.bandwidth, up.latency});
    opposite_.insert(opposite_.end(), {first + 1, first});
}

void LinkGraph::add_host_cables(const std::vector<int>& attached_to) {
    std::vector<Link> fastest(vertices_, Link{-1, -1, 0, 0});  // by vertex, of the links that leave it
    std::vector<double> leaving(vertices_, 0);                 // by vertex, bytes/s of them all
    for (const Link& link : links_) {
        leaving[link.from] += link.bandwidth;
        if (link.bandwidth > fastest[link.from].bandwidth || fastest[link.from].from < 0) fastest[link.from] = link;
    }
    for (int host = 0; host < hosts(); ++host) {
        const Link& other = fastest[attached_to[host]];
        const double open = fabric_->torus() != nullptr ? leaving[attached_to[host]] : other.bandwidth;
        const double bandwidth = fabric_->host_bandwidth > 0 ? fabric_->host_bandwidth : open;
        const double latency = fabric_->host_latency > 0 ? fabric_->host_latency : other.latency;
        uplink_of_host_.push_back(static_cast<int>(links_.size()));
        add_cable({host, attached_to[host], bandwidth, latency});
    }
}

std::string LinkGraph::name(int vertex) const {
    if (vertex < hosts()) return std::string(fabric_->hosts.name(vertex));
    if (const auto* graph = std::get_if<SwitchGraph>(&fabric_->network)) {
        return std::string(graph->switches.name(vertex - hosts()));
    }
    // Routers of hosts come first, in the order of the hosts.
    if (!uplink_of_host_.empty() && vertex < 2 * hosts()) return name(vertex - hosts()) + ".router";
    const Torus& torus = *fabric_->torus();
    std::string text;
    for (int dimension = 0; dimension < static_cast<int>(torus.dimensions().size()); ++dimension) {
        text +=
            (text.empty() ? "(" : ",") + std::to_string(torus.coordinate(cell_of_router_[vertex - hosts()], dimension));
    }
    return text + ")";
}

bool LinkGraph::route(int from_host, int to_host, std::vector<int>& route) {
    if (from_host == to_host) return true;
    if (const auto* graph = std::get_if<SwitchGraph>(&fabric_->network)) {
        return route_switches(*graph, from_host, to_host, route);
    }
    route_torus(*fabric_->torus(), from_host, to_host, route);
    return true;
}

void LinkGraph::route_torus(const Torus& torus, int from_host, int to_host, std::vector<int>& route) {
    torus_route_.clear();
    torus.route(fabric_->cell(from_host), fabric_->cell(to_host), torus_route_);
    if (!uplink_of_host_.empty()) route.push_back(uplink_of_host_[from_host]);
    for (const std::int64_t link : torus_route_) route.push_back(link_of_torus_link_[link]);
    if (!uplink_of_host_.empty()) route.push_back(uplink_of_host_[to_host] + 1);
}

bool LinkGraph::route_switches(const SwitchGraph& graph, int from_host, int to_host, std::vector<int>& route) {
    switch_route_.clear();
    if (!routing_->route(graph.leaf_of_host[from_host], to_host, switch_route_)) return false;
    route.push_back(uplink_of_host_[from_host]);
    for (const CableUse& use : switch_route_) {
        route.push_back(first_cable_[use.link] + 2 * use.cable + (use.up ? 0 : 1));
    }
    route.push_back(uplink_of_host_[to_host] + 1);
    return true;
}

}  // namespace coll_topo
