// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/switch_reader.hpp"

#include "coll_topo/input/topology_file.hpp"

#include <gtest/gtest.h>
#include <string>

namespace coll_topo {
namespace {

SwitchGraph read(const std::string& text) {
    const auto file = read_topology_text(text, "t.conf");
    EXPECT_TRUE(file) << file.error().text();
    return file ? std::get<SwitchGraph>(file->fabric.network) : SwitchGraph{};
}

std::string error_of(const std::string& text) {
    const auto file = read_topology_text(text, "t.conf");
    return file ? "no error" : file.error().text();
}

TEST(SwitchReader, ReadsATreeInAnyOrderOfLines) {
    const SwitchGraph graph = read("SwitchName=top Switches=s[1-2]\nSwitchName=s1 Nodes=b,a\nSwitchName=s2 Nodes=c");
    ASSERT_EQ(3, graph.switches.size());
    EXPECT_EQ("top", graph.switches.name(0));
    EXPECT_EQ((std::vector<std::int32_t>{1, 1, 2}), graph.leaf_of_host);
    ASSERT_EQ(2u, graph.links.size());
    EXPECT_EQ(1, graph.links[0].from);
    EXPECT_EQ(0, graph.links[0].to);
    EXPECT_EQ(1, graph.links[0].count);
    EXPECT_EQ(0, graph.links[0].bandwidth);
    EXPECT_EQ(2, graph.links[1].from);
}

TEST(SwitchReader, ALinkJoinsEveryFromWithEveryToAndDeclaresSpines) {
    const SwitchGraph graph = read(
        "Link From=leaf[1-2] To=spine[1-3] Count=2 Bandwidth=25GB/s Latency=0.2us\n"
        "SwitchName=leaf1 Nodes=a\nSwitchName=leaf2 Nodes=b");
    ASSERT_EQ(5, graph.switches.size());
    EXPECT_EQ("spine3", graph.switches.name(4));
    ASSERT_EQ(6u, graph.links.size());
    for (int link = 0; link < 6; ++link) {
        EXPECT_EQ(link / 3, graph.links[link].from);
        EXPECT_EQ(2 + link % 3, graph.links[link].to);
        EXPECT_EQ(2, graph.links[link].count);
        EXPECT_DOUBLE_EQ(25e9, graph.links[link].bandwidth);
        EXPECT_DOUBLE_EQ(2e-7, graph.links[link].latency);
    }
}

TEST(SwitchReader, ALinkTellsTheSpeedOfWhatSwitchesHasConnected) {
    const SwitchGraph graph = read(
        "SwitchName=s1 Nodes=a\nSwitchName=s2 Nodes=b\nSwitchName=top Switches=s[1-2]\n"
        "Link From=s2 To=top Count=4 Bandwidth=1GB/s");
    ASSERT_EQ(2u, graph.links.size());
    EXPECT_EQ(1, graph.links[0].count);
    EXPECT_EQ(4, graph.links[1].count);
    EXPECT_DOUBLE_EQ(1e9, graph.links[1].bandwidth);
}

TEST(SwitchReader, SeveralParentsAndSwitchesWithoutHostsAreAllowedAsInSlurm) {
    const SwitchGraph graph =
        read("SwitchName=s1 Nodes=a\nSwitchName=s2\nSwitchName=top1 Switches=s[1-2]\nSwitchName=top2 Switches=s1");
    EXPECT_EQ(4, graph.switches.size());
    EXPECT_EQ(3u, graph.links.size());
}

TEST(SwitchReader, SaysWhatIsWrong) {
    const std::pair<const char*, const char*> cases[] = {
        {"SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2",
         "t.conf:2:12: switch 'a' is given twice; first at t.conf:1:12"},
        {"SwitchName=a Nodes=n[1-4]\nSwitchName=b Nodes=n[4-8]",
         "t.conf:2:20: host 'n4' is given twice; first at t.conf:1:20"},
        {"SwitchName=a Nodes=x,n[1-4],n2", "t.conf:1:29: host 'n2' is given twice; first at t.conf:1:22"},
        {"SwitchName=a Nodes=n1 Switches=b", "t.conf:1:32: a switch has Nodes= or Switches=, not both"},
        {"SwitchName=a Nodes=n1\nSwitchName=t Switches=a,b",
         "t.conf:2:25: switch 'b' is not defined; expected a line SwitchName=b"},
        {"SwitchName=a Nodes=n1\nLink From=b To=s",
         "t.conf:2:11: switch 'b' is not defined; expected a line SwitchName=b"},
        {"SwitchName=a Nodes=n1\nSwitchName=t Switches=a,a",
         "t.conf:2:23: switches 'a' and 't' are connected twice; first at t.conf:2:23; "
         "for parallel cables, use Link with Count="},
        {"SwitchName=a Nodes=n1\nLink From=a To=s\nLink From=a To=s",
         "t.conf:3:1: switches 'a' and 's' are connected twice; first at t.conf:2:1; "
         "for parallel cables, use Link with Count="},
        {"SwitchName=a Nodes=n1\nSwitchName=t Switches=a,t", "t.conf:2:23: switches in a circle: 't' is below 't'"},
        {"SwitchName=a Nodes=n1\nSwitchName=b Switches=a,d\nSwitchName=c Switches=b\nSwitchName=d Switches=c",
         "t.conf:2:23: switches in a circle: 'd' is below 'b' is below 'c' is below 'd'"},
        {"SwitchName=a Nodes=n1\nSwitchName=t Switches=a\nLink From=t To=a",
         "t.conf:2:23: switches in a circle: 'a' is below 't' is below 'a'"},
        {"SwitchName=a\nSwitchName=t Switches=a",
         "t.conf:1:1: no hosts; give Nodes= to the switches that hosts are connected to"},
        {"SwitchName=s[1-2] Nodes=n1",
         "t.conf:1:13: character '[' in a name; expected letters, digits, '-', '_', '.' or ':'"},
        {"SwitchName=a Nodes=n1\nLink From=a To=s Count=0", "t.conf:2:24: Count must be from 1 to 65535, not '0'"},
        {"SwitchName=a Nodes=n1\nLink From=a To=s Bandwidth=1GB,2GB",
         "t.conf:2:29: unknown unit 'GB,2GB'; expected B, kB, MB, GB, TB, KiB, MiB, GiB, TiB, kbit, Mbit, Gbit or "
         "Tbit"},
        {"SwitchName=a Nodes=n1\nLink From=a To=s Latency=1",
         "t.conf:2:27: the unit is missing; expected ns, us, ms or s"},
        {"SwitchName=a Nodes=n1\nLink From=a To=x[1-1048575]\nLink From=a To=y",
         "t.conf:3:16: switch 'y' is one too many; the limit is 1048576"},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(expected, error_of(text)) << text;
}

TEST(SwitchReader, ALongCircleIsShortened) {
    std::string text = "SwitchName=leaf Nodes=n1\n";
    for (int index = 0; index < 100; ++index) {
        text += "SwitchName=s" + std::to_string(index) + " Switches=s" + std::to_string((index + 1) % 100) + "\n";
    }
    const std::string error = error_of(text);
    EXPECT_NE(std::string::npos, error.find("is below others")) << error;
    EXPECT_LT(error.size(), 300u);
}

TEST(SwitchReader, RefusesMoreLinksThanAnyNetworkHas) {
    EXPECT_EQ("t.conf:2:1: more than 1048576 pairs of switches with links",
              error_of("SwitchName=leaf0 Nodes=n0\nLink From=a[1-1025] To=b[1-1025]\nLink From=leaf0 To=a[1-1025]"));
}

}  // namespace
}  // namespace coll_topo
