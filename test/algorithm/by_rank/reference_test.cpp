// SPDX-License-Identifier: BSD-3-Clause
//
// The reference algorithms: known numbers of steps, amounts of data and link loads. The proof grid shows that they are
// right. For trees and chains, see rooted_reference_test.cpp.

#include "test/algorithm/by_rank/on_line.hpp"

#include <gtest/gtest.h>

namespace coll_topo {
namespace {

using test::build_all;
using test::full_grid;
using test::message_steps;
using test::rounds;

std::vector<int> busiest_links(std::string_view algorithm, const Problem& problem, const std::vector<int>& sizes,
                               bool wrapped = true) {
    const Fabric fabric = test::equal_torus(sizes, wrapped);
    const Placement placement = test::ranks_on_all(fabric);
    const Grid grid = Grid::from_torus(fabric, placement).value();
    std::vector<int> messages;
    for (const StepLoad& load : link_load(build_all(*find_algorithm(algorithm), grid, problem), fabric, placement)) {
        if (load.messages > 0) messages.push_back(load.messages);
    }
    return messages;
}

TEST(Ring, SendsOneBlockInEachOfItsSteps) {
    for (const int ranks : some_ranks) {
        const Schedule allreduce = on_line("ring", {Collective::allreduce}, ranks);
        EXPECT_EQ(rounds(allreduce), 2 * (ranks - 1));
        for (const Program& program : allreduce) {
            EXPECT_EQ(program.blocks, ranks);
            EXPECT_EQ(blocks_sent(program), 2 * (ranks - 1)) << "2m(p-1)/p";
        }
        for (const Collective half : {Collective::reduce_scatter, Collective::allgather}) {
            const Schedule schedule = on_line("ring", {half}, ranks);
            EXPECT_EQ(rounds(schedule), ranks - 1);
            for (const Program& program : schedule) EXPECT_EQ(blocks_sent(program), ranks - 1);
        }
    }
}

TEST(Ring, HasNoContentionWhereRanksFollowTheCells) {
    for (const bool wrapped : {true, false}) {
        for (const std::vector<int>& sizes : std::vector<std::vector<int>>{{8}, {4, 4}, {5, 3}, {3, 4, 5}}) {
            for (const int load : busiest_links("ring", {Collective::allreduce}, sizes, wrapped)) EXPECT_EQ(load, 1);
        }
    }
}

TEST(ThroughRoot, SendsAsFewMessagesAsThereCanBe) {
    for (const int ranks : some_ranks) {
        for (const Collective collective :
             {Collective::allgather, Collective::reduce_scatter, Collective::reduce_scatter_block}) {
            const Schedule schedule = on_line("through_root", {collective}, ranks);
            EXPECT_EQ(test::messages_sent(schedule), 2 * (ranks - 1));
            EXPECT_EQ(blocks_sent_by_all(schedule), (ranks - 1) * (1 + ranks))
                << "a piece one way, all of them the other";
        }
        EXPECT_EQ(test::messages_sent(on_line("through_root", {Collective::allreduce}, ranks)), 2 * (ranks - 1));
    }
}

TEST(RecursiveDoublingByRank, TakesTwoMoreStepsForWhatIsNoPowerOfTwo) {
    for (const int ranks : some_ranks) {
        const bool power = std::has_single_bit(static_cast<unsigned>(ranks));
        const Schedule schedule = on_line("recursive_doubling_by_rank", {Collective::allreduce}, ranks);
        EXPECT_EQ(rounds(schedule), power ? ceil_log2(ranks) : ceil_log2(ranks) - 1 + 2) << ranks;
    }
}

TEST(RecursiveDoublingByRank, GathersOnPowersOfTwoOnly) {
    const Algorithm& algorithm = *find_algorithm("recursive_doubling_by_rank");
    EXPECT_EQ(algorithm.refusal(full_grid({12}), {Collective::allgather}), "needs a power of two of ranks, not 12");
    EXPECT_EQ(algorithm.refusal(full_grid({12}), {Collective::allreduce}), "");
    for (const int ranks : {1, 2, 4, 16, 64}) {
        EXPECT_EQ(algorithm.refusal(full_grid({ranks}), {Collective::allgather}), "");
        const Schedule schedule = on_line("recursive_doubling_by_rank", {Collective::allgather}, ranks);
        EXPECT_EQ(rounds(schedule), ceil_log2(ranks));
        for (const Program& program : schedule) EXPECT_EQ(blocks_sent(program), ranks - 1);
    }
}

TEST(RecursiveDoublingByRank, LoadsALinkWithAllMessagesOfItsDistance) {
    const Problem allreduce{Collective::allreduce};
    EXPECT_EQ(busiest_links("recursive_doubling_by_rank", allreduce, {16}, false), (std::vector<int>{1, 2, 4, 8}));
    EXPECT_EQ(busiest_links("recursive_doubling_by_rank", allreduce, {16}), (std::vector<int>{1, 2, 4, 4}));
    EXPECT_EQ(busiest_links("recursive_doubling_by_rank", allreduce, {8, 8}), (std::vector<int>{1, 2, 2, 1, 2, 2}));
}

TEST(Rabenseifner, SendsTwiceTheVectorLessItsOwnShareInTwiceLog2Steps) {
    for (const int ranks : {1, 2, 4, 8, 16, 32, 64}) {
        const Schedule schedule = on_line("rabenseifner", {Collective::allreduce}, ranks);
        EXPECT_EQ(rounds(schedule), 2 * ceil_log2(ranks));
        for (const Program& program : schedule) {
            EXPECT_EQ(program.blocks, ranks);
            EXPECT_EQ(blocks_sent(program), 2 * (ranks - 1)) << "2m(p-1)/p";
        }
    }
}

TEST(Rabenseifner, FoldsPairsInHalvesWhereThereIsNoPowerOfTwo) {
    for (const int ranks : {3, 5, 6, 7, 12, 31}) {
        const Schedule schedule = on_line("rabenseifner", {Collective::allreduce}, ranks);
        const int power = static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks)));
        EXPECT_EQ(rounds(schedule), 2 + 2 * ceil_log2(power) + 1) << ranks;
        // The odd rank of a pair sends both its halves; the even one half the vector, and all of it back.
        EXPECT_EQ(blocks_sent(schedule[1]), power);
        EXPECT_EQ(blocks_sent(schedule[0]), power / 2 + 2 * (power - 1) + power);
    }
}

