// SPDX-License-Identifier: BSD-3-Clause
//
// Topology files, and the hosts in them.
#include "test/engine/engine_fixture.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <string>

namespace coll_topo::test {
namespace {

TEST(Engine, SaysWhereAFileIsWrong) {
    coll_topo_topology* topology = nullptr;
    std::array<char, 512> message{};
    EXPECT_EQ(coll_topo_topology_load("no/such/file", &topology, message.data(), message.size()), COLL_TOPO_FAILED);
    EXPECT_EQ(topology, nullptr);
    EXPECT_NE(std::string(message.data()).find("no/such/file"), std::string::npos) << message.data();
    // A message that does not fit is cut, never written beyond its end.
    message.fill('#');
    coll_topo_topology_load("no/such/file", &topology, message.data(), 8);
    EXPECT_EQ(message[7], '\0');
    EXPECT_EQ(message[8], '#');
}

TEST(Engine, FindsHostsByNameWithAndWithoutDomainAndByCoordinates) {
    const Topology topology = sample("torus-4x4.conf");
    EXPECT_EQ(coll_topo_topology_host_at(topology.get(), "3,1"), 7);
    EXPECT_EQ(coll_topo_topology_find_host(topology.get(), "n07"), 7);
    EXPECT_EQ(coll_topo_topology_find_host(topology.get(), "n07.cluster.example"), 7);
    EXPECT_EQ(coll_topo_topology_find_host(topology.get(), "elsewhere"), -1);
    for (const char* wrong : {"", "3", "3,1,0", "4,0", "-1,0", "a,b", "3,", "3;1"}) {
        EXPECT_EQ(coll_topo_topology_host_at(topology.get(), wrong), -1) << wrong;
    }
}

TEST(Engine, FindsHostsByTheirFullNamesWhereTheFileHasThose) {
    const std::string path = testing::TempDir() + "topology_test_names.conf";
    std::ofstream(path) << "SwitchName=leaf Nodes=n0.east,n0.west\n";
    coll_topo_topology* loaded = nullptr;
    std::array<char, 512> message{};
    ASSERT_EQ(coll_topo_topology_load(path.c_str(), &loaded, message.data(), message.size()), COLL_TOPO_OK)
        << message.data();
    const Topology topology(loaded, coll_topo_topology_free);
    std::remove(path.c_str());
    EXPECT_EQ(coll_topo_topology_find_host(topology.get(), "n0.east"), 0);
    EXPECT_EQ(coll_topo_topology_find_host(topology.get(), "n0.west"), 1);
    EXPECT_EQ(coll_topo_topology_find_host(topology.get(), "n0"), -1);
}

TEST(Engine, DigestsDifferForDifferentTopologies) {
    EXPECT_EQ(coll_topo_topology_digest(sample("torus-4x4.conf").get()),
              coll_topo_topology_digest(sample("torus-4x4.conf").get()));
    EXPECT_NE(coll_topo_topology_digest(sample("torus-4x4.conf").get()),
              coll_topo_topology_digest(sample("torus-3x3x3.conf").get()));
}

TEST(Engine, PlacesForTrial) {
    const Topology topology = sample("torus-4x4.conf");
    std::array<char, 256> message{};
    EXPECT_EQ(coll_topo_place_rank(topology.get(), "rank", 2, 32, 31, message.data(), message.size()), 15);
    EXPECT_EQ(coll_topo_place_rank(topology.get(), "rank", 1, 17, 0, message.data(), message.size()), -1);
    EXPECT_NE(std::string(message.data()).find("17 ranks"), std::string::npos) << message.data();
}

}  // namespace
}  // namespace coll_topo::test
