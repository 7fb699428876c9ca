// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "test/grid/torus_fixture.hpp"

#include <string>
#include <vector>

namespace coll_topo::test {

/// Leaves and spines that a topology file describes, all cables with 1 GB/s and 1 us.
inline Fabric switches(const std::string& text) {
    return read_topology_text(text, "made_up.conf").value().fabric;
}

inline std::string cables() {
    return " Bandwidth=1GB/s Latency=1us\n";
}

inline Fabric latin_square_fabric(int order, int hosts_per_leaf) {
    const int hosts = (order * order + order + 1) * hosts_per_leaf;
    return switches("LatinSquareName=l Order=" + std::to_string(order) + " HostsPerLeaf=" +
                    std::to_string(hosts_per_leaf) + " Nodes=n[0-" + std::to_string(hosts - 1) + "]" + cables());
}

inline Fabric full_mesh_fabric(int ports) {
    const int hosts = ports * ports * (ports + 2) / 8;
    return switches("FullMeshName=m Ports=" + std::to_string(ports) + " Nodes=n[0-" + std::to_string(hosts - 1) + "]" +
                    cables());
}

/// Leaves with these numbers of hosts, 0 for a switch without any, each wired to every spine.
inline Fabric leaf_spine_fabric(const std::vector<int>& hosts_of_leaf, int spines) {
    std::string text;
    int host = 0;
    for (std::size_t leaf = 0; leaf < hosts_of_leaf.size(); ++leaf) {
        if (hosts_of_leaf[leaf] == 0) continue;
        const int last = host + hosts_of_leaf[leaf] - 1;
        text += "SwitchName=leaf" + std::to_string(leaf) + " Nodes=n[" + std::to_string(host) + "-" +
                std::to_string(last) + "]\nLink From=leaf" + std::to_string(leaf) + " To=spine[1-" +
                std::to_string(spines) + "]" + cables();
        host = last + 1;
    }
    return switches(text);
}

}  // namespace coll_topo::test
