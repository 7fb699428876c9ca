// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/recognition.hpp"

#include "test/import/import_fixture.hpp"
#include "test/import/sample_network.hpp"

#include <fmt/format.h>

namespace coll_topo::importing {
namespace {

RecognisedNetwork import_sample(const std::string& name) {
    auto network = import_text(sample(name));
    EXPECT_TRUE(network) << name << ": " << (network ? "" : network.error().text());
    if (!network) return {Fabric{{}, SwitchGraph{}, {}}, {}};
    return *std::move(network);
}

/// Both forms of ibnetdiscover.
void expect_sample(const std::string& name, const std::string& summary) {
    for (const std::string form : {".ibnetdiscover", ".ibnetdiscover-ports"}) {
        EXPECT_EQ(summary, as_written(import_sample(name + form)).summary()) << name << form;
    }
}

TEST(Recognition, FindsTheFamilyOfEverySample) {
    expect_sample("fat-tree-2-levels", "leaf-spine fat tree: 4 leaves, 2 spines, 72 hosts, 18 at each leaf");
    expect_sample("fat-tree-3-levels", "network of 10 switches in 3 levels, 80 hosts");
    expect_sample("rails", "leaf-spine fat tree: 4 leaves, 2 spines, 32 hosts, 8 at each leaf");
    expect_sample("switch-torus-4x4x2", "torus torus, 4x4x4x2, wrapped yyyy, 128 hosts");
    expect_sample(
        "latin-square-3",
        "Latin-square fat tree of order 3 (projective plane recognised): 13 leaves, 13 spines, 52 hosts, 4 at "
        "each leaf");
}

TEST(Recognition, CountsParallelCablesAndTheirSpeed) {
    const Fabric fabric = as_written(import_sample("fat-tree-2-levels.ibnetdiscover"));
    const auto& links = std::get<SwitchGraph>(fabric.network).links;
    ASSERT_EQ(8U, links.size());
    for (const SwitchLink& link : links) {
        EXPECT_EQ(9, link.count);
        EXPECT_DOUBLE_EQ(12.5e9, link.bandwidth);
    }
    EXPECT_DOUBLE_EQ(12.5e9, fabric.host_bandwidth);
    EXPECT_EQ("n001", fabric.hosts.name(0));
    EXPECT_EQ("n072", fabric.hosts.name(71));
}

TEST(Recognition, TheSlowestOfParallelCablesStandsForAll) {
    SampleNetwork network;
    const int leaf = network.add_switch("leaf"), spine = network.add_switch("spine");
    network.add_hosts(leaf, "n", 1, 2, "4xHDR");
    for (const std::string speed : {"4xHDR", "4xEDR", "4xHDR"}) network.join_switches(leaf, spine, 1, speed);
    const auto read = import_text(ibnetdiscover_text(network));
    ASSERT_TRUE(read) << read.error().text();
    const SwitchLink& link = std::get<SwitchGraph>(read->fabric.network).links.at(0);
    EXPECT_EQ(3, link.count);
    EXPECT_DOUBLE_EQ(12.5e9, link.bandwidth);
}

TEST(Recognition, RailsBecomeOneLeafWithTheCablesOfBoth) {
    const RecognisedNetwork network = import_sample("rails.ibnetdiscover");
    EXPECT_DOUBLE_EQ(100e9, network.fabric.host_bandwidth);
    EXPECT_NE(std::string::npos, notes_of(network).find("hosts have cables to up to 2 switches")) << notes_of(network);
    for (const SwitchLink& link : std::get<SwitchGraph>(network.fabric.network).links) EXPECT_EQ(4, link.count);
}

TEST(Recognition, HostsOfASwitchOfATorusShareItsCables) {
    const RecognisedNetwork network = import_sample("switch-torus-4x4x2.ibnetdiscover");
    const auto& dimensions = network.fabric.torus()->dimensions();
    ASSERT_EQ(4U, dimensions.size());
    for (int d = 1; d < 4; ++d) EXPECT_DOUBLE_EQ(2 * 12.5e9 / 4, dimensions[d].bandwidth) << d;
    EXPECT_DOUBLE_EQ(4 * 12.5e9, dimensions[0].bandwidth);
    EXPECT_NE(std::string::npos, notes_of(network).find("4 hosts of each switch"));
}

TEST(Recognition, LeavesOutWhatIsNoHost) {
    ImportSettings settings;
    settings.naming.not_hosts = {"storage1"};
    const auto network = import_text(sample("odd-devices.ibnetdiscover"), settings);
    ASSERT_TRUE(network) << network.error().text();
    EXPECT_EQ("leaf-spine fat tree: 2 leaves, 2 spines, 8 hosts, 4 at each leaf", network->fabric.summary());
    EXPECT_NE(std::string::npos, notes_of(*network).find("3 devices are no host"));
    int cables = 0;
    for (const SwitchLink& link : std::get<SwitchGraph>(network->fabric.network).links) cables += link.count;
    EXPECT_EQ(7, cables) << "one of the 8 cables is broken";
}

TEST(Recognition, HostsAtASpineAndLeavesOfDifferentDepth) {
    SampleNetwork network = fat_tree_3_levels();
    const int storage = network.add_switch("storage");
    network.add_hosts(storage, "store", 1, 10, "4xHDR");
    network.join_switches(storage, 0, 4, "4xHDR");
    network.join_switches(storage, 1, 4, "4xHDR");
    network.attach(network.add_adapter("login1", "HCA-1"), 2, "4xHDR");
    const auto read = import_text(ibnetdiscover_text(network));
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(91, as_written(*read).hosts.size());
    EXPECT_EQ("1 host is connected to switches that have others below them\n", notes_of(*read));
    for (const SwitchLink& link : std::get<SwitchGraph>(read->fabric.network).links) {
        const std::string from(std::get<SwitchGraph>(read->fabric.network).switches.name(link.from));
        EXPECT_FALSE(from.starts_with("core")) << from;
    }
}

TEST(Recognition, HostsWhoseLeavesDifferKeepTheFirst) {
    SampleNetwork network;
    for (int i = 0; i < 6; ++i) network.add_switch(fmt::format("leaf{}", i));
    const int spine = network.add_switch("spine");
    for (int i = 0; i < 6; ++i) {
        network.join_switches(i, spine, 2, "4xEDR");
        for (const int other : {i, (i + 1) % 6}) {
            network.attach(network.add_adapter(fmt::format("n{}", i), fmt::format("mlx5_{}", other)), other, "4xEDR");
        }
    }
    const auto read = import_text(ibnetdiscover_text(network));
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_NE(std::string::npos, notes_of(*read).find("only the first of each is used")) << notes_of(*read);
    EXPECT_EQ(6, as_written(*read).hosts.size());
}

}  // namespace
}  // namespace coll_topo::importing
