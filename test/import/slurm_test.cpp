// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/slurm_topology.hpp"

#include "test/import/import_fixture.hpp"

namespace coll_topo::importing {
namespace {

ImportSettings settings_with(const std::string& topology, bool with_slurm_conf = false) {
    ImportSettings settings;
    settings.topology = topology;
    if (with_slurm_conf) settings.slurm_nodes = read_slurm_conf(sample("slurm.conf"), "slurm.conf").value();
    return settings;
}

std::string text_of(const std::string& source, const ImportSettings& settings = {}) {
    const auto network = import_text(source, settings);
    if (!network) return network.error().text();
    as_written(*network);
    return topology_text(network->fabric);
}

constexpr const char* tree_text =
    "SwitchName=isw1 Nodes=node[01-04]\nSwitchName=isw2 Nodes=node[05-08]\nSwitchName=isw3 Nodes=node[09-12]\n"
    "SwitchName=root Switches=top[1-2]\nSwitchName=top1 Switches=isw[1-2]\nSwitchName=top2 Switches=isw3\n";
constexpr const char* block_text =
    "SwitchName=b1 Nodes=gpu[01-04]\nSwitchName=b2 Nodes=gpu[05-08]\nSwitchName=b3 Nodes=gpu[09-12]\n"
    "SwitchName=b4 Nodes=gpu[13-16]\nSwitchName=b5 Nodes=gpu[17-20]\nSwitchName=b1..b2 Switches=b[1-2]\n"
    "SwitchName=b1..b4 Switches=b1..b2,b3..b4\nSwitchName=b1..b5 Switches=b5,b1..b4\nSwitchName=b3..b4 "
    "Switches=b[3-4]\n";

TEST(SlurmTopology, TreesOfAllFormsAreTheSame) {
    EXPECT_EQ(tree_text, text_of(sample("slurm-tree.conf")));
    EXPECT_EQ(tree_text, text_of(sample("slurm-tree.scontrol")));
    EXPECT_EQ(tree_text, text_of(sample("slurm.yaml")));
    EXPECT_EQ("", notes_of(*import_text(sample("slurm-tree.scontrol")))) << "nodes of upper switches are those below";
}

TEST(SlurmTopology, BlocksAreLeavesBelowTheirGroups) {
    EXPECT_EQ(block_text, text_of(sample("slurm-block.conf")));
    EXPECT_EQ(block_text, text_of(sample("slurm-block.scontrol")));
    EXPECT_EQ(block_text, text_of(sample("slurm.yaml"), settings_with("gpus")));
    const auto network = import_text(sample("slurm-block.conf"));
    ASSERT_TRUE(network);
    EXPECT_EQ("that all blocks are connected above is assumed\n", notes_of(*network));
}

TEST(SlurmTopology, ToriAndRings) {
    EXPECT_EQ("torus pod1, 4x4x2, wrapped yyy, 32 hosts", outcome(sample("slurm-torus3d.scontrol")));
    EXPECT_EQ("torus pod1, 4x4x2, wrapped yyy, 32 hosts", outcome(sample("slurm.yaml"), settings_with("cube")));
    EXPECT_EQ("torus r0, 8, wrapped y, 8 hosts", outcome(sample("slurm.yaml"), settings_with("rings")));
    EXPECT_EQ("torus torus, 2x3x4, wrapped yyy, 24 hosts", outcome(sample("slurm-3d-torus.conf")));
    const std::string parts = text_of(sample("slurm.yaml"), settings_with("parts"));
    EXPECT_EQ(
        "TorusName=pod2 Dims=4x2 Wrap=yy Bandwidth=12.5GB/s Latency=1us\nNodeName=node01 Coord=0,0\nNodeName=node02 "
        "Coord=1,0\nNodeName=node03 Coord=0,1\nNodeName=node04 Coord=1,1\nNodeName=node05 Coord=3,1\n",
        parts);
}

TEST(SlurmConf, BoxesOfNodesAreFromCornerToCorner) {
    const auto nodes = [](const std::string& list) {
        const auto read = read_slurm_conf("NodeName=" + list + "\n", "f");
        if (!read) return read.error().text();
        std::string text;
        for (const std::string& node : read->nodes) text += node + " ";
        return text;
    };
    EXPECT_EQ("t09A t09B t0AA t0AB t333 ", nodes("t[09Ax0AB,333]"));
    EXPECT_EQ("f:1:10: expected corners such as 000x133, found '001x000'", nodes("t[001x000]"));
    EXPECT_EQ("f:1:10: expected corners such as 000x133, found '00x11'", nodes("t[00x11]"));
}

TEST(SlurmTopology, NodesHaveTheNamesOfTheirHosts) {
    const std::string text = text_of(sample("slurm-tree.conf"), settings_with("", true));
    EXPECT_NE(std::string::npos, text.find("SwitchName=isw1 Nodes=host[1-4]\n")) << text;
    EXPECT_NE(std::string::npos, text.find("SwitchName=isw2 Nodes=node[05-08]\n")) << text;
    EXPECT_EQ("tree of 1 switch, 12 hosts", outcome(sample("slurm.yaml"), settings_with("plain", true)));
    const auto network = import_text(sample("slurm-tree.conf"), settings_with("", true));
    EXPECT_EQ("HostAddress Node=host1 Address=10.0.0.1\nHostAddress Node=host2 Address=10.0.0.2\n",
              host_address_lines(network->fabric.hosts, network->addresses).substr(0, 80));
    for (const std::string no_address : {"b[1-2]", "10.0.0.1"}) {
        EXPECT_TRUE(read_slurm_conf("NodeName=a[1-2] NodeAddr=" + no_address + "\n", "f")->addresses.empty());
    }
}

TEST(SlurmTopology, ANodeBelowTwoSwitchesJoinsThem) {
    EXPECT_EQ("SwitchName=a Nodes=n[1-4]\nSwitchName=top\nLink From=a To=top Count=2\n",
              text_of("SwitchName=a Nodes=n[1-4]\nSwitchName=b Nodes=n[1-4]\nSwitchName=top Switches=a,b\n"));
}

TEST(SlurmTopology, FaultsAreRefusedWithTheirPlace) {
    const auto conf = [](const std::string& text) { return outcome("SwitchName=a Nodes=n1\n" + text); };
    EXPECT_EQ("source:2:12: switch 'a' is given twice; first in line 1", conf("SwitchName=a Nodes=n2\n"));
    EXPECT_EQ("source:2:12: switch 'x' is not defined", conf("SwitchName=b Switches=x\n"));
    EXPECT_EQ("source:2:12: switch 'a' is given twice", conf("SwitchName=b Switches=a,a\n"));
    EXPECT_EQ("source:2:12: node 'n2' is given twice", conf("SwitchName=b Nodes=n[2-4],n2\n"));
    EXPECT_EQ("source:2:14: SwitchName has no key 'Nods'; did you mean Nodes?", conf("SwitchName=b Nods=n2\n"));
    EXPECT_NE(std::string::npos, conf("SwitchName=b Nodes=n[2-\n").find("source:2:"))
        << conf("SwitchName=b Nodes=n[2-\n");
    EXPECT_EQ("source:2:20: more than 131072 names of nodes", conf("SwitchName=b Nodes=m[1-99999],n[1-31073]\n"));
    EXPECT_EQ("source:2:12: switch 'b' is below itself", conf("SwitchName=b Switches=c\nSwitchName=c Switches=a,b\n"));
    EXPECT_EQ("source:1: there are no nodes", outcome("SwitchName=a\n"));
    EXPECT_EQ("source:1: BlockSizes 6 is no multiple of 4", outcome("BlockName=b Nodes=n[1-4]\nBlockSizes=4,6\n"));
    EXPECT_EQ("source:1:11: 3 nodes for 8 cells; topology.yaml tells which are where",
              outcome("TorusName=t Dims=2x2x2 Nodes=n[1-3]\n"));
    EXPECT_EQ("source:1: several networks in one topology; a topology file describes one",
              outcome("RingName=a Nodes=n[1-3]\nRingName=b Nodes=n[4-6]\n"));
}

TEST(SlurmTopology, FaultsOfYamlAreRefusedWithTheirPlace) {
    const auto yaml = [](const std::string& rest) { return outcome("- topology: t\n" + rest); };
    EXPECT_EQ("source:1:3: expected tree, block, flat, ring or torus3d", yaml("  cluster_default: true\n"));
    EXPECT_EQ("source:2:20: expected true or false", yaml("  cluster_default: maybe\n"));
    EXPECT_EQ("source:3:5: expected switches: and a list", yaml("  tree:\n    switch: a\n"));
    EXPECT_EQ("source:4:9: expected switch: and a value", yaml("  tree:\n    switches:\n      - nodes: n1\n"));
    EXPECT_EQ("source:4:9: expected switch: and a value", yaml("  tree:\n    switches:\n      - switch: ''\n"));
    EXPECT_NE(std::string::npos, yaml("  tree: [\n").find("no YAML: ")) << yaml("  tree: [\n");
    EXPECT_EQ("source:1: no topology 'x'; --topology NAME takes one of: main, gpus, plain, rings, cube, parts",
              outcome(sample("slurm.yaml"), settings_with("x")));
    EXPECT_EQ("source:37:3: a flat topology does not say which nodes there are; --slurm-conf FILE does",
              outcome(sample("slurm.yaml"), settings_with("plain")));
    EXPECT_EQ(
        "source:6:17: the region does not fit in the torus",
        yaml("  torus3d:\n    toruses:\n    - name: t\n      dims: {x: 2, y: 2, z: 2}\n      regions: [{anchor: {x: 1, "
             "y: 0, z: 0}, dims: {x: 2, y: 1, z: 1}, nodes: 'n[1-2]'}]\n"));
}

TEST(SlurmConf, FaultsAreRefused) {
    EXPECT_EQ("f:1:30: NodeHostName= gives 2 names for 3 of NodeName=",
              read_slurm_conf("NodeName=a[1-3] NodeHostName=b[1-2]\n", "f").error().text());
    EXPECT_EQ("f:2:10: node 'a1' is given twice", read_slurm_conf("NodeName=a1\nNodeName=a1\n", "f").error().text());
    EXPECT_NE(std::string::npos, outcome(sample("slurm.conf")).find("give this file by --slurm-conf"));
    EXPECT_EQ("source:1: node 'tux0' of topology/3d_torus does not end in three coordinates, 0 to 9 or A to Z",
              outcome("ClusterName=c\nTopologyPlugin=topology/3d_torus\nNodeName=tux0\n"));
}

}  // namespace
}  // namespace coll_topo::importing
