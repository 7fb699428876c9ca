// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/slurm_address.hpp"

#include <gtest/gtest.h>

namespace coll_topo {
namespace {

Fabric tree(const std::vector<std::string>& addresses, const std::string& pattern) {
    std::vector<SlurmAddress> nodes;
    for (const std::string& address : addresses) {
        auto parsed = parse_slurm_address(address, pattern);
        EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().text());
        if (parsed) nodes.push_back(*std::move(parsed));
    }
    auto fabric = tree_of_addresses(nodes);
    EXPECT_TRUE(fabric) << (fabric ? "" : fabric.error().text());
    return fabric ? *std::move(fabric) : Fabric{{}, SwitchGraph{}, {}};
}

std::string parse_error(const std::string& address, const std::string& pattern) {
    const auto parsed = parse_slurm_address(address, pattern);
    return parsed ? "" : parsed.error().text();
}

std::string tree_error(const std::vector<SlurmAddress>& nodes) {
    const auto fabric = tree_of_addresses(nodes);
    return fabric ? "" : fabric.error().text();
}

TEST(SlurmAddress, TwoAndThreeLevels) {
    EXPECT_EQ("tree of 3 switches, 4 hosts",
              tree({"top.a.n1", "top.a.n2", "top.b.n3", "top.b.n4"}, "switch.switch.node").summary());
    EXPECT_EQ(
        "tree of 7 switches in 3 levels, 4 hosts",
        tree({"core.p1.a.n1", "core.p1.b.n2", "core.p2.c.n3", "core.p2.d.n4"}, "switch.switch.switch.node").summary());
    const Fabric block = tree({"b1.n1", "b1.n2", "b1.n3.example.org"}, "block.node");
    EXPECT_EQ("tree of 1 switch, 3 hosts", block.summary());
    EXPECT_EQ("n3.example.org", block.hosts.name(2));
}

TEST(SlurmAddress, SeveralSwitchesOfALevel) {
    const Fabric fabric = tree({"s[0-1].a.n1", "s[0-1].b.n2", "s[0-1].b.n3"}, "switch.switch.node");
    EXPECT_EQ("leaf-spine fat tree: 2 leaves, 2 spines, 3 hosts, at most 2 at each leaf", fabric.summary());
    const Fabric rails = tree({"top.l[1-2].n1", "top.l[1-2].n2", "top.l[3-4].n3"}, "switch.switch.node");
    EXPECT_EQ("tree of 3 switches, 3 hosts", rails.summary());
}

TEST(SlurmAddress, LevelsWithoutASwitch) {
    EXPECT_EQ("tree of 4 switches in 3 levels, 2 hosts",
              tree({"top.mid.a.n1", "top..b.n2"}, "switch.switch.switch.node").summary());
    EXPECT_EQ("tree of 1 switch, 2 hosts", tree({"n1", "n2"}, "node").summary());
}

TEST(SlurmAddress, FaultsAreRefused) {
    EXPECT_EQ(
        "SLURM_TOPOLOGY_ADDR_PATTERN is 'switch.host'; expected node, block.node, or switch. for each level and node",
        parse_error("a.n1", "switch.host"));
    EXPECT_EQ("SLURM_TOPOLOGY_ADDR is 'n1': it has fewer parts than 'switch.node'", parse_error("n1", "switch.node"));
    EXPECT_NE("", parse_error("a.", "switch.node"));
    EXPECT_NE("", parse_error("a[1-.n1", "switch.node"));
    EXPECT_NE("", parse_error("a.n 1", "switch.node"));
    EXPECT_NE("", parse_error("", ""));
    EXPECT_EQ("node 'n1' is there twice", tree_error({{{{"a"}}, "n1"}, {{{"b"}}, "n1"}}));
    EXPECT_EQ("switch 'b' is on two levels", tree_error({{{{"a"}, {"b"}}, "n1"}, {{{"b"}, {"a"}}, "n2"}}));
    EXPECT_EQ("node 'n1' is below no switch", tree_error({{{{}, {}}, "n1"}}));
}

}  // namespace
}  // namespace coll_topo
