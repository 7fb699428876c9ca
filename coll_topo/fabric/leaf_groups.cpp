// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/leaf_groups.hpp"

#include <algorithm>
#include <map>

namespace coll_topo {

std::vector<std::int32_t> leaf_groups(const SwitchGraph& graph) {
    const std::size_t switches = graph.switches.size();
    std::vector<bool> is_leaf(switches, false);
    for (const std::int32_t leaf : graph.leaf_of_host) is_leaf[leaf] = true;

    std::vector<std::vector<int>> above(switches);
    for (const SwitchLink& link : graph.links) {
        if (is_leaf[link.from]) above[link.from].push_back(link.to);
    }
    std::map<std::vector<int>, std::int32_t> group_of_spines;
    std::vector<std::int32_t> groups(switches, -1);
    for (std::size_t leaf = 0; leaf < switches; ++leaf) {
        if (!is_leaf[leaf]) continue;
        auto& spines = above[leaf];
        std::sort(spines.begin(), spines.end());
        spines.erase(std::unique(spines.begin(), spines.end()), spines.end());
        const auto next = static_cast<std::int32_t>(group_of_spines.size());
        groups[leaf] = group_of_spines.try_emplace(spines, next).first->second;
    }
    return groups;
}

}  // namespace coll_topo
