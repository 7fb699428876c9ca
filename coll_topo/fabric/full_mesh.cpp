// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/full_mesh.hpp"

#include "coll_topo/fabric/leaf_groups.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace coll_topo {

namespace {

std::string named(const std::string& kind, int a, int b) {
    return kind + "(" + std::to_string(a) + "," + std::to_string(b) + ")";
}

/// The two groups that each spine joins, if every spine is wired once to all leaves of two groups of equal size.
std::optional<std::vector<std::pair<int, int>>> joined_groups(const SwitchGraph& graph,
                                                              const std::vector<std::int32_t>& group_of, int layers) {
    std::vector<std::vector<std::int32_t>> groups_below(graph.switches.size());
    for (const SwitchLink& link : graph.links) {
        if (group_of[link.from] < 0 || group_of[link.to] >= 0) return {};
        groups_below[link.to].push_back(group_of[link.from]);
    }
    std::vector<std::pair<int, int>> pairs;
    for (int index = 0; index < graph.switches.size(); ++index) {
        if (group_of[index] >= 0) continue;
        auto& below = groups_below[index];
        if (below.size() != 2 * static_cast<std::size_t>(layers)) return {};
        std::sort(below.begin(), below.end());
        // Leaves of a group have the same spines: where one of them is, all are.
        if (below.front() == below.back()) return {};
        pairs.emplace_back(below.front(), below.back());
    }
    return pairs;
}

}  // namespace

SwitchGraph full_mesh(const FullMesh& mesh, int hosts_per_leaf, SwitchLink cable) {
    SwitchGraph graph;
    for (int corner = 0; corner < mesh.corners; ++corner) {
        for (int layer = 0; layer < mesh.layers; ++layer) {
            const int leaf = graph.switches.add(named("leaf", corner, layer));
            graph.leaf_of_host.insert(graph.leaf_of_host.end(), hosts_per_leaf, leaf);
        }
    }
    std::vector<std::vector<int>> spines_of(mesh.corners);
    for (int a = 0; a < mesh.corners; ++a) {
        for (int b = a + 1; b < mesh.corners; ++b) {
            const int spine = graph.switches.add(named("spine", a, b));
            spines_of[a].push_back(spine);
            spines_of[b].push_back(spine);
        }
    }
    for (int leaf = 0; leaf < mesh.corners * mesh.layers; ++leaf) {
        cable.from = leaf;
        for (const int spine : spines_of[leaf / mesh.layers]) {
            cable.to = spine;
            graph.links.push_back(cable);
        }
    }
    return graph;
}

std::optional<FullMesh> find_full_mesh(const SwitchGraph& graph) {
    const std::vector<std::int32_t> group_of = leaf_groups(graph);
    std::vector<int> size;
    for (const std::int32_t group : group_of) {
        if (group < 0) continue;
        if (static_cast<int>(size.size()) <= group) size.resize(group + 1, 0);
        ++size[group];
    }
    const FullMesh mesh = {static_cast<int>(size.size()), size.empty() ? 0 : size.front()};
    const bool equal = std::all_of(size.begin(), size.end(), [&](int count) { return count == mesh.layers; });
    if (mesh.corners < 3 || !equal || graph.switches.size() != mesh.leaves() + mesh.spines()) return {};

    const auto pairs = joined_groups(graph, group_of, mesh.layers);
    if (!pairs) return {};
    const std::set<std::pair<int, int>> different(pairs->begin(), pairs->end());
    if (static_cast<std::int64_t>(different.size()) != mesh.spines()) return {};
    return mesh;
}

}  // namespace coll_topo
