// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/fat_tree_reader.hpp"

#include "coll_topo/fabric/full_mesh.hpp"
#include "coll_topo/fabric/projective_plane.hpp"
#include "coll_topo/input/topology_file.hpp"

#include <gtest/gtest.h>
#include <string>

namespace coll_topo {
namespace {

Fabric read(const std::string& text) {
    auto file = read_topology_text(text, "t.conf");
    EXPECT_TRUE(file) << file.error().text();
    return file ? std::move(file->fabric) : Fabric{{}, SwitchGraph{}, {}, 0, 0};
}

std::string error_of(const std::string& text) {
    const auto file = read_topology_text(text, "t.conf");
    return file ? "no error" : file.error().text();
}

TEST(FatTreeReader, ReadsTheLatinSquareWith52Hosts) {
    const Fabric fabric = read("LatinSquareName=l0 Order=3 HostsPerLeaf=4 Nodes=h[00-51] Bandwidth=25GB/s Latency=2us");
    const auto& graph = std::get<SwitchGraph>(fabric.network);
    ASSERT_EQ(52, fabric.hosts.size());
    EXPECT_EQ("h17", fabric.hosts.name(17));
    EXPECT_EQ("P(0,0)", graph.switches.name(graph.leaf_of_host[17]));
    EXPECT_DOUBLE_EQ(25e9, graph.links[0].bandwidth);
    EXPECT_DOUBLE_EQ(2e-6, graph.links[0].latency);
    const auto plane = find_projective_plane(graph);
    ASSERT_TRUE(plane);
    EXPECT_EQ(3, plane->order);
}

TEST(FatTreeReader, ReadsTheFullMeshWith36Hosts) {
    const Fabric fabric = read("FullMeshName=m0 Ports=6 Nodes=s[00-35]");
    const auto& graph = std::get<SwitchGraph>(fabric.network);
    ASSERT_EQ(36, fabric.hosts.size());
    EXPECT_EQ("leaf(1,2)", graph.switches.name(graph.leaf_of_host[15]));
    EXPECT_DOUBLE_EQ(default_fat_tree_bandwidth, graph.links[0].bandwidth);
    EXPECT_DOUBLE_EQ(default_fat_tree_latency, graph.links[0].latency);
    const auto mesh = find_full_mesh(graph);
    ASSERT_TRUE(mesh);
    EXPECT_EQ(4, mesh->corners);
    EXPECT_EQ(3, mesh->layers);
}

TEST(FatTreeReader, LeavesAreFullUnlessHostsPerLeafSaysOtherwise) {
    EXPECT_EQ(21 * 5, read("LatinSquareName=l Order=4 Nodes=n[1-105]").hosts.size());
    EXPECT_EQ(7, read("LatinSquareName=l Order=2 HostsPerLeaf=1 Nodes=n[1-7]").hosts.size());
    EXPECT_EQ(70, read("LatinSquareName=l Order=2 HostsPerLeaf=10 Nodes=n[1-70]").hosts.size()) << "more than uplinks";
    EXPECT_EQ(24, read("FullMeshName=m Ports=6 HostsPerLeaf=2 Nodes=n[1-24]").hosts.size());
}

TEST(FatTreeReader, TheLargestMachineOfThePaperFits) {
    const Fabric fabric = read("FullMeshName=m Ports=36 Nodes=n[0001-6156]");
    EXPECT_EQ(6156, fabric.hosts.size());
    EXPECT_EQ(513, std::get<SwitchGraph>(fabric.network).switches.size());
}

TEST(FatTreeReader, AHostLinkIsTakenToo) {
    const Fabric fabric = read("LatinSquareName=l Order=2 Nodes=n[1-21]\nHostLink Bandwidth=50GB/s");
    EXPECT_DOUBLE_EQ(50e9, fabric.host_bandwidth);
}

TEST(FatTreeReader, SaysWhatIsWrong) {
    const std::pair<const char*, const char*> cases[] = {
        {"LatinSquareName=l Order=6 Nodes=n",
         "t.conf:1:25: Order must be a prime number or a power of one, such as 3, 4 or 5, not '6'"},
        {"LatinSquareName=l Order=1 Nodes=n", "t.conf:1:25: Order must be from 2 to 97, not '1'"},
        {"LatinSquareName=l Order=101 Nodes=n", "t.conf:1:25: Order must be from 2 to 97, not '101'"},
        {"LatinSquareName=l Order=3 Nodes=h[00-50]",
         "t.conf:1:33: Nodes= gives 51 hosts, but 13 leaves with HostsPerLeaf=4 have 52"},
        {"LatinSquareName=l Order=2 HostsPerLeaf=1 Nodes=h[1-8]",
         "t.conf:1:48: Nodes= gives 8 hosts, but 7 leaves with HostsPerLeaf=1 have 7"},
        {"LatinSquareName=l Order=2 HostsPerLeaf=0 Nodes=h",
         "t.conf:1:40: HostsPerLeaf must be from 1 to 149796, not '0'"},
        {"LatinSquareName=l Order=2 Nodes=h[1-20],h1", "t.conf:1:41: host 'h1' is given twice; first at t.conf:1:33"},
        {"LatinSquareName=l,m Order=2 Nodes=h[1-21]",
         "t.conf:1:18: character ',' in a name; expected letters, digits, '-', '_', '.' or ':'"},
        {"LatinSquareName=l Order=2 Nodes=h[1-21] Bandwidth=fast",
         "t.conf:1:51: expected a number and a unit, such as 25GB/s, found 'fast'"},
        {"LatinSquareName=l Order=2 Nodes=h[1-21] Latency=1",
         "t.conf:1:50: the unit is missing; expected ns, us, ms or s"},
        {"FullMeshName=m Ports=7 Nodes=n[1-36]", "t.conf:1:22: Ports must be even, not '7'"},
        {"FullMeshName=m Ports=4 Nodes=n[1-36]", "t.conf:1:22: Ports must be from 6 to 202, not '4'"},
        {"FullMeshName=m Ports=6 Nodes=n[1-37]",
         "t.conf:1:30: Nodes= gives 37 hosts, but 12 leaves with HostsPerLeaf=3 have 36"},
        {"FullMeshName=m Ports=6 HostsPerLeaf=4 Nodes=n[1-48]",
         "t.conf:1:37: HostsPerLeaf must be from 1 to 3, not '4'"},
        {"FullMeshName=m Ports=6 Nodes=n[1-36]\nLatinSquareName=l Order=2 Nodes=h[1-21]",
         "t.conf:2:1: second fat tree; a file describes one fabric, and the first is at t.conf:1:1"},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(expected, error_of(text)) << text;
}

}  // namespace
}  // namespace coll_topo
