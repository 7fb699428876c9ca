// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/leaf_arrangement.hpp"

#include "coll_topo/fabric/leaf_groups.hpp"
#include "coll_topo/grid/alltoall_bandwidth.hpp"
#include "coll_topo/grid/leaf_columns.hpp"
#include "coll_topo/grid/leaf_ways.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

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

/// Whether every cable ends at a leaf, so that no two leaves share one.
bool has_two_levels(const SwitchGraph& graph) {
    std::vector<bool> is_leaf(graph.switches.size(), false);
    for (const std::int32_t leaf : graph.leaf_of_host) is_leaf[leaf] = true;
    return std::ranges::all_of(graph.links, [&](const SwitchLink& link) { return is_leaf[link.from]; });
}

/// Lines of a projective plane; else groups, if there are no switches above the spines, where leaves would share
/// cables.
LeafColumns find_columns(const SwitchGraph& graph, const std::optional<ProjectivePlane>& plane, const Partition& leaves,
                         std::span<const std::int32_t> switches) {
    if (plane) return lines_as_columns(*plane, switches);
    return has_two_levels(graph) ? groups_as_columns(leaves) : LeafColumns();
}

/// The leaves of each spine that has two of them, by their numbers among `switches`.
std::vector<std::vector<std::int32_t>> leaves_by_spine(const SwitchGraph& graph,
                                                       std::span<const std::int32_t> switches) {
    std::vector<std::int32_t> leaf_of_switch(graph.switches.size(), -1);
    for (std::size_t leaf = 0; leaf < switches.size(); ++leaf) {
        leaf_of_switch[switches[leaf]] = static_cast<std::int32_t>(leaf);
    }
    std::vector<std::vector<std::int32_t>> lines(graph.switches.size());
    for (const SwitchLink& link : graph.links) {
        if (leaf_of_switch[link.from] >= 0) lines[link.to].push_back(leaf_of_switch[link.from]);
    }
    for (auto& line : lines) {
        std::ranges::sort(line);
        line.erase(std::ranges::unique(line).begin(), line.end());
    }
    std::erase_if(lines, [](const auto& line) { return line.size() < 2; });
    return lines;
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
    arrangement.ways = find_ways(fabric, fabric_hosts, arrangement);
    arrangement.uplink_bandwidth = find_uplink_bandwidth(*graph, fabric_hosts, arrangement);
    arrangement.alltoall_bandwidth = find_alltoall_bandwidth(fabric, fabric_hosts, arrangement);
    arrangement.routes = LeafRoutes(fabric, fabric_hosts, arrangement.hosts);

    std::vector<std::int32_t> switches;
    for (int leaf = 0; leaf < leaves; ++leaf) switches.push_back(switch_of_host[arrangement.hosts[leaf][0]]);
    const auto plane = find_projective_plane(*graph);
    if (plane) arrangement.lines = leaves_by_spine(*graph, switches);
    LeafColumns columns = find_columns(*graph, plane, arrangement.leaves, switches);
    arrangement.columns = columns.columns;
    arrangement.rows = columns.rows;
    arrangement.leaf_at = std::move(columns.leaf_at);
    return arrangement;
}

}  // namespace coll_topo
