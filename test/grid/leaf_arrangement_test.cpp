// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/grid.hpp"
#include "coll_topo/input/topology_file.hpp"

#include "test/grid/switch_fixture.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace coll_topo::test {
namespace {

// Four leaves, three hosts each; leaves 1 and 2 share their spines, and so do leaves 3 and 4.
const char* const two_groups = R"(
SwitchName=leaf1 Nodes=n[00-02]
SwitchName=leaf2 Nodes=n[03-05]
SwitchName=leaf3 Nodes=n[06-08]
SwitchName=leaf4 Nodes=n[09-11]
Link From=leaf[1-2] To=spine[1-2] Bandwidth=10GB/s Latency=0.2us
Link From=leaf[3-4] To=spine[2-3] Bandwidth=10GB/s Latency=0.2us
HostLink Bandwidth=10GB/s Latency=0.1us
)";

Fabric two_groups_fabric() {
    return read_topology_text(two_groups, "two_groups.conf").value().fabric;
}

TEST(LeafArrangement, GroupsLeavesByTheirSpines) {
    const Fabric fabric = two_groups_fabric();
    const std::vector<std::int32_t> hosts = {0, 3, 4, 6, 9, 10, 11};
    const LeafArrangement leaves = arrange_leaves(fabric, hosts);
    ASSERT_EQ(leaves.hosts.parts(), 4);
    ASSERT_EQ(leaves.leaves.parts(), 2);
    EXPECT_TRUE(std::ranges::equal(leaves.hosts[1], std::vector{1, 2}));
    EXPECT_TRUE(std::ranges::equal(leaves.leaves[1], std::vector{2, 3}));
    EXPECT_EQ(leaves.group(3), 1);
    EXPECT_DOUBLE_EQ(leaves.way(Reach::leaf).latency, 0.2e-6);
    EXPECT_DOUBLE_EQ(leaves.way(Reach::group).latency, 0.6e-6);
    EXPECT_DOUBLE_EQ(leaves.way(Reach::fabric).bandwidth, 10e9);
}

TEST(LeafArrangement, KnowsTheCablesOfRoutes) {
    const Fabric fabric = two_groups_fabric();
    const std::vector<std::int32_t> hosts = {0, 6, 7};
    const LeafRoutes routes = arrange_leaves(fabric, hosts).routes;
    ASSERT_TRUE(routes.known());
    const auto there = routes.route(0, 1), next = routes.route(0, 2), back = routes.route(1, 0);
    EXPECT_TRUE(routes.route(1, 2).empty()) << "under the same leaf";
    ASSERT_EQ(there.size(), 2U) << "up and down";
    ASSERT_EQ(back.size(), 2U);
    EXPECT_TRUE(std::ranges::equal(there, next)) << "leaves 1 and 3 have only spine 2 in common";
    for (const std::int32_t cable : there) {
        EXPECT_EQ(std::ranges::count(back, cable), 0) << "the other direction";
        EXPECT_DOUBLE_EQ(routes.bandwidth(cable), 10e9);
    }
    EXPECT_EQ(routes.cables(), 4);
    EXPECT_FALSE(routes.pass_hosts());
}

TEST(LeafArrangement, KnowsTheLatencyOfEachRoute) {
    const Fabric fabric = switches(
        "SwitchName=left Nodes=n[0-1]\n"
        "SwitchName=middle Nodes=n2\n"
        "SwitchName=right Nodes=n3\n"
        "Link From=left To=middle Bandwidth=10GB/s Latency=1us\n"
        "Link From=middle To=right Bandwidth=20GB/s Latency=2us\n");
    const LeafRoutes routes = arrange_leaves(fabric, std::vector<std::int32_t>{0, 1, 2, 3}).routes;
    EXPECT_TRUE(routes.pass_hosts());
    // The cables of hosts are like the fastest one of their switches.
    EXPECT_DOUBLE_EQ(routes.latency(0, 2), 1e-6 + 1e-6 + 2e-6);
    EXPECT_DOUBLE_EQ(routes.latency(0, 3), 1e-6 + 1e-6 + 2e-6 + 2e-6);
    EXPECT_DOUBLE_EQ(routes.latency(2, 1), 2e-6 + 2e-6 + 1e-6 + 1e-6);
}

TEST(LeafArrangement, DoesNotFollowTooManyRoutes) {
    std::string text;
    for (int leaf = 0; leaf < 130; ++leaf) {
        text += "SwitchName=leaf" + std::to_string(leaf) + " Nodes=n" + std::to_string(leaf) + "\n";
    }
    text += "Link From=leaf[0-129] To=spine1 Bandwidth=10GB/s Latency=0.2us\n";
    const Fabric fabric = read_topology_text(text, "many.conf").value().fabric;
    std::vector<std::int32_t> hosts(130);
    std::iota(hosts.begin(), hosts.end(), 0);
    EXPECT_FALSE(arrange_leaves(fabric, hosts).routes.known());
    EXPECT_TRUE(arrange_leaves(fabric, std::span(hosts).first(128)).routes.known());
}

TEST(LeafArrangement, IsEmptyOnATorus) {
    EXPECT_TRUE(full_grid({2, 2}).leaves().empty());
}

TEST(LeafArrangement, EqualLeavesMakeAGrid) {
    const Fabric fabric = two_groups_fabric();
    const Grid full = Grid::from_fabric(fabric, ranks_on_all(fabric)).value();
    EXPECT_EQ(full.summary(), "3x2x2 hosts, 1 rank each") << "hosts of a leaf, leaves of a group, groups";
    const Grid unequal = Grid::from_fabric(fabric, ranks_on({0, 1, 3})).value();
    EXPECT_EQ(unequal.axes().size(), 1U);
    EXPECT_FALSE(unequal.leaves().empty());
}

}  // namespace
}  // namespace coll_topo::test
