// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/merge.hpp"

#include "coll_topo/import/network_changes.hpp"
#include "test/import/import_fixture.hpp"

namespace coll_topo::importing {
namespace {

Fabric read(const std::string& text, const std::string& name = "cluster.conf") {
    auto file = read_topology_text(text, name);
    EXPECT_TRUE(file) << (file ? "" : file.error().text()) << "\n" << text;
    return file ? std::move(file->fabric) : Fabric{{}, SwitchGraph{}, {}};
}

std::string changes(const std::string& before, const std::string& now) {
    std::string text;
    for (const std::string& change : network_changes(read(before), read(now))) text += change + "\n";
    return text;
}

/// The old text with the network of the new one, whose switches may have other names.
std::string merged(const std::string& text, const std::string& now) {
    const Fabric before = read(text);
    Fabric network = read(now, "now");
    if (auto* const graph = std::get_if<SwitchGraph>(&network.network))
        take_switch_names(before, *graph, network.hosts);
    const auto result = merged_text(text, "cluster.conf", before, network);
    if (!result) return result.error().text();
    EXPECT_TRUE(network_changes(read(*result), network).empty()) << *result;
    return *result;
}

constexpr const char* old_file =
    "# our cluster\n"
    "SwitchName=leaf1 Nodes=n[1-4]  # rack 1\n"
    "SwitchName=leaf2 Nodes=n[5-8]  # rack 2\n"
    "# measured in May\n"
    "Link From=leaf1 To=spine[1-2] Count=2 Bandwidth=11GB/s Latency=0.3us\n"
    "Link From=leaf2 To=spine[1-2] Count=2 Bandwidth=12GB/s Latency=0.3us  # newer cables\n"
    "HostLink Bandwidth=11GB/s\n"
    "Machine MessageTime=0.7us\n";

TEST(NetworkChanges, AreSaidOfHostsAndCables) {
    EXPECT_EQ("", changes(old_file, old_file));
    EXPECT_EQ("host n5 is at a, and was at b\nhost n9 is gone\n",
              changes("SwitchName=a Nodes=n1\nSwitchName=b Nodes=n5,n9\n", "SwitchName=a Nodes=n1,n5\nSwitchName=b\n"));
    EXPECT_EQ("host n2 is new, at b\n2 cables between a and s, and 1 before\n1 new cable between b and s\n",
              changes("SwitchName=a Nodes=n1\nLink From=a To=s\n",
                      "SwitchName=a Nodes=n1\nSwitchName=b Nodes=n2\nLink From=a To=s Count=2\nLink From=b To=s\n"));
    EXPECT_EQ("no cable between a and s any more, there was 1\n",
              changes("SwitchName=a Nodes=n1\nLink From=a To=s\n", "SwitchName=a Nodes=n1\nSwitchName=s\n"));
    EXPECT_EQ("no cable between a and d any more, there was 1\n",
              changes("TorusName=t Dims=4 Nodes=a,b,c,d\n", "TorusName=t Dims=4 Wrap=n Nodes=a,b,c,d\n"));
    EXPECT_EQ("", changes("TorusName=t Dims=4 Nodes=a,b,c,d\n", "TorusName=t Dims=4 Nodes=b,c,d,a\n"))
        << "the same ring";
    EXPECT_EQ("it was: torus t, 2, wrapped y, 2 hosts; it is: tree of 1 switch, 1 host\n",
              changes("TorusName=t Dims=2 Nodes=a,b\n", "SwitchName=s Nodes=a\n"));
}

TEST(Merge, KeepsTheTextIfNothingHasChanged) {
    EXPECT_EQ(
        old_file,
        merged(
            old_file,
            "SwitchName=x Nodes=n[1-4]\nSwitchName=y Nodes=n[5-8]\nLink From=x,y To=u,v Count=2 Bandwidth=25GB/s\n"));
    const std::string latin = "LatinSquareName=l Order=2 Nodes=n[0-20]\n";
    EXPECT_EQ(latin, merged(latin, topology_text(read(latin)).empty() ? "" : latin));
}

TEST(Merge, ChangesWhatIsNoLongerTrueAndNothingElse) {
    // n8 has moved to a new leaf, and a cable of leaf2 is broken.
    EXPECT_EQ(
        "# our cluster\n"
        "SwitchName=leaf1 Nodes=n[1-4]  # rack 1\n"
        "SwitchName=leaf2 Nodes=n[5-7]  # rack 2\n"
        "SwitchName=z Nodes=n[8-9]\n"
        "# measured in May\n"
        "Link From=leaf1 To=spine[1-2] Count=2 Bandwidth=11GB/s Latency=0.3us\n"
        "  # newer cables\n"
        "Link From=leaf2 To=spine1 Bandwidth=12GB/s Latency=0.3us\n"
        "Link From=leaf2 To=spine2 Count=2 Bandwidth=12GB/s Latency=0.3us\n"
        "Link From=z To=spine[1-2] Count=2 Bandwidth=25GB/s\n"
        "HostLink Bandwidth=11GB/s\n"
        "Machine MessageTime=0.7us\n",
        merged(old_file,
               "SwitchName=leaf1 Nodes=n[1-4]\nSwitchName=leaf2 Nodes=n[5-7]\nSwitchName=z Nodes=n[8-9]\n"
               "Link From=leaf1,z To=spine[1-2] Count=2 Bandwidth=25GB/s\nLink From=leaf2 To=spine1 "
               "Bandwidth=25GB/s\nLink From=leaf2 To=spine2 "
               "Count=2 Bandwidth=25GB/s\n"));
}

TEST(Merge, OfSlurmsLinesKeepsThoseThatAreTrue) {
    EXPECT_EQ("SwitchName=a Nodes=n[1-2]\nSwitchName=top Switches=a\nSwitchName=c Nodes=n5\nLink From=c To=top\n",
              merged("SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-4]\nSwitchName=top Switches=a,b\n",
                     "SwitchName=a Nodes=n[1-2]\nSwitchName=c Nodes=n5\nSwitchName=top Switches=a,c\n"));
}

TEST(Merge, OfATorusKeepsNameAndSpeeds) {
    EXPECT_EQ(
        "# ours\nTorusName=lab Dims=4 Wrap=y Bandwidth=3GB/s Latency=2us Tie=positive \\\n    Nodes=a,b,c,e # "
        "ring\nHostLink Latency=1us\n",
        merged("# ours\nTorusName=lab Dims=4 Nodes=a,b,c,d Bandwidth=3GB/s Latency=2us Tie=positive # ring\nHostLink "
               "Latency=1us\n",
               "TorusName=torus Dims=4 Nodes=a,b,c,e\n"));
    EXPECT_EQ("SwitchName=s Nodes=a,b\n", merged("TorusName=lab Dims=2 Nodes=a,b\n", "SwitchName=s Nodes=a,b\n"));
}

TEST(Merge, WhatCannotBeDoneIsRefused) {
    const std::string refused =
        merged("SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-4]\nLink From=a,b To=s\nRoute At=a To=n4 Via=s\n",
               "SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n3\nLink From=a,b To=s\n");
    EXPECT_EQ(0U,
              refused.find("cluster.conf:4:15: with the changes of the network the file is wrong, correct it by hand"))
        << refused;
}

}  // namespace
}  // namespace coll_topo::importing
