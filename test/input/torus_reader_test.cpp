// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/torus_reader.hpp"

#include "coll_topo/input/topology_file.hpp"

#include <gtest/gtest.h>
#include <string>

namespace coll_topo {
namespace {

Fabric read(const std::string& text) {
    auto file = read_topology_text(text, "t.conf");
    EXPECT_TRUE(file) << file.error().text();
    return file ? std::move(file->fabric) : Fabric{{}, Torus("none", {}, Tie::parity), {}, 0, 0};
}

std::string error_of(const std::string& text) {
    const auto file = read_topology_text(text, "t.conf");
    return file ? "no error" : file.error().text();
}

TEST(TorusReader, DefaultsAreAsDocumented) {
    const Fabric fabric = read("TorusName=t0 Dims=4x4 Nodes=n[00-15]");
    ASSERT_NE(nullptr, fabric.torus());
    EXPECT_EQ("t0", fabric.torus()->name());
    EXPECT_EQ(Tie::parity, fabric.torus()->tie());
    ASSERT_EQ(2u, fabric.torus()->dimensions().size());
    for (const TorusDimension& dimension : fabric.torus()->dimensions()) {
        EXPECT_EQ(4, dimension.size);
        EXPECT_TRUE(dimension.wrapped);
        EXPECT_DOUBLE_EQ(12.5e9, dimension.bandwidth);
        EXPECT_DOUBLE_EQ(1e-6, dimension.latency);
    }
    EXPECT_EQ(16, fabric.hosts.size());
    EXPECT_EQ("n05", fabric.hosts.name(5));
    EXPECT_TRUE(fabric.cell_of_host.empty());
    EXPECT_EQ(0, fabric.host_bandwidth);
    EXPECT_EQ(0, fabric.host_latency);
}

TEST(TorusReader, ReadsOneSpeedForAllDimensionsOrOneForEach) {
    const Fabric fabric = read("TorusName=t Dims=2x3 Nodes=n[0-5] Bandwidth=6.8GB/s Latency=1us,300ns Tie=Negative");
    EXPECT_DOUBLE_EQ(6.8e9, fabric.torus()->dimensions()[0].bandwidth);
    EXPECT_DOUBLE_EQ(6.8e9, fabric.torus()->dimensions()[1].bandwidth);
    EXPECT_DOUBLE_EQ(1e-6, fabric.torus()->dimensions()[0].latency);
    EXPECT_DOUBLE_EQ(3e-7, fabric.torus()->dimensions()[1].latency);
    EXPECT_EQ(Tie::negative, fabric.torus()->tie());
}

TEST(TorusReader, TakesAnyNumberOfDimensions) {
    EXPECT_EQ("torus t, 5, wrapped n, 5 hosts", read("TorusName=t Dims=5 Wrap=N Nodes=n[1-5]").summary());
    EXPECT_EQ("torus t, 2x2x2x1x2x2x2, wrapped yyyyyyn, 64 hosts",
              read("TorusName=t Dims=2x2x2x1x2x2x2 Wrap=yyyyyyn Nodes=n[1-64]").summary());
}

TEST(TorusReader, PlacesHostsByCoordinatesAndLeavesHoles) {
    const Fabric fabric = read("NodeName=b Coord=1,1\nTorusName=t Dims=3x2\nNodeName=a Coord=2,0");
    EXPECT_EQ("torus t, 3x2, wrapped yy, 2 hosts in 6 cells", fabric.summary());
    EXPECT_EQ("b", fabric.hosts.name(0));
    EXPECT_EQ((std::vector<std::int64_t>{4, 2}), fabric.cell_of_host);
}

TEST(TorusReader, CoordinatesInTheOrderOfTheCellsNeedNoTable) {
    const Fabric listed = read("TorusName=t Dims=2x1\nNodeName=a Coord=0,0\nNodeName=b Coord=1,0");
    EXPECT_TRUE(listed.cell_of_host.empty());
    EXPECT_EQ(read("TorusName=t Dims=2x1 Nodes=a,b").digest(), listed.digest());
}

TEST(TorusReader, SaysWhatIsWrong) {
    const std::pair<const char*, const char*> cases[] = {
        {"TorusName=t Dims=4x4 Nodes=n[0-14]",
         "t.conf:1:28: Nodes= gives 15 hosts for 16 cells; to leave cells empty, use NodeName= Coord= lines instead"},
        {"TorusName=t Dims=4 Nodes=n[0-4]",
         "t.conf:1:26: Nodes= gives 5 hosts for 4 cells; to leave cells empty, use NodeName= Coord= lines instead"},
        {"TorusName=t Dims=4x4", "t.conf:1:1: torus without hosts; give Nodes=, or NodeName= Coord= lines"},
        {"TorusName=t Dims=2 Nodes=a,b,a", "t.conf:1:30: host 'a' is given twice; first at t.conf:1:26"},
        {"TorusName=t Dims=2\nNodeName=a Coord=0\nNodeName=a Coord=1",
         "t.conf:3:10: host 'a' is given twice; first at t.conf:2:10"},
        {"TorusName=t Dims=2\nNodeName=a Coord=0\nNodeName=b Coord=0",
         "t.conf:3:18: coordinates '0' are given twice; first for host 'a' at t.conf:2:10"},
        {"TorusName=t Dims=2x2 Nodes=n[0-3]\nNodeName=a Coord=0,0",
         "t.conf:2:1: NodeName, but the hosts of the torus are given by Nodes= at t.conf:1:28; use one of the two"},
        {"TorusName=t Dims=2x2\nNodeName=a Coord=0",
         "t.conf:2:18: Coord= has 1 number, expected one for each of the 2 dimensions"},
        {"TorusName=t Dims=2x2\nNodeName=a Coord=0,2", "t.conf:2:20: the coordinate must be from 0 to 1, not '2'"},
        {"TorusName=t Dims=2x2\nNodeName=a Coord=-1,0", "t.conf:2:18: the coordinate must be from 0 to 1, not '-1'"},
        {"TorusName=t Dims=2x2\nNodeName=a Coord=0,z",
         "t.conf:2:20: expected a whole number for the coordinate, found 'z'"},
        {"TorusName=t Dims=2\nNodeName=a[0-1] Coord=0",
         "t.conf:2:11: character '[' in a name; expected letters, digits, '-', '_', '.' or ':'"},
        {"TorusName=t/0 Dims=2 Nodes=a,b",
         "t.conf:1:12: character '/' in a name; expected letters, digits, '-', '_', '.' or ':'"},
        {"TorusName=t Dims=4x Nodes=a", "t.conf:1:20: expected a whole number for the size of a dimension, found ''"},
        {"TorusName=t Dims=4,4 Nodes=a",
         "t.conf:1:18: expected a whole number for the size of a dimension, found '4,4'"},
        {"TorusName=t Dims=4x0 Nodes=a", "t.conf:1:20: the size of a dimension must be from 1 to 1048576, not '0'"},
        {"TorusName=t Dims=99999999999999999999 Nodes=a",
         "t.conf:1:18: the size of a dimension must be from 1 to 1048576, not '99999999999999999999'"},
        {"TorusName=t Dims=1048576x1048576x1048576x1048576 Nodes=a", "t.conf:1:18: torus of more than 1048576 cells"},
        {"TorusName=t Dims=2x2 Wrap=y Nodes=n[0-3]",
         "t.conf:1:27: Wrap= has 1 letter, expected one for each of the 2 dimensions"},
        {"TorusName=t Dims=2x2 Wrap=yz Nodes=n[0-3]", "t.conf:1:28: expected y or n, found 'z'"},
        {"TorusName=t Dims=2x2x2 Nodes=n[0-7] Bandwidth=1GB,2GB",
         "t.conf:1:47: Bandwidth= has 2 values, expected one or one for each of the 3 dimensions"},
        {"TorusName=t Dims=2x2 Nodes=n[0-3] Latency=1us,1",
         "t.conf:1:48: the unit is missing; expected ns, us, ms or s"},
        {"TorusName=t Dims=2 Nodes=a,b Tie=left",
         "t.conf:1:34: unknown Tie 'left'; expected positive, negative or parity"},
        {"TorusName=t Dims=2 Nodes=a,b Dims=2", "t.conf:1:30: Dims= is given twice; first at t.conf:1:18"},
        {"TorusName=t Dims=2 Nodes=a,b\n\nTorusName=u Dims=2 Nodes=c,d",
         "t.conf:3:1: second TorusName; a file describes one fabric, and the first is at t.conf:1:1"},
        {"TorusName=t Dims=2 Nodes=n[1-0]", "t.conf:1:28: range '1-0' runs backwards"},
        {"TorusName=t Dims=2 Nodes=n[1-2", "t.conf:1:27: '[' without ']'"},
        {"TorusName=t Dims=2 \\\n  Nodes=a,\\\na", "t.conf:3:1: host 'a' is given twice; first at t.conf:2:9"},
        {"TorusName=t Dims=2 Nodes=n[0-999999999]", "t.conf:1:26: more than 1048576 names in a list"},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(expected, error_of(text)) << text;
}

}  // namespace
}  // namespace coll_topo
