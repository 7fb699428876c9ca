// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/doubtful_switches.hpp"

#include "coll_topo/input/topology_file.hpp"
#include "test/input/topology_test_files.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace coll_topo {
namespace {

const std::string leaves = "SwitchName=leaf1 Nodes=a\nSwitchName=leaf2 Nodes=b\nSwitchName=leaf3 Nodes=c\n";

std::vector<std::string> doubts(const std::string& text) {
    const auto file = read_topology_text(text, "t.conf");
    EXPECT_TRUE(file) << file.error().text();
    std::vector<std::string> found;
    for (int note = 0; note < file->doubts; ++note) found.push_back(file->notes[note].text());
    return found;
}

TEST(DoubtfulSwitches, AreSpelledWrongInOneLink) {
    const auto found = doubts(leaves + "Link From=leaf[1-2] To=spine[1-2]\nLink From=leaf3 To=spien1,spine2\n");
    ASSERT_EQ(1u, found.size());
    EXPECT_EQ(
        "t.conf:5:20: switch 'spien1' is named only here and has no SwitchName; did you mean 'spine1'? if it is right, "
        "SwitchName=spien1 says so",
        found[0]);
    EXPECT_EQ(1u, doubts(leaves + "Link From=leaf[1-2] To=s1,s2\nLink From=leaf3 To=s1,x2\n").size());
}

TEST(DoubtfulSwitches, HaveTwoLettersSwapped) {
    // All links of leaf3 lead to the wrong one.
    const auto found = doubts(leaves + "Link From=leaf[1-2] To=spine1\nLink From=leaf3 To=spien1\n");
    ASSERT_EQ(1u, found.size());
    EXPECT_NE(std::string::npos, found[0].find("did you mean 'spine1'?"));
}

TEST(DoubtfulSwitches, NumbersOfOtherSwitchesAreNotSuggested) {
    const auto found = doubts(leaves + "Link From=leaf[1-3] To=spine1\nLink From=leaf3 To=spine2\n");
    ASSERT_EQ(1u, found.size());
    EXPECT_EQ(std::string::npos, found[0].find("did you mean"));
}

TEST(DoubtfulSwitches, AreFewInAMessage) {
    const auto found = doubts(leaves + "Link From=leaf[1-3] To=spine1\nLink From=leaf3 To=x[1-9]\n");
    ASSERT_EQ(4u, found.size());
    EXPECT_TRUE(found[3].ends_with("; likewise 5 other switches")) << found[3];
}

TEST(DoubtfulSwitches, AreNotThoseOfUsualFiles) {
    for (const char* const text :
         {"SwitchName=leaf Nodes=a,b\nLink From=leaf To=s[1-2]\n",                               // one leaf
          "SwitchName=a Nodes=n1\nSwitchName=b Nodes=n2\nLink From=a To=s\nLink From=b To=s\n",  // a line for each leaf
          "SwitchName=a Nodes=n1\nSwitchName=b Nodes=n2\nSwitchName=s Switches=a,b\n",           // Slurm
          "SwitchName=a Nodes=n1\nSwitchName=b Switches=a\nSwitchName=c Switches=b\n",           // one below the other
          "SwitchName=a Nodes=n1\nSwitchName=b Nodes=n2\nLink From=a,b To=s1\nSwitchName=spare\nLink From=a "
          "To=spare\n"}) {
        const auto file = read_topology_text(text, "t.conf");
        ASSERT_TRUE(file) << text;
        EXPECT_EQ(0, file->doubts) << text;
    }
    for (const char* const path :
         {"test/data/topology/slurm-tree.conf", "test/data/topology/leaf-spine.conf", "test/data/topology/routes.conf",
          "share/topologies/tree-4x16.conf", "share/topologies/three-levels.conf", "share/topologies/full-mesh-6.conf",
          "test/mpi/topology/tree.conf", "test/mpi/topology/apart.conf"}) {
        const auto file = read_topology_file(source_path(path));
        ASSERT_TRUE(file) << path;
        EXPECT_EQ(0, file->doubts) << path;
    }
}

TEST(DoubtfulSwitches, ComeBeforeOtherNotes) {
    const auto file = read_topology_text(
        leaves + "SwitchName=d Nodes=d LinkSpeed=1\nLink From=leaf[1-2] To=spine1\nLink From=leaf2 To=spien1\n", "t");
    ASSERT_TRUE(file);
    ASSERT_EQ(2u, file->notes.size());
    EXPECT_EQ(1, file->doubts);
    EXPECT_NE(std::string::npos, file->notes[0].text().find("spien1"));
}

}  // namespace
}  // namespace coll_topo
