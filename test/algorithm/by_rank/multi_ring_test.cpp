// SPDX-License-Identifier: BSD-3-Clause
//
// What multi_ring, two_way_ring and multi_chain claim of what goes through the memory of hosts.
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "test/algorithm/received_blocks.hpp"
#include "test/algorithm/trial.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>

namespace coll_topo::test {
namespace {

const Algorithm& row(const char* name) {
    return *find_algorithm(name);
}

TEST(MultiRing, GoesThroughHostsWhereTheNetworkIsSlow) {
    const Grid grid = grid_with(slow, 4);
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        const Program program = row("multi_ring").build(grid, {Collective::allreduce, 1, 4}, rank);
        const Received blocks = received(grid, program, rank);
        EXPECT_EQ(blocks.in_all * grid.ranks(), std::int64_t{2} * program.blocks * (grid.ranks() - 1));
        EXPECT_EQ(blocks.within_host * 4, blocks.in_all * 3);  // every rank is the entry of one of four rings
    }
}

TEST(MultiRing, GoesPastHostsWhereTheNetworkIsFast) {
    const Grid grid = grid_with(fast, 4);
    for (const auto& [collective, lanes] : {std::pair{Collective::allreduce, 4}, {Collective::allgather, 4}}) {
        for (int rank = 0; rank < grid.ranks(); ++rank) {
            const Program program = row("multi_ring").build(grid, {collective, 1, lanes}, rank);
            EXPECT_EQ(received(grid, program, rank).within_host, 0);
        }
    }
}

TEST(MultiRing, SharesPiecesOutBetweenMemoryAndNetwork) {
    // Of four ranks a host, which move 6e9 bytes/s each, links of as many are best given their part.
    const Grid grid = grid_with(6e9, 4);
    for (const Collective collective : {Collective::allgather, Collective::reduce_scatter}) {
        std::int64_t within = 0, all = 0;
        for (int rank = 0; rank < grid.ranks(); ++rank) {
            const Received blocks = received(grid, row("multi_ring").build(grid, {collective, 1, 8}, rank), rank);
            within += blocks.within_host;
            all += blocks.in_all;
        }
        EXPECT_GT(within, 0);
        EXPECT_LT(within, all * 3 / 4);  // what visiting each host once has
    }
}

TEST(MultiRing, VisitsHostsMoreOftenWhereRanksCombine) {
    const Grid grid = grid_with(12.5e9, 4);
    for (const int lanes : {4, 8}) {
        int combined = 0, gathered = 0;  // of what comes from the same host
        for (int rank = 0; rank < grid.ranks(); ++rank) {
            const Program program = row("multi_ring").build(grid, {Collective::allreduce, 1, lanes}, rank);
            for (const Action& action : program.actions) {
                if (!is_receive(action) || grid.host(action.peer) != grid.host(rank)) continue;
                ++(action.kind == ActionKind::receive_reduce ? combined : gathered);
            }
        }
        EXPECT_LT(combined, gathered) << lanes;
    }
}

TEST(MultiRing, LinksWaitLessWithMoreRings) {
    // Links that are busier than ranks.
    const Grid grid = grid_with(4e9, 4);
    const auto seconds = [&](int lanes) {
        return row("multi_ring").seconds(grid, {Collective::allgather, 1, lanes}, 1e9);
    };
    EXPECT_LT(seconds(8), seconds(4));
    EXPECT_GT(row("multi_ring").seconds(grid, {Collective::allgather, 1, 8}, 1),
              row("multi_ring").seconds(grid, {Collective::allgather, 1, 4}, 1));
}

TEST(MultiRing, NeedsHostsWithSeveralRanksOrACycle) {
    const auto on = [](const Grid& grid, const char* name, Collective collective) {
        return row(name).refusal(grid, {collective, 1, 4}).empty();
    };
    EXPECT_TRUE(on(grid_with(fast, 1), "multi_ring", Collective::allreduce));
    EXPECT_TRUE(on(grid_with(fast, 1), "multi_chain", Collective::bcast));
    const Grid no_cycle = full_grid({17, 17}, 1, false);
    EXPECT_FALSE(on(no_cycle, "multi_ring", Collective::allreduce)) << "and too many hosts to look for one";
    EXPECT_FALSE(on(no_cycle, "multi_chain", Collective::bcast));
    EXPECT_TRUE(on(full_grid({16, 17}, 1, false), "multi_ring", Collective::allreduce));
    EXPECT_TRUE(on(full_grid({3, 3}, 1, false), "multi_ring", Collective::allreduce)) << "one is looked for";
    EXPECT_FALSE(row("network_first").refusal(grid_with(fast, 1), {Collective::allreduce, 1, 4}).empty());
}

TEST(TwoWayRing, TakesHalfTheStepsAndSendsBothWays) {
    for (const int ranks_per_host : {1, 3}) {
        const Grid grid = grid_with(fast, ranks_per_host);
        const int ranks = grid.ranks();
        for (int rank = 0; rank < ranks; ++rank) {
            const Program program = row("two_way_ring").build(grid, {Collective::allreduce, 1, 2}, rank);
            for (const Lane& lane : program.lanes) {
                std::map<int, int> sent, received;
                for (const Step& step : program.steps_of(lane)) {
                    for (const Action& action : program.actions_of(step)) {
                        if (is_transfer(action)) ++(is_send(action) ? sent : received)[action.peer];
                    }
                }
                EXPECT_EQ(lane.end_step - lane.begin_step, 2 * (ranks / 2));
                ASSERT_EQ(sent.size(), 2u) << "to both neighbours";
                for (const auto& [peer, blocks] : sent) EXPECT_EQ(blocks + received[peer], 2 * (ranks - 1));
            }
        }
    }
}

TEST(TwoWayRing, SharesOutWhatRanksMoveWithinTheirHost) {
    const Grid grid = grid_with(slow, 4);
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        const Program program = row("two_way_ring").build(grid, {Collective::allgather, 1, 4}, rank);
        const Received blocks = received(grid, program, rank);
        EXPECT_EQ(blocks.in_all * grid.ranks(), std::int64_t{1} * program.blocks * (grid.ranks() - 1));
        // Every rank is the entry of one of four rings one way, and of another one the other way.
        EXPECT_NEAR(static_cast<double>(blocks.within_host) / static_cast<double>(blocks.in_all), 0.75, 0.01);
    }
}

