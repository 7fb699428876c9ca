// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/by_rank/ring_orders.hpp"

#include "test/algorithm/fat_tree.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace coll_topo::test {
namespace {

Grid torus_with(const std::vector<int>& sizes, int ranks_per_host) {
    const Fabric fabric = equal_torus(sizes);
    return Grid::from_torus(fabric, ranks_on_all(fabric, ranks_per_host)).value();
}

int next_in(const RingOrder& order, std::size_t i) {
    return order[(i + 1) % order.size()];
}

int hops_between_hosts(const Grid& grid, const RingOrder& order) {
    int hops = 0;
    for (std::size_t i = 0; i < order.size(); ++i) hops += grid.host(order[i]) != grid.host(next_in(order, i)) ? 1 : 0;
    return hops;
}

/// How often each rank gets what it receives from its own host.
std::map<int, int> received_within_host(const Grid& grid, const std::vector<RingOrder>& orders) {
    std::map<int, int> times;
    for (const RingOrder& order : orders) {
        for (std::size_t i = 0; i < order.size(); ++i) {
            const int next = next_in(order, i);
            times[next] += grid.host(order[i]) == grid.host(next) ? 1 : 0;
        }
    }
    return times;
}

TEST(RingOrders, HaveEveryRankOnce) {
    for (const int ranks_per_host : {1, 2, 3, 5}) {
        const Grid grid = torus_with({2, 2}, ranks_per_host);
        const RingOrders orders(grid);
        for (const int rings : {2, 3, 4}) {
            for (const RingSet& set : orders.sets(rings)) {
                for (RingOrder& order : orders.rings(set)) {
                    std::ranges::sort(order);
                    ASSERT_EQ(static_cast<int>(order.size()), grid.ranks());
                    for (int rank = 0; rank < grid.ranks(); ++rank) EXPECT_EQ(order[rank], rank);
                }
            }
        }
    }
}

TEST(RingOrders, CrossTheNetworkAsOftenAsTheyVisitHosts) {
    const Grid grid = torus_with({2, 2}, 4);
    const RingOrders orders(grid);
    for (const RingSet& set : orders.sets(4)) {
        int hops = 0;
        for (const RingOrder& order : orders.rings(set)) hops += hops_between_hosts(grid, order);
        EXPECT_EQ(hops, set.visits * grid.hosts());
    }
}

TEST(RingOrders, ChooseFromOneVisitToOneForEachRank) {
    const Grid grid = torus_with({2, 2}, 48);
    const std::vector<RingSet> sets = RingOrders(grid).sets(4);
    EXPECT_EQ(sets.front().visits, 4);
    EXPECT_EQ(sets.back().visits, 4 * 48);
    EXPECT_LT(sets.size(), 20u);
    EXPECT_TRUE(std::ranges::is_sorted(sets, {}, &RingSet::visits));
}

TEST(RingOrders, ShareOutWhatRanksMoveWithinTheirHost) {
    for (const int ranks_per_host : {2, 4}) {
        const Grid grid = torus_with({2, 2}, ranks_per_host);
        const RingOrders orders(grid);
        for (const int visits : {1, 2, ranks_per_host}) {
            for (const auto& [rank, times] :
                 received_within_host(grid, orders.rings({4, 4 * visits, ranks_per_host / 2}))) {
                EXPECT_EQ(times, 4 * (ranks_per_host - visits) / ranks_per_host) << rank;
            }
        }
    }
}

TEST(RingOrders, GoBackwardsInEverySecondLane) {
    const std::vector<RingOrder> orders = RingOrders(torus_with({2, 2}, 3)).rings({2, 4, 1});
    EXPECT_EQ(orders[1], RingOrder(orders[0].rbegin(), orders[0].rend()));
}

TEST(RingOrders, ShareNoCableInOneDirectionWhereATorusHasTwoCycles) {
    const Grid grid = torus_with({4, 4}, 1);
    const RingOrders orders(grid);
    EXPECT_EQ(orders.directed_cycles(), 4);
    std::set<std::pair<int, int>> used;
    for (const RingOrder& order : orders.rings({4, 4, 0})) {
        for (std::size_t i = 0; i < order.size(); ++i) EXPECT_TRUE(used.insert({order[i], next_in(order, i)}).second);
    }
    EXPECT_EQ(RingOrders(torus_with({2, 4}, 1)).directed_cycles(), 2);
}

TEST(DifferentNeighbours, AreAskedForRankByRank) {
    EXPECT_TRUE(have_different_neighbours({{0, 1, 2}, {0, 2, 1}}));
    EXPECT_FALSE(have_different_neighbours({{0, 1, 2}, {2, 0, 1}}));
    EXPECT_FALSE(have_different_neighbours({{0, 1, 2, 3}, {0, 2, 1, 3}}));  // 3 is followed by 0
}

TEST(WhyNoRings, NamesWhatIsMissing) {
    EXPECT_EQ(why_no_rings(torus_with({4, 4}, 1)), "");
    EXPECT_EQ(why_no_rings(torus_with({2, 4}, 2)), "");
    EXPECT_EQ(why_no_rings(torus_with({2, 4}, 1)), "one rank on each host, and no two cycles without a common cable");
    EXPECT_EQ(why_no_rings(torus_with({32, 32}, 9)), "made for at most 8192 ranks");
}

}  // namespace
}  // namespace coll_topo::test
