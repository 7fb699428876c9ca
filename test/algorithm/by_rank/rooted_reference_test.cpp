// SPDX-License-Identifier: BSD-3-Clause
//
// The reference algorithms that are trees and chains: known numbers of steps, and who sends to whom.

#include "coll_topo/schedule/scratch_in_buffer.hpp"

#include "test/algorithm/by_rank/on_line.hpp"

#include <gtest/gtest.h>

namespace coll_topo {
namespace {

using test::build_all;
using test::full_grid;
using test::rounds;

TEST(Binomial, TakesLog2Rounds) {
    for (const int ranks : some_ranks) {
        for (const int root : {0, ranks - 1, ranks / 2}) {
            for (const Collective collective : {Collective::bcast, Collective::reduce}) {
                const Schedule schedule = on_line("binomial", {.collective = collective, .root = root}, ranks);
                EXPECT_EQ(rounds(schedule), ceil_log2(ranks)) << ranks << " ranks, root " << root;
                EXPECT_EQ(blocks_sent_by_all(schedule), ranks - 1);
            }
        }
        EXPECT_EQ(rounds(on_line("reduce_bcast", {Collective::allreduce}, ranks)), 2 * ceil_log2(ranks));
    }
}

TEST(Binomial, HasTheTreesOfTuned) {
    const Schedule bcast = on_line("binomial", {.collective = Collective::bcast, .root = 2}, 8);
    EXPECT_EQ(bcast[7].actions[0].peer, 3) << "5 after the root: from 1 after the root";
    const Schedule reduce = on_line("binomial", {.collective = Collective::reduce, .root = 2}, 8);
    EXPECT_EQ(reduce[7].actions[0].peer, 6) << "5 after the root: to 4 after the root";
}

TEST(Binomial, PassesThePiecesOfAllRanksBelowOn) {
    for (const int ranks : some_ranks) {
        for (const Collective collective : {Collective::gather, Collective::scatter}) {
            const Schedule schedule = on_line("binomial", {.collective = collective, .root = ranks / 2}, ranks);
            EXPECT_EQ(rounds(schedule), ceil_log2(ranks)) << ranks << " ranks";
        }
    }
    const Schedule gather = on_line("binomial", {.collective = Collective::gather}, 8);
    EXPECT_EQ(blocks_sent_by_all(gather), 4 + 2 + 2 + 1 + 1 + 1 + 1);
    EXPECT_EQ(scratch_in_buffer(gather[0], Collective::gather, 8, 0), Buffer::output) << "pieces are in rank order";
}

TEST(Knomial, HasTheTreeOfTuned) {
    const Problem problem{.collective = Collective::bcast, .root = 1};
    const Schedule schedule = on_line("knomial", problem, 10);
    EXPECT_EQ(rounds(schedule), 2);
    std::vector<int> receivers;
    for (const Action& action : schedule[1].actions) receivers.push_back(action.peer);
    EXPECT_EQ(receivers, (std::vector<int>{5, 9, 2, 3, 4})) << "4, 8, 1, 2 and 3 after the root";
    EXPECT_EQ(schedule[8].actions[0].peer, 5) << "7 after the root: from 4 after the root";
    for (const int ranks : some_ranks) {
        EXPECT_EQ(blocks_sent_by_all(on_line("knomial", {.collective = Collective::bcast}, ranks)), ranks - 1);
    }
}

TEST(PipelinedChain, StreamsItsSegments) {
    for (const int ranks : some_ranks) {
        for (const int segments : {1, 2, 5, 16}) {
            for (const Collective collective : {Collective::bcast, Collective::reduce}) {
                const Problem problem{.collective = collective, .segments = segments, .root = ranks / 3};
                const Schedule schedule = on_line("pipelined_chain", problem, ranks);
                EXPECT_EQ(rounds(schedule), segments + ranks - 2) << ranks << " ranks, " << segments << " segments";
                EXPECT_EQ(blocks_sent_by_all(schedule), std::int64_t{segments} * (ranks - 1));
            }
        }
    }
}

TEST(PipelinedChain, ReducesInRankOrderTowardsTheFirstAndTheLastRank) {
    const Algorithm& chain = *find_algorithm("pipelined_chain");
    const Grid grid = full_grid({6});
    const auto in_order = [&](int root) {
        return chain.in_order(grid, {.collective = Collective::reduce, .segments = 4, .root = root});
    };
    EXPECT_TRUE(in_order(0));
    EXPECT_TRUE(in_order(5));
    EXPECT_FALSE(in_order(3));
    const Problem middle{.collective = Collective::reduce, .segments = 4, .root = 3};
    EXPECT_FALSE(prove(Collective::reduce, build_all(chain, grid, middle), true, 3)) << "the claim is not too modest";
}

// From the end of a row of a mesh it is far to the beginning of the next one, and three blocks are on the way at most.
TEST(PipelinedChain, GoesOnAtThePaceOfItsLongestHop) {
    const Grid grid = full_grid({8, 4}, 1, false);  // 1 us for each link
    const auto seconds = [&](int segments) {
        const Problem problem{.collective = Collective::bcast, .segments = segments};
        return find_algorithm("pipelined_chain")->seconds(grid, problem, 100. * segments);
    };
    EXPECT_GE(seconds(2) - seconds(1), 8e-6 / 3);
    EXPECT_LT(seconds(1), 31 * 4e-6) << "most hops are short";
}

}  // namespace
}  // namespace coll_topo