TEST(TwoWayRing, GathersOnFirstRingsWhileItCombinesOnLastOnes) {
    const auto does = [](const char* name, const Grid& grid, Collective collective, int lanes) {
        return row(name).build(grid, {collective, 1, lanes}, 0).first_lanes_first;
    };
    for (const int ranks_per_host : {1, 2}) {
        const Grid grid = grid_with(fast, ranks_per_host);
        EXPECT_TRUE(does("two_way_ring", grid, Collective::allreduce, 4));
        EXPECT_FALSE(does("two_way_ring", grid, Collective::allreduce, 2));
        EXPECT_FALSE(does("two_way_ring", grid, Collective::reduce_scatter, 4));
        EXPECT_FALSE(does("multi_ring", grid, Collective::allreduce, 4));
    }
    EXPECT_FALSE(does("two_way_ring", grid_with(fast, 3), Collective::allreduce, 4));
    const Fabric three_cycles = equal_torus({4, 4, 4});
    const Grid grid = Grid::from_fabric(three_cycles, ranks_on_all(three_cycles)).value();
    EXPECT_FALSE(does("two_way_ring", grid, Collective::allreduce, 6));
}

TEST(TwoWayRing, CountsWhatItGathersMeanwhile) {
    constexpr double bytes = 1 << 25;
    // Less than both halves take one after the other.
    const auto gained = [&](const Grid& grid, int lanes) {
        const auto seconds = [&](Collective collective) {
            return row("two_way_ring").seconds(grid, {collective, 1, lanes}, bytes);
        };
        const double copied = bytes / grid.ranks() / grid.costs_together().copy_bandwidth;  // by a reduce_scatter
        return seconds(Collective::reduce_scatter) - copied + seconds(Collective::allgather) -
               seconds(Collective::allreduce);
    };
    for (const int ranks_per_host : {1, 2}) {
        const Grid grid = grid_with(12.5e9, ranks_per_host);
        const double gathering = row("two_way_ring").seconds(grid, {Collective::allgather, 1, 4}, bytes);
        EXPECT_NEAR(gained(grid, 2), 0, 1e-6);
        EXPECT_NEAR(gained(grid, 4), gathering / 4 / (2 * ranks_per_host - 1), 1e-6);
        EXPECT_GT(gained(grid, 6), gained(grid, 4));
    }
    // While ranks combine, slow links are as busy as later on.
    EXPECT_LT(gained(grid_with(slow, 1), 4), 0.01 * row("two_way_ring").seconds(grid_with(slow, 1), {}, bytes));
}

