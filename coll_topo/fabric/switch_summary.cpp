// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/switch_summary.hpp"

#include "coll_topo/base/text.hpp"
#include "coll_topo/fabric/full_mesh.hpp"
#include "coll_topo/fabric/leaf_groups.hpp"
#include "coll_topo/fabric/projective_plane.hpp"
#include "coll_topo/fabric/switch_links.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace coll_topo {

namespace {

/// A tree: no switch has two uplinks, and all but one have one. (The reader has made sure that there is no cycle.)
bool is_tree(const SwitchGraph& graph) {
    std::vector<char> has_parent(graph.switches.size(), 0);
    for (const SwitchLink& link : graph.links) {
        if (has_parent[link.from]) return false;
        has_parent[link.from] = 1;
    }
    return static_cast<int>(graph.links.size()) + 1 == graph.switches.size();
}

/// Two levels: leaves with hosts, each wired to spines, and spines with nothing above.
bool is_leaf_spine(const SwitchGraph& graph) {
    std::vector<char> is_lower(graph.switches.size(), 0), is_upper(graph.switches.size(), 0);
    std::vector<char> has_hosts(graph.switches.size(), 0);
    for (const std::int32_t leaf : graph.leaf_of_host) has_hosts[leaf] = 1;
    for (const SwitchLink& link : graph.links) is_lower[link.from] = is_upper[link.to] = 1;
    for (int index = 0; index < graph.switches.size(); ++index) {
        if (is_lower[index] == is_upper[index] || is_lower[index] != has_hosts[index]) return false;
    }
    return true;
}

int leaf_count(const SwitchGraph& graph) {
    std::vector<char> has_hosts(graph.switches.size(), 0);
    for (const std::int32_t leaf : graph.leaf_of_host) has_hosts[leaf] = 1;
    return static_cast<int>(std::count(has_hosts.begin(), has_hosts.end(), 1));
}

int group_count(const SwitchGraph& graph) {
    const std::vector<std::int32_t> group = leaf_groups(graph);
    return group.empty() ? 0 : *std::max_element(group.begin(), group.end()) + 1;
}

int level_count(const SwitchGraph& graph) {
    const std::vector<int> height = heights(graph, SwitchLinks(graph));
    return height.empty() ? 0 : *std::max_element(height.begin(), height.end()) + 1;
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

std::string leaves_and_spines(const SwitchGraph& graph, const SwitchWiring& wiring) {
    return counted(wiring.leaves, "leaf", "leaves") + ", " + counted(wiring.spines, "spine", "spines") + ", " +
           hosts_by_leaf(graph, wiring.leaves);
}

std::string wiring_summary(const SwitchGraph& graph, const SwitchWiring& wiring) {
    switch (wiring.kind) {
        case WiringKind::latin_square:
            return "Latin-square fat tree of order " + std::to_string(wiring.order) +
                   " (projective plane recognised): " + leaves_and_spines(graph, wiring);
        case WiringKind::full_mesh:
            return "full mesh of " + std::to_string(wiring.corners) + " corners in " +
                   counted(wiring.layers, "layer", "layers") + ": " + leaves_and_spines(graph, wiring);
        case WiringKind::leaf_spine:
            return "leaf-spine fat tree: " + leaves_and_spines(graph, wiring) +
                   (wiring.leaf_groups > 1
                        ? ", " + std::to_string(wiring.leaf_groups) + " groups of leaves with the same spines"
                        : "");
        case WiringKind::tree:
        case WiringKind::other:
            break;
    }
    return (wiring.kind == WiringKind::tree ? "tree of " : "network of ") +
           counted(graph.switches.size(), "switch", "switches") +
           (wiring.levels > 2 ? " in " + std::to_string(wiring.levels) + " levels, " : ", ") +
           counted(static_cast<std::int64_t>(graph.leaf_of_host.size()), "host", "hosts");
}

}  // namespace

std::string_view wiring_name(WiringKind kind) {
    constexpr std::string_view names[] = {"latin_square", "full_mesh", "leaf_spine", "tree", "switches"};
    return names[static_cast<std::size_t>(kind)];
}

SwitchWiring recognise_wiring(const SwitchGraph& graph) {
    SwitchWiring wiring;
    wiring.leaves = leaf_count(graph);
    wiring.levels = level_count(graph);
    wiring.leaf_groups = group_count(graph);
    if (const auto plane = find_projective_plane(graph)) {
        wiring.kind = WiringKind::latin_square;
        wiring.order = plane->order;
        wiring.leaves = static_cast<int>(plane->leaves.size());
    } else if (const auto mesh = find_full_mesh(graph)) {
        wiring.kind = WiringKind::full_mesh;
        wiring.corners = mesh->corners;
        wiring.layers = mesh->layers;
    } else if (is_tree(graph)) {
        wiring.kind = WiringKind::tree;
    } else if (is_leaf_spine(graph)) {
        wiring.kind = WiringKind::leaf_spine;
    }
    const bool two_levels = wiring.kind != WiringKind::tree && wiring.kind != WiringKind::other;
    if (two_levels) wiring.spines = graph.switches.size() - wiring.leaves;
    return wiring;
}

std::string switch_summary(const SwitchGraph& graph) {
    std::string text = wiring_summary(graph, recognise_wiring(graph));
    if (!graph.routes.empty()) {
        text += ", " + counted(static_cast<std::int64_t>(graph.routes.size()), "given route", "given routes");
    }
    return text;
}

}  // namespace coll_topo