TEST(RecursiveHalving, SendsTheVectorLessItsOwnPieceInLog2Steps) {
    for (const Collective collective : {Collective::reduce_scatter, Collective::reduce_scatter_block}) {
        for (const int ranks : {1, 2, 4, 8, 16, 32, 64}) {
            const Schedule schedule = on_line("recursive_halving", {collective}, ranks);
            EXPECT_EQ(rounds(schedule), ceil_log2(ranks));
            for (const Program& program : schedule) EXPECT_EQ(blocks_sent(program), ranks - 1);
        }
    }
}

TEST(RecursiveHalving, LetsOneOfAPairGoOnWhereThereIsNoPowerOfTwo) {
    const Schedule schedule = on_line("recursive_halving", {Collective::reduce_scatter}, 15);
    EXPECT_EQ(rounds(schedule), 1 + 3 + 1);
    EXPECT_EQ(blocks_sent(schedule[0]), 15) << "all pieces, to rank 1";
    EXPECT_EQ(blocks_sent(schedule[1]), 13 + 1) << "what others keep, and the piece of rank 0";
    EXPECT_EQ(blocks_sent(schedule[14]), 14);
    EXPECT_EQ(test::messages_sent(schedule), 7 + 8 * 3 + 7);
}

TEST(RecursiveHalving, IsInRankOrderForTwoThatGoOn) {
    const Algorithm& halving = *find_algorithm("recursive_halving");
    EXPECT_TRUE(halving.in_order(full_grid({3}), {Collective::reduce_scatter}));
    EXPECT_FALSE(halving.in_order(full_grid({4}), {Collective::reduce_scatter}));
    const Schedule schedule = on_line("recursive_halving", {Collective::reduce_scatter}, 4);
    EXPECT_FALSE(prove(Collective::reduce_scatter, schedule, true)) << "the claim is not too modest";
}

