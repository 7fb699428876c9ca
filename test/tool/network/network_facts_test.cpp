// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/network/network_facts.hpp"

#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/tool/network/network_family.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace coll_topo::tool {
namespace {

NetworkFacts facts_of(const std::string& text) {
    const auto file = read_topology_text(text, "test.conf");
    EXPECT_TRUE(file) << file.error().text();
    return find_facts(file->fabric);
}

TEST(NetworkFacts, OfATorus) {
    const NetworkFacts facts = facts_of("TorusName=t Dims=4x2x3 Wrap=yyn Nodes=n[0-23] Bandwidth=1GB/s,2GB/s,8GB/s");
    EXPECT_EQ("torus", facts.kind);
    EXPECT_EQ(24 + 24 + 16, facts.cables);
    EXPECT_EQ(12e9, facts.bisection_bandwidth) << "the first dimension: 6 rows, 2 cables each";
    EXPECT_EQ((2 + 2 + 8) * 1e9, facts.least_injection_bandwidth);
    EXPECT_EQ((2 + 2 + 16) * 1e9, facts.most_injection_bandwidth) << "the middle plane of the mesh dimension";
    EXPECT_EQ(2 + 1 + 2, facts.diameter);
}

TEST(NetworkFacts, OfAMeshWithCablesOfHosts) {
    const NetworkFacts facts = facts_of(
        "TorusName=t Dims=3x2 Wrap=nn Nodes=n[0-5] Bandwidth=1GB/s\n"
        "HostLink Bandwidth=1GB/s\n");
    EXPECT_EQ("mesh", facts.kind);
    EXPECT_FALSE(facts.wiring);
    EXPECT_EQ(6, facts.switches);
    EXPECT_EQ(1e9, facts.least_injection_bandwidth);
    EXPECT_EQ(5, facts.diameter);
}

TEST(NetworkFacts, OfAFatTree) {
    const NetworkFacts facts = facts_of(
        "SwitchName=a Nodes=n[0-3]\nSwitchName=b Nodes=n[4-7]\n"
        "Link From=a,b To=s[1-2] Bandwidth=1GB/s\nHostLink Bandwidth=4GB/s\n");
    EXPECT_EQ("leaf_spine", facts.kind);
    EXPECT_EQ(4, facts.switches);
    EXPECT_EQ(2, facts.wiring->leaves);
    EXPECT_EQ(2, facts.wiring->spines);
    EXPECT_EQ(1, facts.wiring->leaf_groups);
    EXPECT_EQ(2, facts.wiring->levels);
    EXPECT_EQ(2e9, facts.bisection_bandwidth);
    EXPECT_EQ(4, facts.diameter);
}

TEST(NetworkFacts, OfSwitchesThatAreRecognised) {
    const NetworkFacts square = facts_of("LatinSquareName=l Order=3 HostsPerLeaf=1 Nodes=n[0-12]\n");
    EXPECT_EQ("latin_square", square.kind);
    EXPECT_EQ(3, square.wiring->order);
    EXPECT_EQ(13, square.wiring->leaf_groups);
    const NetworkFacts mesh = facts_of("FullMeshName=m Ports=6 Nodes=n[0-35]\n");
    EXPECT_EQ("full_mesh", mesh.kind);
    EXPECT_EQ(12, mesh.wiring->leaves);
    EXPECT_EQ(6, mesh.wiring->spines);
    EXPECT_EQ(4, mesh.wiring->corners);
    EXPECT_EQ(3, mesh.wiring->layers);
    EXPECT_EQ(4, mesh.wiring->leaf_groups);
    const NetworkFacts levels = facts_of(
        "SwitchName=a Nodes=n0\nSwitchName=b Nodes=n1\nLink From=a,b To=s[1-2] Bandwidth=1GB/s\n"
        "Link From=s[1-2] To=core Bandwidth=1GB/s\n");
    EXPECT_EQ("switches", levels.kind);
    EXPECT_EQ(3, levels.wiring->levels);
    EXPECT_EQ(0, levels.wiring->spines);
}

TEST(NetworkFacts, WhatIsNotKnownIsNotThere) {
    const NetworkFacts tree = facts_of("SwitchName=a Nodes=n[0-1]\nSwitchName=b Nodes=n2\nSwitchName=t Switches=a,b\n");
    EXPECT_EQ("tree", tree.kind);
    EXPECT_FALSE(tree.bisection_bandwidth);
    EXPECT_FALSE(tree.least_injection_bandwidth);
    EXPECT_EQ(4, tree.diameter);
    EXPECT_FALSE(facts_of("SwitchName=a Nodes=n0\nSwitchName=b Nodes=n1\n").diameter);
    EXPECT_EQ(2, facts_of("SwitchName=a Nodes=n[0-1]\n").diameter);
    EXPECT_EQ(0, facts_of("TorusName=t Dims=1 Nodes=n0").diameter);
}

std::string names(const std::string& family) {
    const auto members = make_family(family);
    if (!members) return members.error().text();
    return std::accumulate(
        members->begin(), members->end(), std::string(),
        [](const std::string& text, const FamilyMember& member) { return text + member.name + " "; });
}

TEST(NetworkFamily, ListsAllShapes) {
    EXPECT_EQ("torus 2x3 torus 2x4 torus 3x3 torus 3x4 ", names("torus 2..3x3..4"));
    EXPECT_EQ("mesh 5 ", names("mesh 5"));
    EXPECT_EQ("tree 2x1x3 ", names("tree 2x1x3"));
    const auto mesh = make_family("mesh 5x2");
    EXPECT_EQ("mesh", network_kind(mesh->at(0).file.fabric));
    EXPECT_EQ(10, mesh->at(0).file.fabric.hosts.size());
    const auto tree = make_family("tree 2x3x4");
    EXPECT_EQ(8, tree->at(0).file.fabric.hosts.size());
    EXPECT_EQ(5, std::get<SwitchGraph>(tree->at(0).file.fabric.network).switches.size());
}

TEST(NetworkFamily, LeavesOutFatTreesThatDoNotExist) {
    EXPECT_EQ("latin-square 5x1 latin-square 5x2 latin-square 7x1 latin-square 7x2 ", names("latin-square 5..7x1..2"));
    EXPECT_EQ("full-mesh 6x2 full-mesh 8x2 ", names("full-mesh 6..8x2"));
    EXPECT_EQ(13 * 4, make_family("latin-square 3x4")->at(0).file.fabric.hosts.size());
    EXPECT_EQ(12 * 3, make_family("full-mesh 6x3")->at(0).file.fabric.hosts.size());
    EXPECT_EQ("--family: there is no network of the family 'latin-square 6x1'", names("latin-square 6x1"));
    EXPECT_EQ("--family: a full-mesh has two sizes: ports of a switch, hosts of a leaf", names("full-mesh 6"));
}

TEST(NetworkFamily, SaysWhatIsWrong) {
    EXPECT_EQ(
        "--family: expected torus, mesh, tree, latin-square or full-mesh and sizes, such as 'torus 2..4x2..4', found "
        "'ring 4'",
        names("ring 4"));
    EXPECT_EQ("--family: the range '4..2' runs backwards", names("torus 4..2"));
    EXPECT_EQ("--family: expected a whole number for a size, found ''", names("torus 2x"));
    EXPECT_EQ("--family: a tree has three sizes: leaves, spines, hosts of a leaf", names("tree 2x2"));
    EXPECT_EQ("--family: torus 4096x4096x4096x4096x4096x4096x4096 has more than 4096 hosts",
              names("torus 4096x4096x4096x4096x4096x4096x4096"));
    EXPECT_EQ("--family: a family has at most 10000 networks", names("torus 1..101x1..100"));
}

}  // namespace
}  // namespace coll_topo::tool
