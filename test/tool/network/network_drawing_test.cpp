// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/network/network_drawing.hpp"

#include "coll_topo/tool/network/network_family.hpp"
#include "coll_topo/tool/network/network_text.hpp"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <utility>

namespace coll_topo::tool {
namespace {

NetworkLayout layout_of(const std::string& family) {
    const auto members = make_family(family);
    const Fabric& fabric = members->at(0).file.fabric;
    const LinkGraph network(fabric);
    return fabric.torus() != nullptr ? lay_out_torus(fabric, network) : lay_out_switches(fabric, network);
}

/// Every link is in one strand, no two nodes are at the same place, and all are inside the drawing.
void expect_complete(const NetworkLayout& layout, std::size_t links) {
    std::set<int> drawn;
    for (const Strand& strand : layout.strands) {
        for (const int link : strand.links) EXPECT_TRUE(drawn.insert(link).second);
    }
    EXPECT_EQ(links, drawn.size());
    std::set<std::pair<double, double>> places;
    for (const DrawnNode& node : layout.nodes) {
        EXPECT_TRUE(places.emplace(node.at.x, node.at.y).second) << node.tooltip;
        EXPECT_GT(node.at.x, 0);
        EXPECT_LT(node.at.x, layout.width);
        EXPECT_GT(node.at.y, 0);
        EXPECT_LT(node.at.y, layout.height);
    }
}

TEST(NetworkLayout, ShowsEveryHostOfASmallNetwork) {
    for (const char* const family : {"torus 4x4", "mesh 5", "torus 3x3x3", "torus 2x2x2x2x2", "torus 4x4x4x3"}) {
        const NetworkLayout layout = layout_of(family);
        const auto members = make_family(family);
        EXPECT_EQ(static_cast<std::size_t>(members->at(0).file.fabric.hosts.size()), layout.nodes.size());
        expect_complete(layout, LinkGraph(members->at(0).file.fabric).links().size());
        for (const DrawnNode& node : layout.nodes) EXPECT_FALSE(node.label.empty());
    }
    expect_complete(layout_of("tree 3x2x4"), 2 * (3 * 2 + 12));
    EXPECT_EQ(3u + 2 + 12, layout_of("tree 3x2x4").nodes.size());
}

TEST(NetworkLayout, TheTwoCablesOfADimensionOfTwoAreApart) {
    std::set<std::pair<double, double>> lines;
    for (const Strand& strand : layout_of("torus 2").strands) {
        // To the right going forth is to the left going back.
        lines.emplace(strand.from < strand.to ? 1 : -1, strand.bulge);
    }
    EXPECT_EQ(4u, lines.size());
}

TEST(NetworkLayout, LargeNetworksAreSummedUp) {
    const NetworkLayout leaves = layout_of("tree 30x4x20");
    EXPECT_EQ(30u + 30 + 4, leaves.nodes.size());
    expect_complete(leaves, 2 * (30 * 4 + 600));
    const NetworkLayout groups = layout_of("full-mesh 18x5");
    EXPECT_EQ(10u + 10 + 45, groups.nodes.size()) << "corners, their hosts, and spines";
    EXPECT_EQ("leaf(0,0) and 8 leaves with the same spines", groups.nodes[0].tooltip);
    expect_complete(groups, 2 * (90 * 9 + 450));
    EXPECT_EQ(70u + 70 + 2, layout_of("tree 70x2x6").nodes.size()) << "all leaves have the same spines";
    expect_complete(layout_of("torus 21x21"), 4 * 21 * 21);
    EXPECT_TRUE(layout_of("torus 21x21").nodes[0].label.empty());
}

TEST(NetworkLayout, VeryLargeToriAreBoxes) {
    const auto file = read_topology_text("TorusName=t Dims=32x32x16 Nodes=n[0-16383]", "large.conf");
    const LinkGraph network(file->fabric);
    const NetworkLayout layout = lay_out_torus(file->fabric, network);
    EXPECT_EQ(16u, layout.nodes.size());
    EXPECT_EQ("(*,*,0), 1024 cells", layout.nodes[0].label);
    expect_complete(layout, network.links().size());
}

TEST(NetworkDrawing, DrawsLinksAsAsked) {
    const auto members = make_family("mesh 2");
    const LinkGraph network(members->at(0).file.fabric);
    const std::string drawing =
        NetworkDrawing(members->at(0).file.fabric, network).draw("a & b", [&](std::span<const int> links) {
            return LinkLook{links[0] == 0 ? "#ff0000" : "#00ff00", 3, "busy"};
        });
    EXPECT_NE(std::string::npos, drawing.find("a &amp; b"));
    EXPECT_NE(std::string::npos, drawing.find("#ff0000"));
    EXPECT_NE(std::string::npos, drawing.find("#00ff00"));
    EXPECT_NE(std::string::npos, drawing.find("n1 to n0: busy"));
}

std::string text_of(const std::string& text) {
    const auto file = read_topology_text(text, "test.conf");
    std::ostringstream out;
    write_network_text(out, file->fabric);
    return out.str();
}

TEST(NetworkText, DrawsPlanesOfATorus) {
    EXPECT_EQ(
        "torus t, 2x2x2, wrapped nyn, 8 hosts\n"
        "  dimension 1: size 2, ends open, 1 GB/s, 1 us\n"
        "  dimension 2: size 2, ends joined, 1 GB/s, 1 us\n"
        "  dimension 3: size 2, ends open, 1 GB/s, 1 us\n"
        "\n"
        "  plane *,*,0\n"
        "    |   |\n"
        "    n0==n1\n"
        "    |   |\n"
        "    n2==n3\n"
        "    |   |\n"
        "\n"
        "  plane *,*,1\n"
        "    |   |\n"
        "    n4==n5\n"
        "    |   |\n"
        "    n6==n7\n"
        "    |   |\n",
        text_of("TorusName=t Dims=2x2x2 Wrap=nyn Nodes=n[0-7] Bandwidth=1GB/s Latency=1us"));
}

TEST(NetworkText, ListsSwitches) {
    EXPECT_EQ(
        "leaf-spine fat tree: 1 leaf, 2 spines, 3 hosts, 3 at each leaf\n"
        "  hosts: 2 GB/s, 1 us\n"
        "  leaf: 3 hosts\n"
        "    a b c\n"
        "    up to: s1 (x2) s2 (x2)\n"
        "  s1\n"
        "  s2\n",
        text_of("SwitchName=leaf Nodes=a,b,c\nLink From=leaf To=s[1-2] Count=2\n"
                "HostLink Bandwidth=2GB/s Latency=1us\n"));
}

TEST(NetworkText, ShowsTheGridOfALatinSquare) {
    const std::string text = text_of("LatinSquareName=l Order=2 HostsPerLeaf=1 Nodes=n[0-6]");
    const std::string expected =
        "Latin-square fat tree of order 2 (projective plane recognised): 7 leaves, 7 spines, 7 hosts, 1 at\n"
        "    each leaf\n"
        "  grid of leaves, columns to the right, rows down:\n"
        "    P(0,0) P(1,0)\n"
        "    P(0,1) P(1,1)\n"
        "  leaves off the grid, on L: P P(0) P(1)\n"
        "  spines that share no leaf of the grid:\n"
        "    columns, all on P: L(0) L(1)\n"
        "    rows, all on P(0): L(0,0) L(0,1)\n"
        "    slope 1, all on P(1): L(1,0) L(1,1)\n"
        "  P: 1 host\n";
    EXPECT_EQ(expected, text.substr(0, expected.size()));
}

TEST(NetworkText, ShowsTheGroupsOfAFullMesh) {
    const std::string text = text_of("FullMeshName=m Ports=6 Nodes=n[00-35]");
    const std::string expected =
        "full mesh of 4 corners in 3 layers: 12 leaves, 6 spines, 36 hosts, 3 at each leaf\n"
        "  groups of leaves with the same spines:\n"
        "    1: leaf(0,0) leaf(0,1) leaf(0,2)\n"
        "    2: leaf(1,0) leaf(1,1) leaf(1,2)\n"
        "    3: leaf(2,0) leaf(2,1) leaf(2,2)\n"
        "    4: leaf(3,0) leaf(3,1) leaf(3,2)\n"
        "  leaf(0,0): 3 hosts\n";
    EXPECT_EQ(expected, text.substr(0, expected.size()));
}

}  // namespace
}  // namespace coll_topo::tool