TEST(Linear, PostsEverythingAtOnce) {
    for (const int ranks : some_ranks) {
        for (const Collective collective : {Collective::alltoall, Collective::allgather}) {
            const Schedule schedule = on_line("linear", {collective}, ranks);
            EXPECT_EQ(rounds(schedule), 1);
            for (const Program& program : schedule) EXPECT_EQ(blocks_sent(program), ranks - 1);
        }
        const Problem bcast{.collective = Collective::bcast, .root = ranks - 1};
        EXPECT_EQ(rounds(on_line("linear", bcast, ranks)), 1);
        for (const Collective collective : {Collective::gather, Collective::scatter}) {
            const Schedule schedule = on_line("linear", {.collective = collective, .root = ranks / 2}, ranks);
            EXPECT_EQ(rounds(schedule), 1);
            EXPECT_EQ(blocks_sent_by_all(schedule), ranks - 1);
        }
        const Problem reduce{.collective = Collective::reduce, .root = ranks / 2};
        EXPECT_EQ(rounds(on_line("linear", reduce, ranks)), ranks - 1) << "the root takes one after the other";
    }
}

TEST(Linear, LoadsTheLinksOfARingUpToItsBisection) {
    EXPECT_EQ(busiest_links("linear", {Collective::alltoall}, {8}), std::vector<int>{8 * 8 / 8});
    EXPECT_EQ(busiest_links("linear", {Collective::alltoall}, {8}, false), std::vector<int>{8 * 8 / 4});
}

TEST(Pairwise, ExchangesOnePieceWithEachOtherRank) {
    for (const int ranks : some_ranks) {
        for (const Collective collective : {Collective::alltoall, Collective::reduce_scatter}) {
            const Schedule schedule = on_line("pairwise", {collective}, ranks);
            EXPECT_EQ(rounds(schedule), ranks - 1);
            for (const Program& program : schedule) EXPECT_EQ(blocks_sent(program), ranks - 1);
        }
    }
}

TEST(Pairwise, MovesAllToAllAtFortyPercentOfTheBoundOn16x16) {
    const auto loads = busiest_links("pairwise", {Collective::alltoall}, {16, 16});
    const int in_all = std::accumulate(loads.begin(), loads.end(), 0);
    // Every link carries 16·16·16/8 messages at least, if all work all the time.
    EXPECT_NEAR(512.0 / in_all, 0.4, 0.03);
}

TEST(Bruck, TakesLog2Steps) {
    for (const int ranks : some_ranks) {
        const Schedule allgather = on_line("bruck", {Collective::allgather}, ranks);
        const Schedule alltoall = on_line("bruck", {Collective::alltoall}, ranks);
        EXPECT_EQ(rounds(allgather), ceil_log2(ranks));
        EXPECT_EQ(rounds(alltoall), ceil_log2(ranks));
        // A piece for the rank at distance i travels as many times as i has bits.
        int bits = 0;
        for (int i = 0; i < ranks; ++i) bits += std::popcount(static_cast<unsigned>(i));
        for (const Program& program : allgather) EXPECT_EQ(blocks_sent(program), ranks - 1);
        for (const Program& program : alltoall) EXPECT_EQ(blocks_sent(program), bits);
    }
}

TEST(Reference, ProgramsOfLog2StepsDoNotGrowWithTheRanks) {
    const Grid grid = full_grid({64, 64});
    for (const auto& [name, collective] :
         std::vector<std::pair<std::string_view, Collective>>{{"recursive_doubling_by_rank", Collective::allreduce},
                                                              {"rabenseifner", Collective::allreduce},
                                                              {"reduce_bcast", Collective::allreduce},
                                                              {"binomial", Collective::bcast},
                                                              {"binomial", Collective::reduce}}) {
        const Program program = find_algorithm(name)->build(grid, {collective}, 0);
        EXPECT_LE(program.actions.size(), 4 * 12u) << name;
    }
    const Program bruck = find_algorithm("bruck")->build(grid, {Collective::alltoall}, 1234);
    EXPECT_EQ(message_steps(bruck), 12);
    EXPECT_LE(bruck.actions.size(), 4 * 4096u) << "slots are packed in runs";
}

}  // namespace
}  // namespace coll_topo
