// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/full_mesh.hpp"

#include "test/fabric/shuffled_switches.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace coll_topo {
namespace {

using test::shuffled;

SwitchGraph mesh_of_ports(int ports) {
    return full_mesh(full_mesh_of_ports(ports), ports / 2, {0, 0, 1, 12.5e9, 1e-6});
}

TEST(FullMesh, OfSixPortsIsTheMachineWith36Hosts) {
    const SwitchGraph graph = mesh_of_ports(6);
    EXPECT_EQ(36u, graph.leaf_of_host.size());
    ASSERT_EQ(12 + 6, graph.switches.size());
    const char* const order[] = {"leaf(0,0)",  "leaf(0,1)",  "leaf(0,2)",  "leaf(1,0)",  "leaf(1,1)",  "leaf(1,2)",
                                 "leaf(2,0)",  "leaf(2,1)",  "leaf(2,2)",  "leaf(3,0)",  "leaf(3,1)",  "leaf(3,2)",
                                 "spine(0,1)", "spine(0,2)", "spine(0,3)", "spine(1,2)", "spine(1,3)", "spine(2,3)"};
    for (int index = 0; index < 18; ++index) EXPECT_EQ(order[index], graph.switches.name(index));
    for (int host = 0; host < 36; ++host) EXPECT_EQ(host / 3, graph.leaf_of_host[host]);

    // Leaves of two corners share their spine, those of one corner all of theirs; no switch has more than six cables.
    std::map<int, std::set<int>> spines;
    std::vector<int> cables(18, 0);
    for (const int leaf : graph.leaf_of_host) ++cables[leaf];
    for (const SwitchLink& link : graph.links) {
        spines[link.from].insert(link.to);
        ++cables[link.from];
        ++cables[link.to];
        EXPECT_DOUBLE_EQ(12.5e9, link.bandwidth);
    }
    EXPECT_EQ(std::vector<int>(18, 6), cables);
    for (int a = 0; a < 12; ++a) {
        for (int b = 0; b < 12; ++b) {
            std::vector<int> shared;
            std::set_intersection(spines[a].begin(), spines[a].end(), spines[b].begin(), spines[b].end(),
                                  std::back_inserter(shared));
            EXPECT_EQ(a / 3 == b / 3 ? 3u : 1u, shared.size());
        }
    }
}

TEST(FullMesh, Of36PortsHas6156HostsAnd513Switches) {
    const SwitchGraph graph = mesh_of_ports(36);
    EXPECT_EQ(6156u, graph.leaf_of_host.size());
    EXPECT_EQ(513, graph.switches.size());
    EXPECT_EQ(6156u, graph.links.size());
    EXPECT_TRUE(find_full_mesh(graph));
}

TEST(FullMesh, IsFoundUnderOtherNamesInAnyOrder) {
    for (const int ports : {4, 6, 8, 12}) {
        for (const SwitchGraph& graph : {mesh_of_ports(ports), shuffled(mesh_of_ports(ports), 1)}) {
            const auto mesh = find_full_mesh(graph);
            ASSERT_TRUE(mesh) << ports;
            EXPECT_EQ(ports / 2 + 1, mesh->corners);
            EXPECT_EQ(ports / 2, mesh->layers);
        }
    }
    const auto two_layers = find_full_mesh(full_mesh({5, 2}, 1, {}));
    ASSERT_TRUE(two_layers) << "fewer layers than the ports of spines allow";
    EXPECT_EQ(2, two_layers->layers);
}

TEST(FullMesh, NothingElseIsTakenForOne) {
    const SwitchGraph mesh = mesh_of_ports(6);
    SwitchGraph graph = mesh;
    graph.links.pop_back();
    EXPECT_FALSE(find_full_mesh(graph)) << "a link is missing";

    graph = mesh;
    graph.switches.add("other");
    EXPECT_FALSE(find_full_mesh(graph)) << "a switch too many";

    graph = mesh;
    for (SwitchLink& link : graph.links) {
        if (graph.switches.name(link.to) == "spine(2,3)") link.to = graph.switches.find("spine(0,1)");
    }
    EXPECT_FALSE(find_full_mesh(graph)) << "a spine of four corners";

    EXPECT_FALSE(find_full_mesh(SwitchGraph{}));
}

}  // namespace
}  // namespace coll_topo
