// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/job_placement/leaf_grid.hpp"

#include "coll_topo/fabric/projective_plane.hpp"

namespace coll_topo {

std::optional<LeafGrid> find_leaf_grid(const Fabric& fabric, const std::vector<std::int32_t>& free_hosts) {
    const auto* graph = std::get_if<SwitchGraph>(&fabric.network);
    if (graph == nullptr) return {};
    const auto plane = find_projective_plane(*graph);
    if (!plane) return {};
    LeafGrid grid{plane->order, {}};
    grid.free_hosts.resize(plane->grid.size());
    for (const std::int32_t host : free_hosts) {
        const std::int32_t leaf = plane->leaf_of_switch[graph->leaf_of_host[host]];
        if (leaf < 0 || plane->column(leaf) < 0) continue;  // at infinity
        grid.free_hosts[plane->column(leaf) * plane->order + plane->row(leaf)].push_back(host);
    }
    return grid;
}

}  // namespace coll_topo
