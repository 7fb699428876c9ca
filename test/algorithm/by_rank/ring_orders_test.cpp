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
std::map<int, int> received_within_host(const Grid& grid, int lanes, int visits, RingWays ways) {
    std::map<int, int> times;
    for (const RingOrder& order : RingOrders(grid).of_lanes(lanes, visits, ways)) {
        for (std::size_t i = 0; i < order.size(); ++i) {
            const int next = next_in(order, i), within = grid.host(order[i]) == grid.host(next) ? 1 : 0;
            times[next] += within;
            times[order[i]] += ways == RingWays::both ? within : 0;
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
                for (const RingWays ways : {RingWays::one, RingWays::both}) {
                    for (RingOrder& order : orders.of_lanes(rings, visits, ways)) {
                        std::ranges::sort(order);
                        ASSERT_EQ(static_cast<int>(order.size()), grid.ranks());
                        for (int rank = 0; rank < grid.ranks(); ++rank) EXPECT_EQ(order[rank], rank);
                    }
                }
            }
        }
    }
}

TEST(RingOrders, CrossTheNetworkAsOftenAsTheyVisitHosts) {
    const Grid grid = torus_with({2, 2}, 4);
    const RingOrders orders(grid);
    for (const int visits : orders.visit_counts(4)) {
        for (const RingWays ways : {RingWays::one, RingWays::both}) {
            int hops = 0;
            for (const RingOrder& order : orders.of_lanes(4, visits, ways)) hops += hops_between_hosts(grid, order);
            EXPECT_EQ(hops, visits * grid.hosts());
        }
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
        for (const int visits : {1, 2, ranks_per_host}) {
            for (const auto& [rank, times] : received_within_host(grid, 4, 4 * visits, RingWays::one)) {
                EXPECT_EQ(times, 4 * (ranks_per_host - visits) / ranks_per_host) << rank;
            }
            for (const auto& [rank, times] : received_within_host(grid, 4, 4 * visits, RingWays::both)) {
                EXPECT_EQ(times, 2 * 4 * (ranks_per_host - visits) / ranks_per_host) << rank;
            }
        }
    }
}

TEST(RingOrders, ShareThatOutWhereSomeVisitOftenerToo) {
    // Four rings that visit hosts four times, and four that do so three times, so that one rank moves.
    const Grid grid = torus_with({2, 2}, 4);
    for (const auto& [rank, times] : received_within_host(grid, 8, 4 * 4 + 4 * 3, RingWays::one)) {
        EXPECT_EQ(times, 1) << rank;
    }
}

TEST(RingOrders, GoBackwardsInEverySecondLane) {
    const Grid grid = torus_with({2, 2}, 3);
    const std::vector<RingOrder> orders = RingOrders(grid).of_lanes(2, 4, RingWays::one);
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
        for (const RingOrder& order : orders.of_lanes(2 * axes, 2 * axes, RingWays::one)) {
            for (std::size_t i = 0; i < order.size(); ++i)
                EXPECT_TRUE(used.insert({order[i], next_in(order, i)}).second);
        }
        for (const RingOrder& order : orders.of_lanes(axes, axes, RingWays::both)) {
            for (std::size_t i = 0; i < order.size(); ++i) {
                EXPECT_EQ(used.erase({order[i], next_in(order, i)}), 1u);
                EXPECT_EQ(used.erase({next_in(order, i), order[i]}), 1u);
            }
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
    EXPECT_EQ(hops(fastest_rings(grid, 4, RingWays::one, hops)), 4 * grid.hosts());
    EXPECT_EQ(hops(fastest_rings(grid, 4, RingWays::one, [&](const auto& rings) { return -hops(rings); })),
              4 * grid.ranks());
    EXPECT_EQ(hops(fastest_rings(grid, 4, RingWays::one, [](const auto&) { return 0; })), 4 * grid.hosts());
}

TEST(WhyNoRings, NamesWhatIsMissing) {
    EXPECT_EQ(why_no_rings(torus_with({4, 4}, 1), RingWays::one), "");
    EXPECT_EQ(why_no_rings(torus_with({2, 4}, 2), RingWays::one), "");
    EXPECT_EQ(why_no_rings(torus_with({2, 4}, 1), RingWays::one), "");
    EXPECT_EQ(why_no_rings(torus_with({5, 3, 3}, 1), RingWays::one), "");
    EXPECT_EQ(why_no_rings(full_grid({3, 5}, 1, false), RingWays::one), "") << "one is looked for";
    const Grid no_cycle = full_grid({17, 17}, 1, false);
    EXPECT_EQ(why_no_rings(no_cycle, RingWays::one), "one rank on each host, and no cycle past all");
    EXPECT_EQ(why_no_rings(torus_with({32, 32}, 9), RingWays::one), "made for at most 8192 ranks");
    const Fabric leaves = grouped_fat_tree({2}, 3);
    const Grid switches = Grid::from_fabric(leaves, ranks_on_all(leaves)).value();
    EXPECT_EQ(why_no_rings(switches, RingWays::one), "one rank on each host");
    EXPECT_EQ(why_no_rings(switches, RingWays::both), "");
    EXPECT_EQ(why_no_rings(no_cycle, RingWays::both), "") << "half of the steps of a ring anyway";
    EXPECT_EQ(why_no_rings(torus_with({32, 32}, 9), RingWays::both), "made for at most 8192 ranks");
}

}  // namespace
}  // namespace coll_topo::test
