// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"

#include "coll_topo/algorithm/stages/cost.hpp"
#include "test/algorithm/machine.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/switch_fixture.hpp"

#include <gtest/gtest.h>
#include <algorithm>

namespace coll_topo {
namespace {

using test::full_grid;

constexpr double second_of_bytes = 1e9;  // on a link of equal_torus
constexpr double hop = 1e-6;             // of equal_torus
constexpr double overhead = MachineCosts{}.message_time;

TEST(RankOrderCost, AMessageTakesItsWayAndItsBytes) {
    const Grid grid = full_grid({8, 8});
    RankOrderCost cost(grid);
    cost.message(0, 2 + 8 * 5, 1000);  // 2 to the right, 3 the short way down
    EXPECT_DOUBLE_EQ(cost.step(), overhead + 5 * hop + 1e-6);
    EXPECT_EQ(cost.step(), 0) << "a step forgets the one before";
    EXPECT_DOUBLE_EQ(cost.alone(0, 2 + 8 * 5, 1000), overhead + 5 * hop + 1e-6);
    EXPECT_DOUBLE_EQ(cost.alone(2 + 8 * 5, 0, 1000), overhead + 5 * hop + 1e-6);
}

TEST(RankOrderCost, SeesTheContentionThatTheScheduleHas) {
    for (const bool wrapped : {true, false}) {
        for (const std::vector<int>& sizes :
             std::vector<std::vector<int>>{{3}, {8}, {7}, {4, 4}, {6, 3}, {5, 7}, {3, 4, 5}}) {
            const Fabric fabric = test::equal_torus(sizes, wrapped);
            const Placement placement = test::ranks_on_all(fabric);
            const Grid grid = Grid::from_torus(fabric, placement).value();
            const Problem alltoall{Collective::alltoall};
            const auto loads =
                link_load(test::build_all(*find_algorithm("pairwise"), grid, alltoall), fabric, placement);
            RankOrderCost cost(grid);
            int distance = 0;
            for (const StepLoad& load : loads) {
                if (load.messages == 0) continue;
                EXPECT_NEAR(cost.shift(++distance, second_of_bytes), load.messages, 1e-3)
                    << grid.summary() << (wrapped ? " torus" : " mesh") << ", distance " << distance;
            }
            EXPECT_EQ(distance, grid.ranks() - 1);
        }
    }
}

/// A torus of equal links with a rank on each host.
Fabric torus_with_tie(const std::vector<int>& sizes, Tie tie) {
    Fabric fabric = test::equal_torus(sizes);
    fabric.network = Torus("ties", fabric.torus()->dimensions(), tie);
    return fabric;
}

TEST(RankOrderCost, LeadsTiesAsTheFileSays) {
    for (const Tie tie : {Tie::positive, Tie::negative, Tie::parity}) {
        for (const std::vector<int>& sizes : std::vector<std::vector<int>>{{8}, {4, 4}, {6, 3}, {3, 4, 6}}) {
            const Fabric fabric = torus_with_tie(sizes, tie);
            const Placement placement = test::ranks_on_all(fabric);
            const Grid grid = Grid::from_torus(fabric, placement).value();
            const auto loads = link_load(test::build_all(*find_algorithm("pairwise"), grid, {Collective::alltoall}),
                                         fabric, placement);
            RankOrderCost cost(grid);
            int distance = 0;
            for (const StepLoad& load : loads) {
                if (load.messages == 0) continue;
                EXPECT_NEAR(cost.shift(++distance, second_of_bytes), load.messages, 1e-3)
                    << grid.summary() << ", tie " << static_cast<int>(tie) << ", distance " << distance;
            }
        }
    }
}

TEST(RankOrderCost, ARingWithAllTiesOneWayCarriesMoreThatWayWhenAllSendToAll) {
    for (const Tie tie : {Tie::positive, Tie::negative, Tie::parity}) {
        for (const std::vector<int>& sizes : std::vector<std::vector<int>>{{8}, {4, 4}, {8, 3}, {3, 4, 5}}) {
            const Fabric fabric = torus_with_tie(sizes, tie);
            const Placement placement = test::ranks_on_all(fabric);
            const Grid grid = Grid::from_torus(fabric, placement).value();
            const auto loads =
                link_load(test::build_all(*find_algorithm("linear"), grid, {Collective::alltoall}), fabric, placement);
            EXPECT_NEAR(RankOrderCost(grid).all_at_once(second_of_bytes), loads.at(0).messages, 1e-3)
                << grid.summary() << ", tie " << static_cast<int>(tie);
        }
    }
}

// On an open line of 16 the last rank is 15 hops from the first. With few bytes the ring is as fast as this way lets
// it: of blocks that are passed on four are on it, of those that are combined the receiver has posted two.
TEST(RankOrderCost, ARingIsNoFasterThanItsLongestWayLetsIt) {
    const Grid line = full_grid({16}, 1, false);
    const double way = 15 * hop;
    EXPECT_NEAR(RankOrderCost(line).ring(8, 0).all, 15 * (overhead + way) / 4, 1e-6);
    EXPECT_NEAR(RankOrderCost(line).ring(8, 1e-9).all, 15 * way / 2, 1e-6);
    const Grid closed = full_grid({16});
    EXPECT_NEAR(RankOrderCost(closed).ring(8, 0).all, 15 * (overhead + hop), 1e-6) << "all ways are alike";
}

TEST(RankOrderCost, AGatherIsAsFastAsTheLinksOfTheRoot) {
    const Grid line = full_grid({4}, 1, false);
    EXPECT_NEAR(RankOrderCost(line).gather(0, 1000), overhead + 3 * hop + 3 * 1000 / 1e9, 1e-12);
    EXPECT_NEAR(RankOrderCost(line).gather(1, 1000), overhead + 2 * hop + 2 * 1000 / 1e9, 1e-12);
}

TEST(RankOrderCost, MessagesWithinAHostTakeTheirTime) {
    const Grid grid = full_grid({2}, 4);
    RankOrderCost cost(grid);
    cost.message(0, 1, 6000);
    cost.message(0, 2, 6000);
    cost.message(3, 1, 6000);
    EXPECT_DOUBLE_EQ(cost.step(), overhead + 2 * 6000 / MachineCosts{}.local_bandwidth) << "rank 1 moves both";
}

TEST(RankOrderCost, MessagesWithinAHostMayBeginSooner) {
    Fabric fabric = test::equal_torus({2});
    fabric.costs.local_message_time = overhead / 10;
    const Grid grid = Grid::from_torus(fabric, test::ranks_on_all(fabric, 4)).value();
    RankOrderCost cost(grid);
    cost.message(0, 1, 0);
    cost.message(0, 2, 0);
    EXPECT_DOUBLE_EQ(cost.step(), 2 * overhead / 10);
    cost.message(0, 1, 0);
    cost.message(0, 4, 0);
    EXPECT_NEAR(cost.step(), 1.1 * overhead + fabric.torus()->dimensions()[0].latency, 1e-12);
    EXPECT_DOUBLE_EQ(cost.alone(0, 1, 0), overhead / 10);
    EXPECT_DOUBLE_EQ(find_algorithm("recursive_doubling")->seconds(grid, {Collective::allreduce}, 0),
                     2 * overhead / 10 + overhead + fabric.torus()->dimensions()[0].latency);
}

TEST(RankOrderCost, RanksOfAHostShareItsLinks) {
    const Grid one = full_grid({6}, 1), four = full_grid({6}, 4);
    EXPECT_NEAR(RankOrderCost(one).shift(1, second_of_bytes), 1, 1e-3);
    EXPECT_NEAR(RankOrderCost(four).shift(4, second_of_bytes), 4, 1e-3);
}

TEST(RankOrderCost, CountsOnASampleOfLargeMachines) {
    const Grid grid = full_grid({48, 48});
    ASSERT_GT(grid.ranks() * grid.ranks(), RankOrderCost::most_messages);
    RankOrderCost cost(grid);
    double all = 0;
    for (int distance = 1; distance < grid.ranks(); ++distance) all += cost.shift(distance, 1e6);
    EXPECT_NEAR(cost.shifts_in_turn(1e6), all, 0.05 * all);
}

TEST(RankOrderCost, KnowsTheBusiestLinkWhenAllSendToAll) {
    for (const bool wrapped : {true, false}) {
        for (const std::vector<int>& sizes : std::vector<std::vector<int>>{{3}, {8}, {7}, {4, 4}, {5, 7}, {3, 4, 5}}) {
            const Fabric fabric = test::equal_torus(sizes, wrapped);
            const Placement placement = test::ranks_on_all(fabric);
            const Grid grid = Grid::from_torus(fabric, placement).value();
            const Problem alltoall{Collective::alltoall};
            const auto loads = link_load(test::build_all(*find_algorithm("linear"), grid, alltoall), fabric, placement);
            EXPECT_NEAR(RankOrderCost(grid).all_at_once(second_of_bytes), loads.at(0).messages, 1e-3)
                << grid.summary() << (wrapped ? " torus" : " mesh");
        }
    }
}

TEST(RankOrderCost, ThroughSwitchesSeesPortsAndTheCablesOfALeaf) {
    const Fabric fabric = test::leaf_spine_fabric({4, 4}, 2);
    const Grid grid = Grid::from_switches(fabric, test::ranks_on_all(fabric)).value();
    RankOrderCost cost(grid);
    cost.message(0, 1, 1000);
    cost.message(1, 0, 1000);
    EXPECT_DOUBLE_EQ(cost.step(), overhead + 2 * hop + 1e-6) << "both ways at once, under one leaf";
    cost.message(0, 1, 1000);
    cost.message(2, 1, 1000);
    EXPECT_DOUBLE_EQ(cost.step(), overhead + 2 * hop + 2e-6) << "one port receives both";
    cost.message(0, 1, 1000);
    cost.message(0, 2, 1000);
    EXPECT_DOUBLE_EQ(cost.step(), overhead + 2 * hop + std::max(2e-6, overhead + 1e-6))
        << "the second begins while the first travels";
    EXPECT_NEAR(cost.shift(4, second_of_bytes), 2, 1e-3) << "four hosts, two cables up";
    EXPECT_DOUBLE_EQ(cost.alone(0, 4, 1000), overhead + 4 * hop + 1e-6);
    EXPECT_NEAR(cost.all_at_once(second_of_bytes), 8, 1e-3) << "16 messages from leaf to leaf, 7 from a port";
}

TEST(RankOrderCost, SeesThatOneCableJoinsTwoLeavesOfAPlane) {
    const Fabric fabric = test::latin_square_fabric(3, 4);
    const Grid grid = Grid::from_switches(fabric, test::ranks_on_all(fabric)).value();
    RankOrderCost cost(grid);
    EXPECT_NEAR(cost.shift(4, second_of_bytes), 4, 1e-3) << "all hosts of a leaf to the next leaf";
}

TEST(RankOrderCost, EveryReferencePredictsAPositiveTimeAnywhere) {
    std::vector<int> holes(20, 2);
    holes[3] = 0;
    holes[11] = 5;
    for (const test::Machine& machine :
         {test::make_machine({{5, 4}}, holes, test::RankOrder::shuffled),
          test::make_machine({{1}}, {3}, test::RankOrder::by_host),
          test::make_machine({{2, 2, 2}, 0}, std::vector<int>(8, 1), test::RankOrder::by_host)}) {
        const Grid grid = Grid::from_torus(machine.fabric, machine.placement).value();
        for (const Algorithm& algorithm : catalogue()) {
            for (int c = 0; c < collective_count; ++c) {
                const auto collective = static_cast<Collective>(c);
                if (!algorithm.reference || !algorithm.serves(collective)) continue;
                for (const Problem& problem : test::problems(algorithm, collective, grid)) {
                    const double nothing = algorithm.seconds(grid, problem, 0),
                                 few = algorithm.seconds(grid, problem, 1e3),
                                 many = algorithm.seconds(grid, problem, 1e6);
                    EXPECT_GE(nothing, 0) << test::describe(algorithm, problem) << ", " << machine.description;
                    EXPECT_GT(few, 0) << test::describe(algorithm, problem) << ", " << machine.description;
                    EXPECT_GT(many, few) << test::describe(algorithm, problem) << ", " << machine.description;
                }
            }
        }
    }
}

TEST(RankOrderCost, PutsAllreduceInTheKnownOrder) {
    const Grid grid = full_grid({8, 8});
    const auto seconds = [&](std::string_view name, double bytes) {
        return find_algorithm(name)->seconds(grid, {Collective::allreduce}, bytes);
    };
    EXPECT_LT(seconds("recursive_doubling_by_rank", 8), seconds("rabenseifner", 8));
    EXPECT_LT(seconds("rabenseifner", 8), seconds("ring", 8));
    EXPECT_LT(seconds("ring", 64e6), seconds("rabenseifner", 64e6)) << "no contention";
    EXPECT_LT(seconds("rabenseifner", 64e6), seconds("recursive_doubling_by_rank", 64e6));
    EXPECT_LT(seconds("rabenseifner", 64e6), seconds("reduce_bcast", 64e6));
}

}  // namespace
}  // namespace coll_topo
