// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/replayed_prediction.hpp"

#include "coll_topo/algorithm/catalogue.hpp"
#include "coll_topo/select/prediction.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/torus_fixture.hpp"
#include "test/replay/replayed.hpp"
#include "test/select/virtual_cluster.hpp"

#include <gtest/gtest.h>

#include <string>

namespace coll_topo::test {
namespace {

std::optional<double> replayed(const char* algorithm, const Grid& grid, const Problem& problem, double bytes) {
    return ReplayedPrediction(grid).seconds({*find_algorithm(algorithm), problem}, bytes);
}

double of_all_messages(const char* name, const Grid& grid, const Problem& problem, std::uint64_t bytes) {
    const Schedule schedule = build_all(*find_algorithm(name), grid, problem);
    return replayed_seconds(grid, problem.collective, schedule, bytes).value();
}

constexpr std::uint64_t mib = 1 << 20;

TEST(ReplayedPrediction, IsThatOfFewMessages) {
    const Grid grid = full_grid({4, 4});
    const Problem problem{Collective::alltoall};
    EXPECT_DOUBLE_EQ(replayed("pairwise", grid, problem, mib).value(), of_all_messages("pairwise", grid, problem, mib));
    EXPECT_FALSE(replayed("linear", full_grid({8, 8}), problem, mib));  // 4032 messages
    EXPECT_TRUE(replayed("bruck", full_grid({8, 8}), problem, mib));    // 384
}

TEST(ReplayedPrediction, IsThatOfMoreMessagesWhereACallTakesLong) {
    const Grid grid = full_grid({8, 8});
    const Problem problem{Collective::alltoall};  // 4032 messages
    ReplayedPrediction prediction(grid);
    const auto predicted = [&](const char* algorithm, double call_seconds) {
        prediction.expect(call_seconds);
        return prediction.seconds({*find_algorithm(algorithm), problem}, mib);
    };
    EXPECT_FALSE(predicted("a2at", 1e-4));
    EXPECT_FALSE(predicted("a2at", 1e-3));
    EXPECT_DOUBLE_EQ(predicted("a2at", 1.01e-3).value(), of_all_messages("a2at", grid, problem, mib));
    EXPECT_TRUE(predicted("linear", 1));
    EXPECT_TRUE(predicted("a2at", 1));
}

TEST(ReplayedPrediction, OfVeryManyThatShareLinksIsOnlyMadeWhereACallTakesLong) {
    const Grid grid = full_grid({12, 8});
    const Problem problem{Collective::alltoall};
    const auto programs = sized_all(problem.collective, build_all(*find_algorithm("linear"), grid, problem), mib);
    ScheduleReplay replay(grid);
    EXPECT_FALSE(replay.seconds(programs));
    replay.allow_shares(1 << 22);
    EXPECT_TRUE(replay.seconds(programs));
}

TEST(ReplayedPrediction, TakesLongerWhereItIsAsked) {
    const Grid grid = full_grid({8, 8});
    const Problem problem{Collective::alltoall};  // 4032 messages
    ReplayedPrediction prediction(grid);
    EXPECT_TRUE(prediction.take_longer());
    EXPECT_TRUE(prediction.seconds({*find_algorithm("a2at"), problem}, mib));
    EXPECT_FALSE(prediction.take_longer()) << "it does already";
    EXPECT_FALSE(ReplayedPrediction(virtual_tree(1, 18)).take_longer()) << "ranks share processors";
}

TEST(ReplayedPrediction, TakesLongerOnManyRanks) {
    const Grid grid = full_grid({8, 8}, 8);
    const Problem problem{.aggregators = 8, .lanes = 2};  // 26624 messages
    const Algorithm& swing = *find_algorithm("swing");
    ReplayedPrediction prediction(grid);
    EXPECT_FALSE(prediction.seconds({swing, problem}, mib));
    EXPECT_TRUE(prediction.take_longer());
    EXPECT_TRUE(prediction.seconds({swing, problem}, mib));
}

TEST(ReplayedPrediction, KnowsWhatItHasCountedUntilItTakesLonger) {
    const Problem problem{Collective::alltoall};
    const ReplayedPrediction::Row row{*find_algorithm("a2at"), problem};  // 4032 messages
    const Grid grid = full_grid({8, 8});
    for (const bool counts_first : {false, true}) {
        ReplayedPrediction prediction(grid);
        if (counts_first) prediction.seconds(row, mib);
        EXPECT_FALSE(prediction.is_of_all(row, mib));
        prediction.take_longer();
        EXPECT_TRUE(prediction.is_of_all(row, mib));
        if (counts_first) prediction.seconds(row, mib);
        EXPECT_TRUE(prediction.is_of_all(row, mib));
        EXPECT_FALSE(prediction.is_of_all(row, 63)) << "nothing is sent";
    }
}

TEST(ReplayedPrediction, IsMadeOnMoreRanksWhereEachSendsFewMessages) {
    EXPECT_TRUE(replayed("recursive_doubling", full_grid({32, 32}), {Collective::allreduce}, 8));  // 10240 messages
    EXPECT_FALSE(replayed("binomial", full_grid({46, 45}), {Collective::bcast}, 8));
}

// What has no bytes is not sent: of 8 pieces of 8 bytes no more than 8.
TEST(ReplayedPrediction, CountsMessagesThatAreSent) {
    const Problem problem{Collective::allreduce};
    const Grid grid = full_grid({8, 8});
    EXPECT_TRUE(replayed("a2at", grid, problem, 8));
    EXPECT_FALSE(replayed("a2at", grid, problem, mib));
    EXPECT_FALSE(replayed("bruck", grid, {Collective::alltoall}, 63)) << "pieces of no bytes";
    EXPECT_TRUE(replayed("bruck", grid, {Collective::alltoall}, 64));
}

// Of dimension_bruck ranks send few messages, but copy half of all pieces to send them together.
TEST(ReplayedPrediction, CountsCopiesThatAreMany) {
    EXPECT_TRUE(replayed("dimension_bruck", full_grid({8, 8}), {Collective::alltoall}, mib));
    EXPECT_FALSE(replayed("dimension_bruck", full_grid({16, 16}), {Collective::alltoall}, mib));
}

TEST(ReplayedPrediction, OfALongPipelineIsThatOfItsBeginning) {
    const Grid grid = full_grid({4, 4});
    Problem problem{Collective::bcast};
    problem.segments = 256;  // 15 messages each
    const auto predicted = replayed("pipelined_chain", grid, problem, 16 * mib);
    ASSERT_TRUE(predicted);
    EXPECT_NEAR(*predicted / of_all_messages("pipelined_chain", grid, problem, 16 * mib), 1, 0.02);
}

TEST(ReplayedPrediction, OfAPipelineWhoseHalfSharesLinksTooOftenIsThatOfAQuarter) {
    const Grid grid = grid_of("LatinSquareName=l Order=2 HostsPerLeaf=3 Nodes=n[00-20] Bandwidth=12.5GB/s\n", 4);
    Problem problem{Collective::reduce};
    problem.lanes = 8;
    problem.segments = 128;
    ReplayedPrediction prediction(grid);
    constexpr double simulated = 16.1e-3;
    ASSERT_TRUE(prediction.take_longest(simulated));
    const auto seconds = prediction.seconds({*find_algorithm("multi_tree"), problem}, 64 * mib);
    ASSERT_TRUE(seconds);
    EXPECT_NEAR(*seconds / simulated, 1, 0.02);
}

// In the beginning the four chains hardly meet: each passes 63 ranks.
TEST(ReplayedPrediction, IsNotThatOfABeginningInWhichAPipelineFills) {
    Problem problem{Collective::bcast};
    problem.lanes = 4;
    problem.segments = 32;
    EXPECT_FALSE(replayed("multi_chain", full_grid({4, 4}, 4), problem, 4 * mib));
}

// While they fill, 64 ranks of a mesh find a pace of 25 us for 64 KiB of each chain; they soon go on in 16 us.
TEST(ReplayedPrediction, IsNotThatAPipelineTakesLongerAsItBeginsSlowly) {
    const Grid grid = grid_of("TorusName=t Dims=8x4 Wrap=nn Nodes=n[00-31] Bandwidth=12.5GB/s Latency=0.5us\n", 2);
    Problem problem{Collective::bcast};
    problem.lanes = 4;
    problem.segments = 1024;
    const Algorithm& row = *find_algorithm("multi_chain");
    const double formula = row.seconds(grid, problem, 256 * mib);
    ReplayedPrediction prediction(grid);
    prediction.expect(formula);
    EXPECT_LT(prediction.seconds({row, problem}, 256 * mib, {0.99 * formula, formula}).value_or(formula),
              1.05 * formula);
}

// Nothing would mean its formula, which takes this one for the fastest.
TEST(ReplayedPrediction, OfHalfAPipelineThePaceMayChange) {
    const std::string text = "LatinSquareName=l Order=2 HostsPerLeaf=3 Nodes=n[00-20] Bandwidth=12.5GB/s\n";
    const Grid grid = grid_of(text);
    Problem problem{Collective::bcast};
    problem.segments = 1024;
    ReplayedPrediction prediction(grid);
    prediction.expect(2.7e-3);
    const auto predicted = prediction.seconds({*find_algorithm("pipelined_chain"), problem}, 32 * mib);
    ASSERT_TRUE(predicted);
    EXPECT_NEAR(*predicted / of_all_messages("pipelined_chain", grid, problem, 32 * mib), 1, 0.05);
    EXPECT_LT(find_algorithm("pipelined_chain")->seconds(grid, problem, 32 * mib), 0.75 * *predicted);
}

TEST(ReplayedPrediction, OfManyStepsThatAreAlikeIsThatOfASample) {
    const Grid grid = full_grid({8, 8});
    for (const Collective collective : {Collective::alltoall, Collective::reduce_scatter}) {
        const auto predicted = replayed("pairwise", grid, {collective}, 64 * 1024);
        ASSERT_TRUE(predicted);
        EXPECT_NEAR(*predicted / of_all_messages("pairwise", grid, {collective}, 64 * 1024), 1, 0.1);
    }
    EXPECT_FALSE(replayed("a2at", grid, {Collective::alltoall}, mib)) << "many steps are in flight";
}

// In an allgather they have to copy their own pieces, too.
TEST(ReplayedPrediction, OfManyStepsInSeveralLanesIsThatOfASampleOfEach) {
    const Grid grid = full_grid({6, 6}, 4);
    for (const Collective collective : {Collective::allgather, Collective::reduce_scatter, Collective::allreduce}) {
        const Problem problem{.collective = collective, .lanes = 4};
        for (const char* const rings : {"multi_ring", "two_way_ring"}) {
            const auto predicted = replayed(rings, grid, problem, 4 * mib);
            ASSERT_TRUE(predicted) << rings;
            EXPECT_NEAR(*predicted / of_all_messages(rings, grid, problem, 4 * mib), 1, 0.1) << rings;
        }
    }
    const Problem problem{.collective = Collective::reduce_scatter, .lanes = 6};
    const Grid large = full_grid({4, 4, 4}, 4);  // 391680 messages
    const auto predicted = replayed("multi_ring", large, problem, 4 * mib);
    ASSERT_TRUE(predicted);
    EXPECT_NEAR(*predicted / of_all_messages("multi_ring", large, problem, 4 * mib), 1, 0.1);
    EXPECT_FALSE(replayed("multi_ring", full_grid({8, 8}, 8), problem, 4 * mib)) << "a million messages to build";
}

TEST(ReplayedPrediction, IsNotMadeWithinAHost) {
    EXPECT_FALSE(replayed("recursive_doubling_by_rank", full_grid({1}, 4), {Collective::allreduce}, mib));
}

/// Virtual hosts in a torus.
Grid virtual_grid(const std::string& costs, int ranks_per_host = 1) {
    return grid_of(
        "TorusName=t Dims=4x4 Nodes=n[00-15] Bandwidth=25Mbit/s Latency=8us\nMachine MessageTime=10us " + costs + "\n",
        ranks_per_host);
}

// The root's receives take no time in a replay, and it has to receive all; but shared processors do count them.
TEST(ReplayedPrediction, IsNotMadeOfAGather) {
    EXPECT_FALSE(replayed("binomial", full_grid({4, 4}), {Collective::gather}, mib));
    EXPECT_TRUE(replayed("binomial", virtual_grid("SharedMessageTime=15us"), {Collective::gather}, mib));
    EXPECT_TRUE(replayed("binomial", full_grid({4, 4}), {Collective::scatter}, mib));
}

TEST(ReplayedPrediction, OfSharedProcessorsEveryMessageTakesItsTime) {
    const Grid alone = virtual_grid(""), shared = virtual_grid("SharedMessageTime=15us");
    const auto seconds = [](const char* algorithm, const Grid& grid) {
        return replayed(algorithm, grid, {Collective::allreduce}, 8).value();
    };
    const double doublings = 4 * 16 * 15e-6, turns = 4 * (16 * 16 / 92. * 15e-6 + 16 * 15e-6);
    EXPECT_GE(seconds("recursive_doubling", shared), doublings);
    EXPECT_LE(seconds("recursive_doubling", shared), doublings + turns + seconds("recursive_doubling", alone));
    EXPECT_GT(seconds("recursive_doubling", shared), seconds("reduce_bcast", shared)) << "30 messages";
    EXPECT_LT(seconds("recursive_doubling", alone), seconds("reduce_bcast", alone));
}

TEST(ReplayedPrediction, WhatRestedLinksPassAtOnceTakesNoTransfer) {
    const Grid without = virtual_grid(""), bursts = virtual_grid("LinkBurst=5KiB");
    const auto chain = [](const Grid& grid, double bytes) {
        return replayed("prefix_chain", grid, {Collective::scan}, bytes).value();
    };
    EXPECT_LE(chain(bursts, 4096), 1.1 * chain(bursts, 8));
    EXPECT_GE(chain(without, 4096), chain(without, 8) + 15 * 4088 / 3.125e6);
    Problem trees{Collective::reduce};
    trees.lanes = trees.segments = 4;
    EXPECT_LE(replayed("edge_disjoint_trees", bursts, trees, 16 << 10).value(),
              0.5 * replayed("edge_disjoint_trees", without, trees, 16 << 10).value());
}

TEST(ReplayedPrediction, WhereLinksDoNotRestABurstGainsLittle) {
    const auto doubling = [](const Grid& grid) {
        return replayed("prefix_doubling", grid, {Collective::scan}, 4096).value();
    };
    EXPECT_GE(doubling(virtual_grid("LinkBurst=5KiB")), 0.4 * doubling(virtual_grid("")));
}

// At first messages take processors longer than links, which pass more than they could for long.
TEST(ReplayedPrediction, APipelineIsNoFasterThanLinksThatHaveNoBurstLeft) {
    const Grid grid = virtual_grid("SharedMessageTime=2us LinkBurst=5257B", 4);
    Problem trees{Collective::bcast};
    trees.lanes = 4;
    trees.segments = 128;
    EXPECT_GE(replayed("edge_disjoint_trees", grid, trees, mib).value(), (mib / 4. - 2 * 5257) / 3.125e6);
}

/// Above the limit any figure will do, as long as it is above that too.
void expect_the_same_up_to_a_limit(const char* algorithm, const Grid& grid, const Problem& problem, double bytes) {
    const double seconds = replayed(algorithm, grid, problem, bytes).value();
    ReplayedPrediction prediction(grid);
    for (const double part : {0.1, 0.5, 0.9, 0.999, 1.001, 2.0}) {
        const double limit = part * seconds;
        const auto limited = prediction.seconds({*find_algorithm(algorithm), problem}, bytes, {limit, 2 * seconds});
        ASSERT_TRUE(limited) << algorithm << ", " << part;
        if (part > 1)
            EXPECT_DOUBLE_EQ(*limited, seconds) << algorithm << ", " << part;
        else
            EXPECT_GT(*limited, limit) << algorithm << ", " << part;
    }
}

TEST(ReplayedPrediction, TellsNoMoreThanThatALimitIsPassed) {
    const Grid grid = full_grid({4, 4});
    expect_the_same_up_to_a_limit("pairwise", grid, {Collective::alltoall}, mib);
    expect_the_same_up_to_a_limit("pairwise", full_grid({8, 8}), {Collective::alltoall}, 64 * 1024);
    Problem pipeline{Collective::bcast};
    pipeline.segments = 256;
    expect_the_same_up_to_a_limit("pipelined_chain", grid, pipeline, 16 * mib);
    // Where the formula may count instead, it is found out.
    const double seconds = replayed("pipelined_chain", grid, pipeline, 16 * mib).value();
    const ReplayedPrediction::Limit limit{seconds / 2, seconds / 4};
    const auto found =
        ReplayedPrediction(grid).seconds({*find_algorithm("pipelined_chain"), pipeline}, 16 * mib, limit);
    EXPECT_DOUBLE_EQ(found.value(), seconds);
}

}  // namespace
}  // namespace coll_topo::test
