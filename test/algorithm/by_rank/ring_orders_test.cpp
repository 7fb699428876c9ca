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
            for (const int visits : orders.visit_counts(rings)) {
                for (RingOrder& order : orders.of_lanes(rings, visits)) {
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
    for (const int visits : orders.visit_counts(4)) {
        int hops = 0;
        for (const RingOrder& order : orders.of_lanes(4, visits)) hops += hops_between_hosts(grid, order);
        EXPECT_EQ(hops, visits * grid.hosts());
    }
}

TEST(RingOrders, ChooseFromOneVisitToOneForEachRank) {
    const Grid grid = torus_with({2, 2}, 48);
    const std::vector<int> counts = RingOrders(grid).visit_counts(4);
    EXPECT_EQ(counts.front(), 4);
    EXPECT_EQ(counts.back(), 4 * 48);
    EXPECT_LT(counts.size(), 20u);
    EXPECT_TRUE(std::ranges::is_sorted(counts));
}

TEST(RingOrders, ShareOutWhatRanksMoveWithinTheirHost) {
    for (const int ranks_per_host : {2, 4}) {
        const Grid grid = torus_with({2, 2}, ranks_per_host);
        const RingOrders orders(grid);
        for (const int visits : {1, 2, ranks_per_host}) {
            for (const auto& [rank, times] : received_within_host(grid, orders.of_lanes(4, 4 * visits))) {
                EXPECT_EQ(times, 4 * (ranks_per_host - visits) / ranks_per_host) << rank;
            }
        }
    }
}

TEST(RingOrders, ShareThatOutWhereSomeVisitOftenerToo) {
    // Four rings that visit hosts four times, and four that do so three times, so that one rank moves.
    const Grid grid = torus_with({2, 2}, 4);
    for (const auto& [rank, times] : received_within_host(grid, RingOrders(grid).of_lanes(8, 4 * 4 + 4 * 3))) {
        EXPECT_EQ(times, 1) << rank;
    }
}

TEST(RingOrders, GoBackwardsInEverySecondLane) {
    const Grid grid = torus_with({2, 2}, 3);
    const std::vector<RingOrder> orders = RingOrders(grid).of_lanes(2, 4);
    const std::size_t ranks = orders[0].size();
    for (std::size_t i = 0; i < ranks; ++i) {
        EXPECT_EQ(grid.host(orders[1][i]), grid.host(orders[0][ranks - 1 - i]));
    }
}

TEST(RingOrders, ShareNoCableInOneDirectionWhereATorusHasCyclesOfTheirOwn) {
    for (const std::vector<int>& sizes : {std::vector{4, 4}, {4, 3, 4}}) {
        const Grid grid = torus_with(sizes, 1);
        const RingOrders orders(grid);
        const int axes = static_cast<int>(sizes.size());
        EXPECT_EQ(orders.cycles(), axes);
        std::set<std::pair<int, int>> used;
        for (const RingOrder& order : orders.of_lanes(2 * axes, 2 * axes)) {
            for (std::size_t i = 0; i < order.size(); ++i)
                EXPECT_TRUE(used.insert({order[i], next_in(order, i)}).second);
        }
    }
    EXPECT_EQ(RingOrders(torus_with({2, 4}, 1)).cycles(), 1);
}

TEST(FastestRings, AreTheFirstOfThose) {
    const Grid grid = torus_with({2, 2}, 4);
    const auto hops = [&](const std::vector<RingOrder>& rings) {
        int sum = 0;
        for (const RingOrder& ring : rings) sum += hops_between_hosts(grid, ring);
        return sum;
    };
    EXPECT_EQ(hops(fastest_rings(grid, 4, hops)), 4 * grid.hosts());
    EXPECT_EQ(hops(fastest_rings(grid, 4, [&](const auto& rings) { return -hops(rings); })), 4 * grid.ranks());
    EXPECT_EQ(hops(fastest_rings(grid, 4, [](const auto&) { return 0; })), 4 * grid.hosts());
}

TEST(WhyNoRings, NamesWhatIsMissing) {
    EXPECT_EQ(why_no_rings(torus_with({4, 4}, 1)), "");
    EXPECT_EQ(why_no_rings(torus_with({2, 4}, 2)), "");
    EXPECT_EQ(why_no_rings(torus_with({2, 4}, 1)), "");
    EXPECT_EQ(why_no_rings(torus_with({5, 3, 3}, 1)), "");
    const Fabric mesh = equal_torus({3, 5}, false);
    const Grid no_cycle = Grid::from_fabric(mesh, ranks_on_all(mesh)).value();
    EXPECT_EQ(why_no_rings(no_cycle), "one rank on each host, and no cycle past all");
    EXPECT_EQ(why_no_rings(torus_with({32, 32}, 9)), "made for at most 8192 ranks");
}

}  // namespace
}  // namespace coll_topo::test
