// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/engine/engine.h"
#include "coll_topo/engine/topology.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace coll_topo::test {
namespace {

struct Made {
    std::unique_ptr<coll_topo_topology, void (*)(coll_topo_topology*)> topology{nullptr, coll_topo_topology_free};
    std::vector<int32_t> hosts;
    std::string message;
};

/// The topology of ranks that published "switch.switch.node ADDRESS", or the text given, each on the host named.
Made make(const std::vector<std::pair<std::string, std::string>>& ranks) {
    std::vector<std::string> texts;
    std::vector<const char*> addresses, names;
    for (const auto& [address, host] : ranks) texts.push_back("switch.switch.node " + address);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        addresses.push_back(texts[i].c_str());
        names.push_back(ranks[i].second.c_str());
    }
    Made made;
    made.hosts.assign(ranks.size(), -1);
    char message[512] = "";
    coll_topo_topology* topology = nullptr;
    const int error = coll_topo_topology_of_slurm(addresses.data(), names.data(), static_cast<int>(ranks.size()),
                                                  &topology, made.hosts.data(), message, sizeof message);
    made.topology.reset(topology);
    made.message = message;
    EXPECT_EQ(error == COLL_TOPO_OK, topology != nullptr);
    return made;
}

std::string own_address(const char* pattern, const char* address, std::size_t size = 256) {
    std::vector<char> text(size);
    const int error = coll_topo_slurm_address(pattern, address, text.data(), text.size());
    return (error == COLL_TOPO_OK ? "" : "failed: ") + std::string(text.data());
}

TEST(SlurmTopology, IsTheSameInAnyOrderOfTheRanks) {
    const Made made = make({{"top.b.n10", "n10"}, {"top.a.n2", "n2"}, {"top.a.n1", "n1"}, {"top.b.n10", "n10"}});
    ASSERT_TRUE(made.topology) << made.message;
    EXPECT_EQ((std::vector<int32_t>{2, 1, 0, 2}), made.hosts);
    EXPECT_STREQ("tree of 3 switches, 3 hosts", coll_topo_topology_summary(made.topology.get()));
    const Made other = make({{"top.a.n1", "n1"}, {"top.a.n2", "n2"}, {"top.b.n10", "n10"}});
    EXPECT_EQ(coll_topo_topology_digest(made.topology.get()), coll_topo_topology_digest(other.topology.get()));
    EXPECT_EQ((std::vector<int32_t>{0, 1, 2}), other.hosts);
}

TEST(SlurmTopology, HasSpeedsForPredictions) {
    const Made made = make({{"top.a.n1", "n1"}, {"top.b.n2", "n2"}});
    ASSERT_TRUE(made.topology) << made.message;
    for (const SwitchLink& link : std::get<SwitchGraph>(made.topology->fabric.network).links)
        EXPECT_LT(0, link.bandwidth);
}

TEST(SlurmTopology, TheAddressOfOneHostOnAllIsAFault) {
    EXPECT_EQ(
        "the ranks on n1 and on n2 have the same SLURM_TOPOLOGY_ADDR, 'n1'; start them with srun, which sets it on "
        "each host",
        make({{"top.a.n1", "n1"}, {"top.a.n1", "n2"}}).message);
    EXPECT_EQ("switch 'top' is on two levels", make({{"top.a.n1", "n1"}, {"b.top.n2", "n2"}}).message);
}

TEST(SlurmTopology, WhatAProcessPublishes) {
    EXPECT_EQ("switch.node a.n1", own_address("switch.node", "a.n1"));
    EXPECT_EQ(
        "failed: SLURM_TOPOLOGY_ADDR is not set; Slurm sets it in the tasks that srun starts, if it has a topology",
        own_address("switch.node", nullptr));
    EXPECT_EQ("failed: SLURM_TOPOLOGY_ADDR_PATTERN is not set", own_address(nullptr, "a.n1").substr(0, 46));
    EXPECT_EQ("failed: SLURM_TOPOLOGY_ADDR is 'n1': it has fewer parts than 'switch.node'",
              own_address("switch.node", "n1"));
    EXPECT_EQ("failed: SLURM_TOPOLOGY_ADDR is too long",
              own_address("switch.node", ("a." + std::string(200, 'n')).c_str(), 100));
}

}  // namespace
}  // namespace coll_topo::test
