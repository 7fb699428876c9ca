// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/switch_graph.hpp"

#include <cstdint>
#include <optional>

namespace coll_topo {

/// A multi-layer full mesh: leaves stand at corners, one of each corner in every layer, and each pair of corners has
/// one spine, wired to the leaves of both in all layers. With switches of p ports: p/2 layers of p/2+1 corners.
struct FullMesh {
    int corners = 0;
    int layers = 0;

    std::int64_t leaves() const { return std::int64_t{corners} * layers; }
    std::int64_t spines() const { return std::int64_t{corners} * (corners - 1) / 2; }
};

/// The mesh that switches with an even number of ports make up.
constexpr FullMesh full_mesh_of_ports(int ports) {
    return {ports / 2 + 1, ports / 2};
}

/// Its switches: leaves "leaf(corner,layer)", corner by corner, then spines "spine(a,b)", corners a < b; hosts leaf by
/// leaf. `cable` is that between every leaf and each of its spines.
SwitchGraph full_mesh(const FullMesh& mesh, int hosts_per_leaf, SwitchLink cable);

/// The mesh with at least three corners, if the switches are wired as one, whatever their names and order. All leaves
/// must have hosts.
std::optional<FullMesh> find_full_mesh(const SwitchGraph& graph);

}  // namespace coll_topo
