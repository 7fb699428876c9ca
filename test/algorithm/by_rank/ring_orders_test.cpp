// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/by_rank/ring_orders.hpp"

#include "test/algorithm/fat_tree.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace coll_topo::test {
namespace {

Grid grid_of_four_hosts(int ranks_per_host) {
    const Fabric fabric = equal_torus({2, 2});
    return Grid::from_torus(fabric, ranks_on_all(fabric, ranks_per_host)).value();
}

int hops_between_hosts(const Grid& grid, const RingOrder& order) {
    int hops = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        hops += grid.host(order[i]) != grid.host(order[(i + 1) % order.size()]) ? 1 : 0;
    }
    return hops;
}

/// The ranks that get what they receive over the network.
std::set<int> entries(const Grid& grid, const RingOrder& order) {
    std::set<int> found;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const int next = order[(i + 1) % order.size()];
        if (grid.host(order[i]) != grid.host(next)) found.insert(next);
    }
    return found;
}

TEST(RingOrders, HaveEveryRankOnce) {
    for (const int ranks_per_host : {1, 2, 3}) {
        const Grid grid = grid_of_four_hosts(ranks_per_host);
        const RingOrders orders(grid);
        for (const int past : {0, 1, 3, 4}) {
            for (RingOrder& order : orders.of_lanes(4, past)) {
                std::ranges::sort(order);
                ASSERT_EQ(static_cast<int>(order.size()), grid.ranks());
                for (int rank = 0; rank < grid.ranks(); ++rank) EXPECT_EQ(order[rank], rank);
            }
        }
    }
}

TEST(RingOrders, ThroughHostsCrossesTheNetworkOnceAHostAndPastThemWithEveryRank) {
    const Grid grid = grid_of_four_hosts(3);
    const RingOrders orders(grid);
    for (const bool backwards : {false, true}) {
        EXPECT_EQ(hops_between_hosts(grid, orders.through_hosts(1, 3, backwards)), grid.hosts());
        EXPECT_EQ(hops_between_hosts(grid, orders.past_hosts(backwards)), grid.ranks());
    }
}

TEST(RingOrders, EveryRankIsTheEntryOfOneRing) {
    const Grid grid = grid_of_four_hosts(4);
    std::multiset<int> all;
    for (const RingOrder& order : RingOrders(grid).of_lanes(4, 0)) all.merge(entries(grid, order));
    EXPECT_EQ(static_cast<int>(all.size()), grid.ranks());
    EXPECT_EQ(static_cast<int>(std::set<int>(all.begin(), all.end()).size()), grid.ranks());
}

TEST(RingOrders, GoBackwardsInEverySecondLane) {
    const Grid grid = grid_of_four_hosts(1);
    const std::vector<RingOrder> orders = RingOrders(grid).of_lanes(2, 0);
    EXPECT_EQ(orders[1], RingOrder(orders[0].rbegin(), orders[0].rend()));
}

TEST(BestPast, IsTheFirstOfTheFastest) {
    EXPECT_EQ(best_past(4, [](int past) { return past == 2 || past == 3 ? 1.0 : 2.0; }), 2);
    EXPECT_EQ(best_past(4, [](int) { return 1.0; }), 0);
}

}  // namespace
}  // namespace coll_topo::test
