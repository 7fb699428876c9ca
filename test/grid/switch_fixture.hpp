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

/// Groups of four switches with two hosts each, wired all to all; between each two groups there is a cable, at their
/// next switches in turn.
inline Fabric dragonfly_fabric(int groups) {
    constexpr int switches_of_group = 4;
    const auto name = [](int group, int number) { return "g" + std::to_string(group) + "s" + std::to_string(number); };
    const auto link = [](const std::string& from, const std::string& to) {
        return "Link From=" + from + " To=" + to + cables();
    };
    std::string text;
    std::vector<int> wired(groups, 0);
    for (int group = 0; group < groups; ++group) {
        for (int number = 0; number < switches_of_group; ++number) {
            text += "SwitchName=" + name(group, number) + " Nodes=" + name(group, number) + "n[0-1]\n";
            for (int other = 0; other < number; ++other) text += link(name(group, number), name(group, other));
        }
        for (int other = 0; other < group; ++other) {
            text +=
                link(name(group, wired[group]++ % switches_of_group), name(other, wired[other]++ % switches_of_group));
        }
    }
    return switches(text);
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
