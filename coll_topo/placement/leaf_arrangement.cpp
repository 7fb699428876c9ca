// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/placement/leaf_arrangement.hpp"

#include "coll_topo/fabric/leaf_groups.hpp"

#include <algorithm>
#include <map>

namespace coll_topo {
namespace {

/// Numbers keys 0, 1, … in ascending order.
std::vector<std::int32_t> dense(const std::vector<std::int32_t>& keys, int& count) {
    std::map<std::int32_t, std::int32_t> number_of;
    for (const std::int32_t key : keys) number_of.emplace(key, 0);
    count = 0;
    for (auto& [key, number] : number_of) number = count++;
    std::vector<std::int32_t> numbers;
    numbers.reserve(keys.size());
    for (const std::int32_t key : keys) numbers.push_back(number_of[key]);
    return numbers;
}

/// The slowest cable of the file stands for all; a message to another leaf takes two cables between switches more, and
/// outside its group another two.
std::array<Way, 3> find_ways(const Fabric& fabric, const SwitchGraph& graph) {
    Way cable;
    for (const SwitchLink& link : graph.links) {
        if (link.bandwidth > 0 && (cable.bandwidth == 0 || link.bandwidth < cable.bandwidth)) {
            cable.bandwidth = link.bandwidth;
        }
        cable.latency = std::max(cable.latency, link.latency);
    }
    const Way host{fabric.host_bandwidth > 0 ? fabric.host_bandwidth : cable.bandwidth,
                   fabric.host_latency > 0 ? fabric.host_latency : cable.latency};
    const double bandwidth = std::min(host.bandwidth, cable.bandwidth);
    const Way group{bandwidth, 2 * host.latency + 2 * cable.latency};
    return {Way{host.bandwidth, 2 * host.latency}, group, group};
}

}  // namespace

LeafArrangement arrange_leaves(const Fabric& fabric, std::span<const std::int32_t> fabric_hosts) {
    LeafArrangement arrangement;
    const auto* graph = std::get_if<SwitchGraph>(&fabric.network);
    if (graph == nullptr) return arrangement;

    std::vector<std::int32_t> switch_of_host;
    for (const std::int32_t host : fabric_hosts) switch_of_host.push_back(graph->leaf_of_host[host]);
    int leaves = 0, groups = 0;
    const auto leaf_of_host = dense(switch_of_host, leaves);
    arrangement.hosts = Partition(leaf_of_host, leaves);

    const auto group_of_switch = leaf_groups(*graph);
    std::vector<std::int32_t> group_of_leaf(leaves);
    for (std::size_t host = 0; host < leaf_of_host.size(); ++host) {
        group_of_leaf[leaf_of_host[host]] = group_of_switch[switch_of_host[host]];
    }
    group_of_leaf = dense(group_of_leaf, groups);
    arrangement.leaves = Partition(std::move(group_of_leaf), groups);
    arrangement.ways = find_ways(fabric, *graph);
    return arrangement;
}

}  // namespace coll_topo
