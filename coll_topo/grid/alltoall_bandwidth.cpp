// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/alltoall_bandwidth.hpp"

#include "coll_topo/fabric/link_graph.hpp"

#include <vector>

namespace coll_topo {
namespace {

constexpr std::int64_t most_routes = 1 << 17;  // takes some 50 ms

/// A host of a leaf other than this one; -1 if it is alone.
int sender(std::span<const std::int32_t> members, int receiver) {
    for (const std::int32_t member : members) {
        if (member != receiver) return member;
    }
    return -1;
}

}  // namespace

double find_alltoall_bandwidth(const Fabric& fabric, std::span<const std::int32_t> hosts,
                               const LeafArrangement& arrangement) {
    const int leaves = arrangement.hosts.parts(), count = static_cast<int>(hosts.size());
    if (count < 2 || std::int64_t{leaves} * count > most_routes) return 0;
    LinkGraph network(fabric);
    std::vector<double> messages(network.links().size(), 0);
    std::vector<int> route;
    for (int receiver = 0; receiver < count; ++receiver) {
        for (int leaf = 0; leaf < leaves; ++leaf) {
            const int from = sender(arrangement.hosts[leaf], receiver);
            if (from < 0) continue;
            route.clear();
            network.route(hosts[from], hosts[receiver], route);
            // All hosts of a leaf take the same way, but each begins on its own cable, which is as loaded as those into
            // hosts are.
            const auto senders =
                static_cast<double>(arrangement.hosts[leaf].size()) - (arrangement.leaf(receiver) == leaf ? 1 : 0);
            for (std::size_t hop = 1; hop < route.size(); ++hop) messages[route[hop]] += senders;
        }
    }
    double slowest = 0;
    for (std::size_t link = 0; link < messages.size(); ++link) {
        if (messages[link] == 0 || network.links()[link].bandwidth <= 0) continue;
        const double bandwidth = (count - 1) * network.links()[link].bandwidth / messages[link];
        if (slowest == 0 || bandwidth < slowest) slowest = bandwidth;
    }
    return slowest;
}

}  // namespace coll_topo
