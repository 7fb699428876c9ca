// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/topology_file.hpp"

#include "coll_topo/input/topology_grammar.hpp"
#include "test/input/manual_keys.hpp"
#include "test/input/topology_test_files.hpp"

#include <gtest/gtest.h>
#include <fstream>
#include <iterator>
#include <string>

namespace coll_topo {
namespace {

Fabric read_file(const std::string& name) {
    auto file = read_topology_file(source_path(name));
    EXPECT_TRUE(file) << file.error().text();
    return file ? std::move(file->fabric) : Fabric{{}, Torus("none", {}, Tie::parity), {}, 0, 0};
}

std::uint64_t digest_of(const std::string& text) {
    const auto file = read_topology_text(text, "t.conf");
    EXPECT_TRUE(file) << file.error().text();
    return file ? file->fabric.digest() : 0;
}

std::string error_of(const std::string& text) {
    const auto file = read_topology_text(text, "t.conf");
    return file ? "no error" : file.error().text();
}

std::string content(const std::string& name) {
    std::ifstream file(source_path(name));
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(TopologyFile, TheManualPageShowsTheExamplesAsTheyAre) {
    std::string page = content("doc/man/coll-topo.conf.5");
    ASSERT_FALSE(page.empty());
    for (std::size_t at = page.find("\\e"); at != std::string::npos; at = page.find("\\e")) page.replace(at, 2, "\\");
    for (const char* name : {"torus.conf", "coordinates.conf", "slurm-tree.conf", "leaf-spine.conf", "routes.conf",
                             "latin-square.conf", "full-mesh.conf"}) {
        const std::string example = content(std::string("test/data/topology/") + name);
        const std::size_t after_comment = example.find('\n') + 1;
        ASSERT_GT(example.size(), after_comment) << name;
        EXPECT_NE(std::string::npos, page.find("\n" + example.substr(after_comment) + ".Ed")) << name;
    }
}

TEST(TopologyFile, TheManualPageHasTheKeysOfEveryStatement) {
    EXPECT_EQ(test::keys_of_grammar(topology_grammar()),
              test::keys_of_manual_page(source_path("doc/man/coll-topo.conf.5")));
}

TEST(TopologyFile, ReadsTheExamplesOfTheManualPage) {
    const Fabric torus = read_file("test/data/topology/torus.conf");
    EXPECT_EQ("torus t0, 4x4x2, wrapped yyn, 32 hosts", torus.summary());
    EXPECT_DOUBLE_EQ(3.4e9, torus.torus()->dimensions()[2].bandwidth);
    EXPECT_DOUBLE_EQ(5e-7, torus.torus()->dimensions()[2].latency);
    EXPECT_DOUBLE_EQ(25e9, torus.host_bandwidth);
    EXPECT_DOUBLE_EQ(3e-7, torus.host_latency);

    const Fabric mesh = read_file("test/data/topology/coordinates.conf");
    EXPECT_EQ("torus lab, 3x2, wrapped nn, 5 hosts in 6 cells", mesh.summary());
    EXPECT_EQ(3, mesh.cell(mesh.hosts.find("gpu0")));
    EXPECT_EQ(4, mesh.cell(mesh.hosts.find("gpu1")));

    const Fabric leaf_spine = read_file("test/data/topology/leaf-spine.conf");
    EXPECT_EQ("leaf-spine fat tree: 4 leaves, 2 spines, 64 hosts, 16 at each leaf", leaf_spine.summary());
    EXPECT_EQ(8u, std::get<SwitchGraph>(leaf_spine.network).links.size());
    EXPECT_EQ(17, leaf_spine.hosts.find("rack3n02"));
    EXPECT_DOUBLE_EQ(25e9, leaf_spine.host_bandwidth);

    EXPECT_EQ("network of 10 switches in 3 levels, 16 hosts, 16 given routes",
              read_file("test/data/topology/routes.conf").summary());
    EXPECT_EQ(
        "Latin-square fat tree of order 3 (projective plane recognised): 13 leaves, 13 spines, 52 hosts, 4 at each "
        "leaf",
        read_file("test/data/topology/latin-square.conf").summary());
    EXPECT_EQ("full mesh of 4 corners in 3 layers: 12 leaves, 6 spines, 36 hosts, 3 at each leaf",
              read_file("test/data/topology/full-mesh.conf").summary());
}

TEST(TopologyFile, ReadsASlurmFileUnchangedAndRemarksLinkSpeedOnce) {
    const std::string path = source_path("test/data/topology/slurm-tree.conf");
    const auto file = read_topology_file(path);
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_EQ("tree of 4 switches, 18 hosts", file->fabric.summary());
    ASSERT_EQ(1u, file->notes.size());
    EXPECT_EQ(path +
                  ":4:42: LinkSpeed is ignored, as Slurm does, because it has no unit; "
                  "speeds come from Link and HostLink",
              file->notes[0].text());
    const auto two = read_topology_text("SwitchName=a Nodes=n LinkSpeed=1\nSwitchName=b Switches=a LinkSpeed=1", "t");
    ASSERT_TRUE(two);
    EXPECT_EQ(1u, two->notes.size());
}

TEST(TopologyFile, ReadsTheSamplesThatAreInstalled) {
    EXPECT_EQ("torus t0, 4x4, wrapped yy, 16 hosts", read_file("share/topologies/torus-4x4.conf").summary());
    EXPECT_EQ("torus t0, 3x3x3, wrapped yyy, 27 hosts", read_file("share/topologies/torus-3x3x3.conf").summary());
    EXPECT_EQ("torus t0, 4x4x4, wrapped yyy, 64 hosts", read_file("share/topologies/torus-4x4x4.conf").summary());
    EXPECT_EQ("tree of 5 switches, 64 hosts", read_file("share/topologies/tree-4x16.conf").summary());
    EXPECT_EQ(
        "Latin-square fat tree of order 3 (projective plane recognised): 13 leaves, 13 spines, 52 hosts, 4 at each "
        "leaf",
        read_file("share/topologies/latin-square-3.conf").summary());
    EXPECT_EQ("full mesh of 4 corners in 3 layers: 12 leaves, 6 spines, 36 hosts, 3 at each leaf",
              read_file("share/topologies/full-mesh-6.conf").summary());
    EXPECT_EQ("network of 20 switches in 3 levels, 32 hosts",
              read_file("share/topologies/three-levels.conf").summary());
}

TEST(TopologyFile, DigestIsOfTheMeaningNotOfTheText) {
    const std::uint64_t digest = digest_of("TorusName=t Dims=2x2 Nodes=n[0-3]");
    EXPECT_EQ(digest,
              digest_of("# comment\n\n  torusname = t   nodes=n0,n[1-2],n3 \\\n WRAP=YY dims=2x2 TIE=parity # x\n"));
    EXPECT_EQ(digest, digest_of("TorusName=t Dims=2x2 Nodes=n[0-3] Bandwidth=100Gbit/s Latency=1000ns"));
    EXPECT_NE(digest, digest_of("TorusName=t Dims=2x2 Nodes=n[1-4]"));
    EXPECT_NE(digest, digest_of("TorusName=t Dims=2x2 Nodes=n[0-3] Wrap=yn"));
    EXPECT_NE(digest, digest_of("TorusName=t Dims=2x2 Nodes=n[0-3]\nHostLink Latency=1us"));
    EXPECT_NE(digest, digest_of("TorusName=t Dims=2x2 Nodes=n[0-3]\nMachine MessageTime=2us"));
    EXPECT_NE(digest, digest_of("TorusName=t Dims=2x2 Nodes=n[0-3]\nMachine SharedMessageTime=2us"));
    EXPECT_NE(digest, digest_of("TorusName=t Dims=2x2 Nodes=n[0-3]\nMachine LinkBurst=1KiB"));
    EXPECT_NE(digest, digest_of("TorusName=t Dims=2x2 Nodes=n[0-3]\nMachine EagerLimit=1KiB"));
}

TEST(TopologyFile, SaysWhatIsWrongWithTheFileAsAWhole) {
    const char* const no_network =
        "t.conf:1: the file describes no network; expected TorusName=, SwitchName=, LatinSquareName= or FullMeshName= "
        "lines";
    const std::pair<const char*, const char*> cases[] = {
        {"", no_network},
        {"# nothing\n\n", no_network},
        {"HostLink Latency=1us", no_network},
        {"NodeName=a Coord=1", "t.conf:1:1: NodeName without TorusName"},
        {"SwitchName=a Nodes=n1\nTorusName=t Dims=1 Nodes=n2",
         "t.conf:2:1: TorusName in a file with SwitchName at t.conf:1:1; a file describes one fabric: a torus, "
         "switches, or a generated fat tree"},
        {"TorusName=t Dims=1 Nodes=n2\nLink From=a To=b",
         "t.conf:2:1: Link in a file with TorusName at t.conf:1:1; a file describes one fabric: a torus, switches, or "
         "a generated fat tree"},
        {"NodeName=n Coord=0\nSwitchName=a Nodes=n1",
         "t.conf:2:1: SwitchName in a file with NodeName at t.conf:1:1; a file describes one fabric: a torus, "
         "switches, or a generated fat tree"},
        {"FullMeshName=m Ports=6 Nodes=n[1-36]\nLink From=a To=b",
         "t.conf:2:1: Link in a file with FullMeshName at t.conf:1:1; a file describes one fabric: a torus, switches, "
         "or a generated fat tree"},
        {"TorusName=t Dims=1 Nodes=a\nHostLink", "t.conf:2:1: HostLink needs Bandwidth= or Latency="},
        {"HostLink Latency=1us\nTorusName=t Dims=1 Nodes=a\nHostLink Latency=1us",
         "t.conf:3:1: second HostLink; the first is at t.conf:1:1"},
        {"TorusName=t Dims=1 Nodes=a\nMachine",
         "t.conf:2:1: Machine needs MessageTime=, LocalMessageTime=, SharedMessageTime=, LocalBandwidth=, "
         "ReduceBandwidth=, CopyBandwidth=, MemoryBandwidth=, LinkBurst= or EagerLimit="},
        {"Machine MessageTime=1us\nTorusName=t Dims=1 Nodes=a\nMachine MessageTime=1us",
         "t.conf:3:1: second Machine; the first is at t.conf:1:1"},
        {"TorusName=t Dims=1 Nodes=a\nHostLink Bandwidth=1GB/s,2GB/s",
         "t.conf:2:21: unknown unit 'GB/s,2GB/s'; "
         "expected B, kB, MB, GB, TB, KiB, MiB, GiB, TiB, kbit, Mbit, Gbit or Tbit"},
        {"TorusName=t Dims=1 Nodes=a\nHostLink Latency=soon",
         "t.conf:2:18: expected a number and a unit, such as 0.5us, found 'soon'"},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(expected, error_of(text)) << text;
}

TEST(TopologyFile, IncludeOfATextIsBesideTheFileOfItsName) {
    const auto file = read_topology_text("Include torus.conf", source_path("test/data/topology/of-no-file.conf"));
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_EQ(32, file->fabric.hosts.size());
}

}  // namespace
}  // namespace coll_topo
