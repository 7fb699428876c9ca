// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/grid.hpp"

#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace coll_topo {
namespace {

using test::equal_torus;
using test::full_grid;
using test::ranks_on;

std::vector<int> all_but(int hosts, const std::set<int>& missing) {
    std::vector<int> left;
    for (int host = 0; host < hosts; ++host) {
        if (!missing.contains(host)) left.push_back(host);
    }
    return left;
}

TEST(Grid, OfAFullTorusHasItsAxesAndNoExtraHosts) {
    const Grid grid = full_grid({4, 1, 3}, 2);
    ASSERT_EQ(grid.axes().size(), 2u);
    EXPECT_EQ(grid.axes()[0].name, "x");
    EXPECT_EQ(grid.axes()[0].size, 4);
    EXPECT_EQ(grid.axes()[1].name, "z");
    EXPECT_TRUE(grid.axes()[1].wrapped);
    EXPECT_EQ(grid.places(), 12);
    EXPECT_EQ(grid.extra_hosts(), 0);
    EXPECT_EQ(grid.summary(), "4x3 hosts, 2 ranks each");
}

TEST(Grid, CountsBothCablesOfASizeTwoRing) {
    const Grid ring = full_grid({2, 4});
    EXPECT_EQ(ring.axes()[0].bandwidth, 2e9);
    EXPECT_EQ(ring.axes()[1].bandwidth, 1e9);
    const Grid mesh = full_grid({2, 4}, 1, false);
    EXPECT_EQ(mesh.axes()[0].bandwidth, 1e9);
}

TEST(Grid, GivesUpTheSliceWithAHole) {
    const Fabric fabric = equal_torus({4, 8});
    const Grid grid = Grid::from_torus(fabric, ranks_on(all_but(32, {13}))).value();
    EXPECT_EQ(grid.places(), 28) << "the row of 4 with the hole goes, not the column of 8";
    EXPECT_EQ(grid.extra_hosts(), 3);
    EXPECT_EQ(grid.summary(), "4x7 hosts, 1 rank each, 3 extra hosts");
    EXPECT_FALSE(grid.axes()[1].wrapped) << "a ring with a gap is a line";
}

TEST(Grid, HasAnotherProxyForEveryExtraHost) {
    const Fabric fabric = equal_torus({5, 5});
    for (int hole = 0; hole < 25; ++hole) {
        const Grid grid = Grid::from_torus(fabric, ranks_on(all_but(25, {hole, (hole * 7 + 3) % 25}))).value();
        std::set<int> proxies;
        for (int host = grid.places(); host < grid.hosts(); ++host) {
            proxies.insert(grid.proxy(host));
            EXPECT_EQ(grid.extra_host_of(grid.proxy(host)), host);
        }
        EXPECT_EQ(static_cast<int>(proxies.size()), grid.extra_hosts());
    }
}

/// Each of the 40000 columns given up costs far less than a look at all others, and so does each proxy.
TEST(Grid, GivesUpManySlicesInTime) {
    constexpr int columns = 80000;
    std::vector<int> hosts(columns + columns / 2);
    std::iota(hosts.begin(), hosts.end(), 0);
    const Grid grid = Grid::from_torus(equal_torus({columns, 2}, false), ranks_on(hosts)).value();
    EXPECT_EQ(grid.places(), columns);
    EXPECT_EQ(grid.extra_hosts(), columns / 2);
    std::set<int> proxies;
    for (int host = grid.places(); host < grid.hosts(); ++host) proxies.insert(grid.proxy(host));
    EXPECT_EQ(static_cast<int>(proxies.size()), grid.extra_hosts());
}

TEST(Grid, IsALineWhereNoBoxHoldsHalfOfTheHosts) {
    const Fabric fabric = equal_torus({5, 5});
    const Grid grid = Grid::from_torus(fabric, ranks_on({24, 18, 12, 6, 0})).value();
    ASSERT_EQ(grid.axes().size(), 1u);
    EXPECT_EQ(grid.axes()[0].size, 5);
    EXPECT_EQ(grid.axes()[0].bandwidth, 1e9);
    for (int place = 0; place < 5; ++place)
        EXPECT_EQ(grid.ranks_of_host(place)[0], 4 - place) << "in the order of cells";
    EXPECT_EQ(grid.extra_hosts(), 0);
    EXPECT_EQ(grid.summary(), "5 hosts in a line (they fill no box), 1 rank each");
}

TEST(Grid, OfTwoHostsOnADiagonalIsALine) {
    const Grid grid = Grid::from_torus(equal_torus({4, 4}), ranks_on({0, 5})).value();
    EXPECT_EQ(grid.extra_hosts(), 0);
    EXPECT_EQ(grid.places(), 2);
}

TEST(Grid, FindsSubBoxesOfNonAdjacentCoordinates) {
    const Fabric fabric = equal_torus({6, 6});
    const Grid grid = Grid::from_torus(fabric, ranks_on({0, 2, 5, 24, 26, 29})).value();
    EXPECT_EQ(grid.summary(), "3x2 hosts, 1 rank each");
}

TEST(Grid, KnowsWhetherMessagesKeepToItsAxes) {
    const auto keeps_to_axes = [](const std::vector<int>& sizes, const std::vector<int>& hosts) {
        return Grid::from_torus(equal_torus(sizes), ranks_on(hosts)).value().keeps_to_axes();
    };
    EXPECT_TRUE(full_grid({4, 4}).keeps_to_axes());
    EXPECT_TRUE(full_grid({4, 1, 3}, 2, false).keeps_to_axes());
    EXPECT_TRUE(keeps_to_axes({8, 8}, {0, 1, 2, 8, 9, 10})) << "no way leaves three of eight";
    EXPECT_TRUE(keeps_to_axes({8}, {3, 4, 5}));
    EXPECT_FALSE(keeps_to_axes({8}, {0, 1, 2, 3, 4, 5})) << "from the last to the first it is shorter round";
    EXPECT_FALSE(keeps_to_axes({8}, {0, 2, 4}));
    EXPECT_FALSE(keeps_to_axes({8, 8}, {0, 1, 8, 9, 2})) << "an extra host";
    EXPECT_FALSE(keeps_to_axes({5, 5}, {24, 18, 12, 6, 0})) << "a line that winds";
}

TEST(Grid, KeepsRanksOfAHostInOrderWhateverTheirNumbering) {
    const Fabric fabric = equal_torus({2, 2});
    const Grid grid = Grid::from_torus(fabric, ranks_on({3, 0, 1, 2, 0, 1, 2, 3})).value();
    EXPECT_EQ(grid.host(1), 0);
    EXPECT_EQ(std::vector<int>(grid.ranks_of_host(0).begin(), grid.ranks_of_host(0).end()), (std::vector<int>{1, 4}));
    EXPECT_EQ(grid.local_rank(4), 1);
}

TEST(Grid, TakesAggregatorsFromDifferentMemoryDomains) {
    const Fabric fabric = equal_torus({2});
    Placement placement = ranks_on({0, 1}, 4);
    for (std::size_t rank = 0; rank < placement.size(); ++rank) {
        placement[rank].numa = static_cast<std::uint16_t>(rank % 4 / 2);
    }
    const Grid grid = Grid::from_torus(fabric, placement).value();
    EXPECT_EQ(grid.natural_aggregators(), 2);
    EXPECT_EQ(grid.aggregator_rank(1, 0, 2), 4);
    EXPECT_EQ(grid.aggregator_rank(1, 1, 2), 6);
    EXPECT_EQ(grid.aggregator_rank(1, 1, 4), 5) << "if all aggregate, they do in order";
    EXPECT_EQ(grid.aggregator_number(6, 2), 1);
    EXPECT_EQ(grid.aggregator_number(5, 2), -1);
}

TEST(Grid, TakesAllRanksAsAggregatorsWhereMemoryDoesNotDivide) {
    EXPECT_EQ(full_grid({4}, 3).natural_aggregators(), 3);
}

TEST(Grid, RefusesRanksOnUnknownHosts) {
    const Fabric fabric = equal_torus({2, 2});
    const auto grid = Grid::from_torus(fabric, ranks_on({0, 4}));
    ASSERT_FALSE(grid);
    EXPECT_EQ(grid.error().text(), "the host of rank 1 is not in the topology file");
    EXPECT_EQ(Grid::from_torus(fabric, {}).error().text(), "there are no ranks to place");
}

TEST(Grid, RefusesNetworksThatAreNoTorus) {
    Fabric fabric{{}, SwitchGraph{}, {}};
    fabric.hosts.add("a");
    EXPECT_FALSE(Grid::from_torus(fabric, ranks_on({0})));
}

}  // namespace
}  // namespace coll_topo
