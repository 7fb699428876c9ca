// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/switch_summary.hpp"

#include "coll_topo/fabric/full_mesh.hpp"
#include "coll_topo/fabric/leaf_groups.hpp"
#include "coll_topo/fabric/projective_plane.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace coll_topo {

namespace {

std::string counted(std::int64_t count, const std::string& one, const std::string& many) {
    return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

/// A tree: no switch has two uplinks, and all but one have one. (The reader has made sure that there is no cycle.)
bool is_tree(const SwitchGraph& graph) {
    std::vector<char> has_parent(graph.switches.size(), 0);
    for (const SwitchLink& link : graph.links) {
        if (has_parent[link.from]) return false;
        has_parent[link.from] = 1;
    }
    return static_cast<int>(graph.links.size()) + 1 == graph.switches.size();
}

/// Two levels: leaves with hosts, each wired to spines, and spines with nothing above; counts both.
bool is_leaf_spine(const SwitchGraph& graph, int& leaves, int& spines) {
    std::vector<char> is_lower(graph.switches.size(), 0), is_upper(graph.switches.size(), 0);
    std::vector<char> has_hosts(graph.switches.size(), 0);
    for (const std::int32_t leaf : graph.leaf_of_host) has_hosts[leaf] = 1;
    for (const SwitchLink& link : graph.links) is_lower[link.from] = is_upper[link.to] = 1;
    for (int index = 0; index < graph.switches.size(); ++index) {
        if (is_lower[index] == is_upper[index] || is_lower[index] != has_hosts[index]) return false;
    }
    leaves = static_cast<int>(std::count(is_lower.begin(), is_lower.end(), 1));
    spines = static_cast<int>(std::count(is_upper.begin(), is_upper.end(), 1));
    return true;
}

/// The most switches on a way up: from the bottom, each once all below it are known. The links have no cycle.
int level_count(const SwitchGraph& graph) {
    const int switches = graph.switches.size();
    std::vector<std::vector<int>> above(switches);
    std::vector<int> below(switches, 0), level(switches, 1), ready;
    for (const SwitchLink& link : graph.links) {
        above[link.from].push_back(link.to);
        ++below[link.to];
    }
    for (int index = 0; index < switches; ++index) {
        if (below[index] == 0) ready.push_back(index);
    }
    int levels = 0;
    while (!ready.empty()) {
        const int lower = ready.back();
        ready.pop_back();
        levels = std::max(levels, level[lower]);
        for (const int upper : above[lower]) {
            level[upper] = std::max(level[upper], level[lower] + 1);
            if (--below[upper] == 0) ready.push_back(upper);
        }
    }
    return levels;
}

/// "52 hosts, 4 at each leaf".
std::string hosts_by_leaf(const SwitchGraph& graph, std::int64_t leaves) {
    std::vector<int> hosts(graph.switches.size(), 0);
    for (const std::int32_t leaf : graph.leaf_of_host) ++hosts[leaf];
    const auto total = static_cast<std::int64_t>(graph.leaf_of_host.size());
    const int most = hosts.empty() ? 0 : *std::max_element(hosts.begin(), hosts.end());
    return counted(total, "host", "hosts") + ", " + (most * leaves == total ? "" : "at most ") + std::to_string(most) +
           " at each leaf";
}

std::string leaves_and_spines(const SwitchGraph& graph, std::int64_t leaves, std::int64_t spines) {
    return counted(leaves, "leaf", "leaves") + ", " + counted(spines, "spine", "spines") + ", " +
           hosts_by_leaf(graph, leaves);
}

std::string leaf_spine_summary(const SwitchGraph& graph, int leaves, int spines) {
    const std::vector<std::int32_t> group = leaf_groups(graph);
    const int groups = *std::max_element(group.begin(), group.end()) + 1;
    std::string text = "leaf-spine fat tree: " + leaves_and_spines(graph, leaves, spines);
    if (groups > 1) text += ", " + std::to_string(groups) + " groups of leaves with the same spines";
    return text;
}

std::string wiring_summary(const SwitchGraph& graph) {
    if (const auto plane = find_projective_plane(graph)) {
        const auto leaves = static_cast<std::int64_t>(plane->leaves.size());
        return "Latin-square fat tree of order " + std::to_string(plane->order) +
               " (projective plane recognised): " + leaves_and_spines(graph, leaves, leaves);
    }
    if (const auto mesh = find_full_mesh(graph)) {
        return "full mesh of " + std::to_string(mesh->corners) + " corners in " +
               counted(mesh->layers, "layer", "layers") + ": " +
               leaves_and_spines(graph, mesh->leaves(), mesh->spines());
    }
    int leaves = 0, spines = 0;
    const bool tree = is_tree(graph);
    if (!tree && is_leaf_spine(graph, leaves, spines)) return leaf_spine_summary(graph, leaves, spines);
    const int levels = level_count(graph);
    return (tree ? "tree of " : "network of ") + counted(graph.switches.size(), "switch", "switches") +
           (levels > 2 ? " in " + std::to_string(levels) + " levels, " : ", ") +
           counted(static_cast<std::int64_t>(graph.leaf_of_host.size()), "host", "hosts");
}

}  // namespace

std::string switch_summary(const SwitchGraph& graph) {
    std::string text = wiring_summary(graph);
    if (!graph.routes.empty()) {
        text += ", " + counted(static_cast<std::int64_t>(graph.routes.size()), "given route", "given routes");
    }
    return text;
}

}  // namespace coll_topo
