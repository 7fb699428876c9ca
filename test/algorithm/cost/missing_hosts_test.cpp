// SPDX-License-Identifier: BSD-3-Clause
//
// On a torus of which hosts are missing, messages take its cables, wherever the hosts stand in the grid.

#include "coll_topo/algorithm/cost/message_timeline.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "test/algorithm/machine.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace coll_topo {
namespace {

constexpr double second_of_bytes = 1e9;  // on a link of equal_torus
constexpr double hop = 1e-6;             // of equal_torus
constexpr double overhead = MachineCosts{}.message_time;

struct Hosts {
    std::string what;
    std::vector<int> sizes, hosts;
};
const std::vector<Hosts> some_hosts = {
    {"scattered", {6, 6}, {0, 3, 7, 10, 14, 17, 18, 22, 26, 27, 31, 35}},
    {"a box, and others beside it", {8, 8}, {0, 1, 2, 8, 9, 10, 16, 17, 18, 3, 11, 27}},
    {"a box of most of two rings", {8, 8}, {0,  1,  2,  3,  4,  5,  8,  9,  10, 11, 12, 13, 16, 17, 18, 19, 20, 21,
                                            24, 25, 26, 27, 28, 29, 32, 33, 34, 35, 36, 37, 40, 41, 42, 43, 44, 45}},
    {"every second host of a ring", {8}, {0, 2, 4, 6}},
    {"three dimensions", {4, 4, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 33, 63}},
};

TEST(MissingHosts, AStepTakesWhatItsBusiestCableDoes) {
    for (const Hosts& hosts : some_hosts) {
        const Fabric fabric = test::equal_torus(hosts.sizes);
        const Placement placement = test::ranks_on(hosts.hosts);
        const Grid grid = Grid::from_torus(fabric, placement).value();
        ASSERT_FALSE(grid.keeps_to_axes()) << hosts.what;
        const auto loads =
            link_load(test::build_all(*find_algorithm("pairwise"), grid, {Collective::alltoall}), fabric, placement);
        RankOrderCost cost(grid);
        int distance = 0;
        for (const StepLoad& load : loads) {
            if (load.messages == 0) continue;
            EXPECT_NEAR(cost.shift(++distance, second_of_bytes), load.messages, 1e-3)
                << hosts.what << ", distance " << distance;
        }
        EXPECT_EQ(distance, grid.ranks() - 1);
    }
}

TEST(MissingHosts, AllToAllTakeWhatTheBusiestCableDoes) {
    for (const Hosts& hosts : some_hosts) {
        const Fabric fabric = test::equal_torus(hosts.sizes);
        const Placement placement = test::ranks_on(hosts.hosts);
        const Grid grid = Grid::from_torus(fabric, placement).value();
        const auto loads =
            link_load(test::build_all(*find_algorithm("linear"), grid, {Collective::alltoall}), fabric, placement);
        EXPECT_NEAR(RankOrderCost(grid).all_at_once(second_of_bytes), loads.at(0).messages, 1e-3) << hosts.what;
    }
}

// Three columns of three, and beside them cells 3, 11 and 27: of these the first two have hosts of the box for
// neighbours, and 27 stands below nobody.
TEST(MissingHosts, AnExtraHostHasAWayToItsProxy) {
    const Fabric fabric = test::equal_torus({8, 8});
    const Grid grid = Grid::from_torus(fabric, test::ranks_on({0, 1, 2, 8, 9, 10, 16, 17, 18, 3, 11, 27})).value();
    ASSERT_EQ(grid.extra_hosts(), 3);
    int farthest = 0;
    for (int host = grid.places(); host < grid.hosts(); ++host) {
        const int cables = grid.cells()->cables(host, grid.proxy(host));
        EXPECT_GT(cables, 0);
        farthest = std::max(farthest, cables);
        MessageTimeline timeline(grid);
        timeline.message(grid.ranks_of_host(host)[0], grid.ranks_of_host(grid.proxy(host))[0], second_of_bytes);
        timeline.end_step();
        EXPECT_DOUBLE_EQ(timeline.latest(), overhead + cables * hop + 1);
    }
    RankOrderCost cost(grid);
    cost.fold(1);
    EXPECT_NEAR(cost.step(), overhead + farthest * hop, 1e-8);
}

TEST(MissingHosts, PairsAreCountedOnASampleOfLargeMachines) {
    std::vector<int> hosts;
    for (int host = 0; host < 40 * 40; ++host) {
        if (host % 7 != 3) hosts.push_back(host);
    }
    const Fabric fabric = test::equal_torus({40, 40});
    const Placement placement = test::ranks_on(hosts);
    const Grid grid = Grid::from_torus(fabric, placement).value();
    ASSERT_GT(grid.ranks() * grid.ranks(), RankOrderCost::most_messages);
    RankOrderCost all(grid);
    for (int from = 0; from < grid.ranks(); ++from) {
        for (int to = 0; to < grid.ranks(); ++to) {
            if (from != to) all.message(from, to, second_of_bytes);
        }
    }
    const double seconds = all.take().transfer;
    EXPECT_NEAR(RankOrderCost(grid).all_at_once(second_of_bytes), seconds, 0.05 * seconds);
}

}  // namespace
}  // namespace coll_topo
