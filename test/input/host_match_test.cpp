// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/host_match.hpp"

#include "coll_topo/input/topology_file.hpp"

#include <gtest/gtest.h>

namespace coll_topo {
namespace {

std::string match(const std::vector<std::string>& names, const std::string& name) {
    NameTable hosts;
    for (const std::string& host : names) hosts.add(host);
    const auto host = match_host(hosts, name);
    return !host ? host.error().message : *host < 0 ? "none" : std::string(hosts.name(*host));
}

TEST(HostMatch, TheSameNameGoesBeforeAll) {
    EXPECT_EQ("n1", match({"N1", "n1", "n1.a"}, "n1"));
    EXPECT_EQ("n1.a", match({"n1", "n1.a"}, "n1.a"));
    EXPECT_EQ("N1.A", match({"n1", "N1.A"}, "n1.a"));
}

TEST(HostMatch, ByShortNameWhereOneHasNoDomain) {
    EXPECT_EQ("n1", match({"n1", "n2"}, "n1.example.org"));
    EXPECT_EQ("n1.example.org", match({"n1.example.org", "n2"}, "n1"));
    EXPECT_EQ("N1.example.org", match({"N1.example.org", "n2"}, "n1"));
    EXPECT_EQ("none", match({"n1.example.org"}, "n1.example.com")) << "of another domain";
    EXPECT_EQ("none", match({"n1"}, "n11"));
}

TEST(HostMatch, WhereSeveralFitBothAreNamed) {
    EXPECT_EQ("the name 'n1' of this host fits both 'n1.a' and 'n1.b'", match({"n1.a", "n1.b"}, "n1"));
    EXPECT_EQ("the name 'nA' of this host fits both 'Na' and 'na'", match({"Na", "na"}, "nA"));
}

TEST(HostMatch, AddressesAreReadInAnyForm) {
    for (const char* const form : {"0x0002C903000E0B72", "2c903000e0b72", "0002:c903:000e:0b72",
                                   "00-02-c9-03-00-0e-0b-72", "fe80:0000:0000:0000:0002:c903:000e:0b72"}) {
        EXPECT_EQ("2c903000e0b72", plain_address(form)) << form;
    }
    EXPECT_EQ("fa163e000001", plain_address("fa:16:3e:00:00:01"));
    EXPECT_EQ("fa163e000001", plain_address("fa16.3e00.0001"));
    EXPECT_EQ("10.1.0.17", plain_address("10.1.0.17")) << "not as 10.10.1.7";
    for (const char* const none : {"", "0", "n1", "0x", "12 34"}) EXPECT_EQ("", plain_address(none)) << none;
}

TEST(HostMatch, AddressesOfAFile) {
    const auto read = [](const std::string& lines) {
        const auto file = read_topology_text("SwitchName=s Nodes=a,b\n" + lines, "t");
        if (!file) return file.error().text();
        std::string text;
        for (const auto& [address, host] : file->addresses) text += address + " " + std::to_string(host) + "\n";
        return text;
    };
    EXPECT_EQ("12 0\n34 0\n56 1\n", read("HostAddress Node=a Address=12,00:34\nHostAddress Address=56 Node=b\n"));
    EXPECT_EQ("t:2:18: no host 'c' in this file", read("HostAddress Node=c Address=12\n"));
    EXPECT_EQ("t:2:31: expected a GUID, MAC or IP address, found 'x'", read("HostAddress Node=a Address=12,x\n"));
    EXPECT_EQ("t:3:28: address '0012' is given to 'a' too",
              read("HostAddress Node=a Address=12\nHostAddress Node=b Address=0012\n"));
}

}  // namespace
}  // namespace coll_topo