TEST(TwoWayRing, BringsTheRootOfAReduceOneBlockAfterTheOther) {
    constexpr int root = 2, lanes = 2;
    const Grid grid = grid_with(fast, 2);
    const int ranks = grid.ranks(), combining = ranks / 2;
    for (int rank = 0; rank < ranks; ++rank) {
        const Problem problem{.collective = Collective::reduce, .lanes = lanes, .root = root};
        const Program program = row("two_way_ring").build(grid, problem, rank);
        ASSERT_EQ(program.lanes.size(), lanes);
        for (const Lane& lane : program.lanes) {
            const auto steps = program.steps_of(lane);
            ASSERT_EQ(steps.size(), combining + (rank == root ? ranks - 1 : 1));
            for (const Step& step : steps.subspan(combining)) {
                const auto actions = program.actions_of(step);
                ASSERT_EQ(actions.size(), 1u);
                EXPECT_EQ(actions[0].kind, rank == root ? ActionKind::receive : ActionKind::send);
                EXPECT_EQ(actions[0].count, 1);
                EXPECT_TRUE(rank == root || actions[0].peer == root);
            }
        }
    }
}

TEST(TwoWayRing, HidesWhatTheRootGathersBehindSixRingsOrMore) {
    constexpr double bytes = 1 << 25;
    for (const int ranks_per_host : {1, 2, 4}) {
        const Grid grid = grid_with(12.5e9, ranks_per_host);
        const auto first_lanes_first = [&](int lanes) {
            return row("two_way_ring").build(grid, {Collective::reduce, 1, lanes}, 0).first_lanes_first;
        };
        EXPECT_TRUE(first_lanes_first(6));
        EXPECT_FALSE(first_lanes_first(4));
        const double copied = bytes / grid.ranks() / grid.costs_together().copy_bandwidth;  // by a reduce_scatter
        const auto gathering = [&](int lanes) {
            const auto seconds = [&](Collective collective) {
                return row("two_way_ring").seconds(grid, {collective, 1, lanes}, bytes);
            };
            return seconds(Collective::reduce) - (seconds(Collective::reduce_scatter) - copied);
        };
        const double all = RankOrderCost(grid).gather(0, bytes / grid.ranks());
        EXPECT_NEAR(gathering(4), all, 1e-9);
        EXPECT_NEAR(gathering(6), all / 3, 1e-9);
        EXPECT_NEAR(gathering(8), all / 4, 1e-9);
    }
}

TEST(MultiChain, BringsEveryRankTheVectorOnce) {
    for (const double bandwidth : {slow, fast}) {
        const Grid grid = grid_with(bandwidth, 4);
        for (int rank = 0; rank < grid.ranks(); ++rank) {
            const Problem problem{.collective = Collective::bcast, .lanes = 4, .segments = 3, .root = 5};
            const Program program = row("multi_chain").build(grid, problem, rank);
            EXPECT_EQ(received(grid, program, rank).in_all, rank == 5 ? 0 : program.blocks);
        }
    }
}

TEST(MultiChain, PassesHostsWhereTheNetworkIsFast) {
    for (const double bandwidth : {slow, fast}) {
        const Grid grid = grid_with(bandwidth, 4);
        std::int64_t within = 0, all = 0;
        for (int rank = 0; rank < grid.ranks(); ++rank) {
            const Problem problem{.collective = Collective::bcast, .lanes = 4};
            const Received blocks = received(grid, row("multi_chain").build(grid, problem, rank), rank);
            within += blocks.within_host;
            all += blocks.in_all;
        }
        if (bandwidth == fast)
            EXPECT_EQ(within, 0);
        else
            EXPECT_GT(within, all * 7 / 10);
    }
}

TEST(MultiChain, TakesAsLongOnOneHostAsARankCopies) {
    const Fabric fabric = equal_torus({4, 3});
    const Grid grid = Grid::from_torus(fabric, ranks_on({0}, 2)).value();
    const double bytes = grid.costs_together().local_bandwidth;
    for (const int segments : {1, 2, 8}) {
        EXPECT_GE(row("multi_chain").seconds(grid, {Collective::bcast, 1, 4, segments}, bytes), 1);
    }
}

}  // namespace
}  // namespace coll_topo::test
