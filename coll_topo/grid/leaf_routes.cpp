// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/leaf_routes.hpp"

#include "coll_topo/fabric/link_graph.hpp"

namespace coll_topo {

LeafRoutes::LeafRoutes(const Fabric& fabric, std::span<const std::int32_t> hosts, const Partition& hosts_by_leaf)
    : hosts_(hosts.size()) {
    const int leaves = hosts_by_leaf.parts(), count = static_cast<int>(hosts.size());
    if (std::int64_t{leaves} * count > most_routes) return;
    LinkGraph network(fabric);
    std::vector<std::int32_t> cable_of_link(network.links().size(), -1);
    std::vector<int> route;
    for (const std::int32_t host : hosts) host_latencies_.push_back(network.host_link(host).latency);
    for (int leaf = 0; leaf < leaves; ++leaf) leaf_latencies_.push_back(host_latencies_[hosts_by_leaf[leaf][0]]);
    std::vector<bool> has_hosts(network.vertices(), false);
    for (int host = 0; host < network.hosts(); ++host) has_hosts[network.host_link(host).to] = true;
    begin_.push_back(0);
    for (int leaf = 0; leaf < leaves; ++leaf) {
        for (int host = 0; host < count; ++host) {
            route.clear();
            if (hosts_by_leaf.part_of(host) != leaf) network.route(hosts[hosts_by_leaf[leaf][0]], hosts[host], route);
            // The first and the last are the cables of the two hosts.
            for (std::size_t hop = 1; hop + 1 < route.size(); ++hop) {
                pass_hosts_ = pass_hosts_ || (hop > 1 && has_hosts[network.links()[route[hop]].from]);
                std::int32_t& cable = cable_of_link[route[hop]];
                if (cable < 0) {
                    cable = cables();
                    bandwidths_.push_back(network.links()[route[hop]].bandwidth);
                    latencies_.push_back(network.links()[route[hop]].latency);
                }
                cables_.push_back(cable);
            }
            begin_.push_back(static_cast<std::int32_t>(cables_.size()));
        }
    }
}

double LeafRoutes::latency(int leaf, int host) const {
    double latency = leaf_latencies_[leaf];
    for (const std::int32_t cable : route(leaf, host)) latency += latencies_[cable];
    return latency + host_latencies_[host];
}

}  // namespace coll_topo
