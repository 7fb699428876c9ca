// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/lldp.hpp"

#include "test/import/import_fixture.hpp"

namespace coll_topo::importing {
namespace {

InterfaceFacts facts(const std::string& name) {
    return name == "eth0" ? InterfaceFacts{"02:00:00:00:00:01", 25000} : InterfaceFacts{};
}

TEST(Lldp, ALineHasTheNeighboursOfAHost) {
    EXPECT_EQ(
        R"({"host":"n03","interface":[{"address":"02:00:00:00:00:01","bridge":true,"chassis":"02:00:00:00:01:00",)"
        R"("megabits":25000,"name":"eth0","neighbour":"leaf1","port":"swp3"},{"chassis":"02:00:00:00:02:00","name":"eth1",)"
        R"("port":"02:00:00:00:02:07"}]})"
        "\n",
        neighbour_line(sample("lldpctl.json"), "n03", facts).value());
    EXPECT_EQ("{\"host\":\"n1\",\"interface\":[]}\n", neighbour_line("{\"lldp\":{}}", "n1", facts).value());
    // With one interface, the list is the interface itself.
    EXPECT_NE(std::string::npos,
              neighbour_line(R"({"lldp":{"interface":{"eth0":{"chassis":{"s":{"id":{"value":"x"}}}}}}})", "n1", facts)
                  .value()
                  .find("\"neighbour\":\"s\""));
    for (const char* const other : {"", "[]", "{", "{\"lldp\":3}"})
        EXPECT_FALSE(neighbour_line(other, "n1", facts)) << other;
}

TEST(Lldp, HostsAloneTellOfLeaves) {
    const auto network = import_text(sample("hosts.lldp"));
    ASSERT_TRUE(network) << network.error().text();
    EXPECT_EQ("tree of 3 switches, 8 hosts", as_written(*network).summary());
    EXPECT_DOUBLE_EQ(25e9 / 8, network->fabric.host_bandwidth);
    EXPECT_NE(std::string::npos, notes_of(*network).find("one switch above all of them is assumed"));
    EXPECT_EQ("HostAddress Node=n00 Address=02:00:00:00:00:00\n",
              host_address_lines(network->fabric.hosts, network->addresses).substr(0, 47));
}

TEST(Lldp, SwitchesTellOfTheCablesBetweenThem) {
    const auto network = import_text(sample("hosts-and-switches.lldp"));
    ASSERT_TRUE(network) << network.error().text();
    EXPECT_EQ("leaf-spine fat tree: 2 leaves, 2 spines, 8 hosts, 4 at each leaf", as_written(*network).summary());
    EXPECT_EQ("", notes_of(*network));
    for (const SwitchLink& link : std::get<SwitchGraph>(network->fabric.network).links) {
        EXPECT_EQ(1, link.count);
        EXPECT_DOUBLE_EQ(100e9 / 8, link.bandwidth);
    }
}

TEST(Lldp, FaultsAreRefusedOrNoted) {
    const std::string hosts = sample("hosts.lldp");
    EXPECT_EQ("tree of 3 switches, 8 hosts", outcome(hosts + hosts)) << "of two processes on each host";
    EXPECT_EQ("source:9: the line is no JSON, or not complete", outcome(hosts + "{\"host\": \"n8"));
    EXPECT_EQ("source:9: a second line of host 'n00'; first in line 1", outcome(hosts + "{\"host\": \"n00\"}\n"));
    EXPECT_EQ("source:9: expected a line {\"host\": ...}", outcome(hosts + "{}\n"));
    EXPECT_EQ("source:1: no host has a neighbour", outcome("{\"host\":\"n1\"}\n"));
    const auto network = import_text(hosts + failure_line("n9", "cannot start lldpctl") + failure_line("n8", "other"));
    ASSERT_TRUE(network) << network.error().text();
    EXPECT_EQ(0U, notes_of(*network).find("source:9: n9: cannot start lldpctl\nsource: so does 1 other host\n"))
        << notes_of(*network);
}

}  // namespace
}  // namespace coll_topo::importing
