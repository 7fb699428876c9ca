// SPDX-License-Identifier: BSD-3-Clause
//
// Topology files, and the hosts in them.
#include "test/engine/engine_fixture.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <hwloc.h>
#include <ifaddrs.h>
#include <net/if.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

namespace coll_topo::test {
namespace {

int find_host(const Topology& topology, const char* name) {
    std::array<char, 256> message{};
    return coll_topo_topology_find_host(topology.get(), name, message.data(), message.size());
}

/// The topology of a file with this text.
Topology topology_of(const std::string& text) {
    const std::string path = testing::TempDir() + "topology_test_text.conf";
    std::ofstream(path) << text;
    coll_topo_topology* loaded = nullptr;
    std::array<char, 512> message{};
    EXPECT_EQ(coll_topo_topology_load(path.c_str(), &loaded, message.data(), message.size()), COLL_TOPO_OK)
        << message.data();
    std::remove(path.c_str());
    return {loaded, coll_topo_topology_free};
}

constexpr std::string_view machine_with_adapter = R"(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
  <object type="Machine" os_index="0" cpuset="0x1" complete_cpuset="0x1" allowed_cpuset="0x1" nodeset="0x1"
          complete_nodeset="0x1" allowed_nodeset="0x1">
    <object type="NUMANode" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1"/>
    <object type="Core" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1">
      <object type="PU" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1"/>
    </object>
    <object type="OSDev" name="mlx5_0" osdev_type="3">
      <info name="NodeGUID" value="0002:c903:0000:0001"/>
      <info name="Port1GID0" value="fe80:0000:0000:0000:0002:c903:0000:0002"/>
    </object>
  </object>
</topology>
)";

/// The host by the addresses of that machine, or what is wrong.
std::string host_of_machine(const Topology& topology) {
    hwloc_topology_t machine = nullptr;
    hwloc_topology_init(&machine);
    hwloc_topology_set_io_types_filter(machine, HWLOC_TYPE_FILTER_KEEP_ALL);
    EXPECT_EQ(0, hwloc_topology_set_xmlbuffer(machine, machine_with_adapter.data(),
                                              static_cast<int>(machine_with_adapter.size()) + 1));
    EXPECT_EQ(0, hwloc_topology_load(machine));
    std::array<char, 256> message{};
    const int host = coll_topo_topology_host_by_address(topology.get(), machine, message.data(), message.size());
    hwloc_topology_destroy(machine);
    return host == COLL_TOPO_SEVERAL_HOSTS ? message.data() : std::to_string(host);
}

TEST(Engine, FindsHostsByTheAddressesOfTheirAdapters) {
    const std::string nodes = "SwitchName=s Nodes=a,b\n";
    EXPECT_EQ("1", host_of_machine(topology_of(nodes + "HostAddress Node=b Address=0x0002c90300000001\n")));
    EXPECT_EQ("1", host_of_machine(topology_of(nodes + "HostAddress Node=b Address=2c90300000002\n"))) << "of a port";
    EXPECT_EQ("-1", host_of_machine(topology_of(nodes + "HostAddress Node=b Address=2c90300000003\n")));
    EXPECT_EQ("this host has addresses of both 'b' and 'a'",
              host_of_machine(topology_of(nodes + "HostAddress Node=a Address=2c90300000002\n"
                                                  "HostAddress Node=b Address=2c90300000001\n")));
}

TEST(Engine, FindsHostsByTheirIpAddress) {
    ifaddrs* list = nullptr;
    ASSERT_EQ(0, getifaddrs(&list));
    for (const ifaddrs* one = list; one != nullptr; one = one->ifa_next) {
        if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET || (one->ifa_flags & IFF_LOOPBACK) != 0)
            continue;
        std::array<char, INET_ADDRSTRLEN> ip{};
        inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr, ip.data(), ip.size());
        const std::string own = ip.data();
        EXPECT_EQ("1", host_of_machine(topology_of("SwitchName=s Nodes=a," + own + "\n")));
        EXPECT_EQ("1",
                  host_of_machine(topology_of("SwitchName=s Nodes=a,b\nHostAddress Node=b Address=" + own + "\n")));
    }
    freeifaddrs(list);
}

TEST(Engine, FindsNoHostByTheAddressThatAllHave) {
    EXPECT_EQ("-1", host_of_machine(topology_of("SwitchName=s Nodes=127.0.0.1,::1\n")));
}

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
    EXPECT_EQ(find_host(topology, "n07"), 7);
    EXPECT_EQ(find_host(topology, "n07.cluster.example"), 7);
    EXPECT_EQ(find_host(topology, "elsewhere"), -1);
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
    EXPECT_EQ(find_host(topology, "n0.east"), 0);
    EXPECT_EQ(find_host(topology, "n0.west"), 1);
    EXPECT_EQ(find_host(topology, "n0"), COLL_TOPO_SEVERAL_HOSTS);
    EXPECT_EQ(find_host(topology, "N0.East"), 0);
    EXPECT_EQ(find_host(topology, "n0.north"), -1);
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
