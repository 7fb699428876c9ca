// SPDX-License-Identifier: BSD-3-Clause
#include "test/algorithm/fat_tree.hpp"

#include "coll_topo/fabric/full_mesh.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace coll_topo::test {

Fabric fabric_of(SwitchGraph graph) {
    NameTable hosts;
    for (std::size_t host = 0; host < graph.leaf_of_host.size(); ++host) hosts.add("n" + std::to_string(host));
    return {std::move(hosts), std::move(graph), {}, cable.bandwidth, cable.latency};
}

Fabric mesh_of_36_hosts() {
    return fabric_of(full_mesh(full_mesh_of_ports(6), 3, cable));
}

Fabric grouped_fat_tree(const std::vector<int>& leaves, int hosts_per_leaf) {
    SwitchGraph graph;
    const int all = std::accumulate(leaves.begin(), leaves.end(), 0);
    for (int leaf = 0; leaf < all; ++leaf) {
        graph.switches.add("leaf" + std::to_string(leaf));
        graph.leaf_of_host.insert(graph.leaf_of_host.end(), hosts_per_leaf, leaf);
    }
    const int common = all + static_cast<int>(leaves.size());
    int leaf = 0, spine = all;
    for (const int members : leaves) {
        graph.switches.add("spine" + std::to_string(spine));
        for (int i = 0; i < members; ++i, ++leaf) {
            for (const int upper : {spine, common}) {
                graph.links.push_back({leaf, upper, cable.count, cable.bandwidth, cable.latency});
            }
        }
        ++spine;
    }
    graph.switches.add("common");
    return fabric_of(std::move(graph));
}

Machine roll_fat_tree(int ranks, std::uint32_t seed) {
    Dice dice(seed);
    std::vector<int> leaves(dice.roll(1, 12));
    for (int& members : leaves) members = dice.roll(1, 3);
    const int hosts_per_leaf = dice.roll(1, 4);
    Machine machine{"", grouped_fat_tree(leaves, hosts_per_leaf), {}};
    for (int rank = 0; rank < ranks; ++rank) {
        RankLocation location;
        location.host = dice.roll(0, machine.fabric.hosts.size() - 1);
        machine.placement.push_back(location);
    }
    const bool by_host = dice.roll(0, 1) == 0;
    if (by_host) std::ranges::sort(machine.placement, {}, &RankLocation::host);
    machine.description = std::to_string(ranks) + (by_host ? " ranks host after host on " : " ranks on ") +
                          std::to_string(leaves.size()) + " groups, seed " + std::to_string(seed);
    return machine;
}

}  // namespace coll_topo::test
