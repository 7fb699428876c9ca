// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/grid.hpp"

#include "test/grid/switch_fixture.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace coll_topo::test {
namespace {

Grid grid_of(const Fabric& fabric, const Placement& placement) {
    return Grid::from_switches(fabric, placement).value();
}

std::vector<std::string> axis_names(const Grid& grid) {
    std::vector<std::string> names;
    for (const Axis& axis : grid.axes()) names.push_back(axis.name);
    return names;
}

TEST(SwitchGrid, OfAFullMeshHasHostsLayersAndCorners) {
    const Fabric fabric = full_mesh_fabric(6);
    const Grid grid = grid_of(fabric, ranks_on_all(fabric));
    EXPECT_EQ(grid.summary(), "3x3x4 hosts, 1 rank each");
    EXPECT_EQ(axis_names(grid), (std::vector<std::string>{"hosts", "leaves", "groups"}));
    for (const Axis& axis : grid.axes()) EXPECT_DOUBLE_EQ(axis.bandwidth, 1e9) << axis.name;
    EXPECT_FALSE(grid.axes()[1].undivided()) << "three spines between two leaves of a corner";
    EXPECT_TRUE(grid.axes()[2].undivided()) << "one spine between two corners";
    EXPECT_DOUBLE_EQ(grid.axes()[2].pair_bandwidth, 1e9 / 3) << "three hosts send through it";
    EXPECT_DOUBLE_EQ(grid.axes()[0].latency, 2e-6);
    EXPECT_DOUBLE_EQ(grid.axes()[2].latency, 4e-6);
}

TEST(SwitchGrid, OfAFullPlaneExchangesAmongAllLeavesAtOnce) {
    const Fabric fabric = latin_square_fabric(3, 4);
    const Grid grid = grid_of(fabric, ranks_on_all(fabric));
    EXPECT_EQ(grid.summary(), "4x13 hosts, 1 rank each");
    EXPECT_TRUE(grid.axes()[1].undivided());
    EXPECT_DOUBLE_EQ(grid.axes()[1].bandwidth, 1e9);
    EXPECT_FALSE(grid.skewed());
}

TEST(SwitchGrid, OfTheGridOfAPlaneHasColumnsAndRowsOfItsOwnForEveryHost) {
    const Fabric fabric = latin_square_fabric(3, 4);
    std::vector<int> hosts;
    for (int host = 16; host < 52; ++host) hosts.push_back(host);
    const Grid grid = grid_of(fabric, ranks_on(hosts));
    EXPECT_EQ(grid.summary(), "4x3x3 hosts, 1 rank each");
    ASSERT_TRUE(grid.skewed());
    for (const Axis& axis : grid.axes()) EXPECT_DOUBLE_EQ(axis.pair_bandwidth, 1e9) << axis.name;
    for (int place = 0; place < grid.places(); ++place) {
        for (int number = 0; number < 4; ++number) {
            const int neighbour = grid.along(place, 0, number);
            EXPECT_EQ(grid.coordinate(neighbour, 0), number);
            EXPECT_EQ(grid.leaves().leaf(neighbour), grid.leaves().leaf(place)) << "hosts of a leaf";
        }
    }
    // Each pair of hosts of different leaves meets at most on one line; together the hosts of a leaf use all others.
    std::set<int> met;
    for (int number = 0; number < 4; ++number) {
        const int place = grid.along(0, 0, number);
        for (const int axis : {1, 2}) {
            for (int c = 0; c < 3; ++c) met.insert(grid.leaves().leaf(grid.along(place, axis, c)));
        }
    }
    EXPECT_EQ(met.size(), 9U);
}

TEST(SwitchGrid, OfASubmeshWithOneHostPerLeafHasItsColumnsAndRows) {
    const Fabric fabric = latin_square_fabric(5, 1);
    // Columns 0, 2 and 3, rows 1 and 4.
    std::vector<int> hosts;
    for (const int column : {0, 2, 3}) {
        for (const int row : {1, 4}) hosts.push_back(6 + column * 5 + row);
    }
    const Grid grid = grid_of(fabric, ranks_on(hosts));
    EXPECT_EQ(grid.summary(), "2x3 hosts, 1 rank each");
    EXPECT_EQ(grid.leaves().columns, 3);
    EXPECT_EQ(grid.leaves().rows, 2);
}

TEST(SwitchGrid, LeavesOutWhatWouldMakeTheBoxSmaller) {
    const Fabric fabric = leaf_spine_fabric({4, 4, 1, 4, 5}, 4);
    const Grid grid = grid_of(fabric, ranks_on_all(fabric));
    EXPECT_EQ(grid.summary(), "4x4 hosts, 1 rank each, 2 extra hosts");
    int own_leaf = 0;
    for (int host = grid.places(); host < grid.hosts(); ++host) {
        own_leaf += grid.leaves().leaf(host) == grid.leaves().leaf(grid.proxy(host)) ? 1 : 0;
    }
    EXPECT_EQ(own_leaf, 1) << "the fifth host of the last leaf has its proxy there";
}

TEST(SwitchGrid, IsALineWhereNoBoxHoldsHalfOfTheHosts) {
    const Fabric fabric = leaf_spine_fabric({12, 6, 4, 3, 2, 2, 1}, 2);
    const Grid grid = grid_of(fabric, ranks_on_all(fabric));
    EXPECT_EQ(grid.summary(), "30 hosts in a line (they fill no box), 1 rank each");
    std::vector<int> backwards(30);
    std::iota(backwards.rbegin(), backwards.rend(), 0);
    const Grid reversed = grid_of(fabric, ranks_on(backwards));
    for (int place = 0; place < 30; ++place) EXPECT_EQ(reversed.ranks_of_host(place)[0], 29 - place) << "leaf by leaf";
}

TEST(SwitchGrid, KnowsWhereLeavesHaveTooFewCablesUp) {
    const Fabric fabric = leaf_spine_fabric({4, 4, 4}, 1);
    const Grid grid = grid_of(fabric, ranks_on_all(fabric));
    EXPECT_DOUBLE_EQ(grid.axes()[0].bandwidth, 1e9);
    EXPECT_DOUBLE_EQ(grid.axes()[1].bandwidth, 0.25e9);
    EXPECT_FALSE(grid.axes()[1].undivided()) << "exchanging with all at once would not be faster";
    EXPECT_DOUBLE_EQ(grid.leaves().uplink_bandwidth, 1e9);
    EXPECT_DOUBLE_EQ(grid.leaves().way(Reach::group).leaf_bandwidth, 1e9);
}

TEST(SwitchGrid, KnowsTheLinkThatAnAlltoallLoadsMost) {
    const auto alltoall_bandwidth = [](const std::vector<int>& hosts, int spines) {
        const Fabric fabric = leaf_spine_fabric(hosts, spines);
        return grid_of(fabric, ranks_on_all(fabric)).leaves().alltoall_bandwidth;
    };
    EXPECT_DOUBLE_EQ(alltoall_bandwidth({4, 4, 4}, 4), 1e9) << "the cables of hosts";
    EXPECT_DOUBLE_EQ(alltoall_bandwidth({4, 4, 4}, 1), 11e9 / 32) << "4 hosts send to 8 over one";
    // Hosts 0 and 2 of the first leaf are behind one spine for the other leaf, host 1 behind the other.
    EXPECT_DOUBLE_EQ(alltoall_bandwidth({3, 3}, 2), 5e9 / 6);
    EXPECT_EQ(alltoall_bandwidth({1}, 1), 0);
}

TEST(SwitchGrid, NumbersRanksLeafByLeaf) {
    const Fabric fabric = leaf_spine_fabric({2, 2, 2}, 2);
    const Grid grid = grid_of(fabric, ranks_on({3, 1, 0, 5, 1, 2}));
    EXPECT_EQ(grid.ranks_by_switches(), (std::vector<std::int32_t>{2, 1, 4, 5, 0, 3}));
    for (int number = 0; number < 6; ++number) {
        EXPECT_EQ(grid.number_by_switches(grid.ranks_by_switches()[number]), number);
    }
    EXPECT_TRUE(Grid::from_torus(equal_torus({2}), ranks_on({0, 1}))->ranks_by_switches().empty());
}

TEST(SwitchGrid, RefusesHostsThatNothingConnects) {
    const Fabric fabric = switches("SwitchName=a Nodes=n[0-1]\nSwitchName=b Nodes=n[2-3]\n");
    const auto grid = Grid::from_switches(fabric, ranks_on({0, 1, 2}));
    ASSERT_FALSE(grid);
    EXPECT_EQ(grid.error().text(),
              "the topology file connects n0 and n2 by no switch; add the missing SwitchName or Link lines");
    EXPECT_TRUE(Grid::from_switches(fabric, ranks_on({2, 3})));
}

}  // namespace
}  // namespace coll_topo::test
