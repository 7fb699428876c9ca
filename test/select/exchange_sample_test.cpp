// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/exchange_sample.hpp"

#include "coll_topo/algorithm/catalogue.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/torus_fixture.hpp"
#include "test/replay/replayed.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

/// Of rank 0.
SizedProgram program_of(const char* algorithm, const Problem& problem, std::uint64_t bytes) {
    const Grid grid = full_grid({4, 2}, 2);
    return sized_all(problem.collective, build_all(*find_algorithm(algorithm), grid, problem), bytes).front();
}

TEST(ExchangeSample, KnowsTheStepsOfEachLaneInWhichAsMuchIsExchanged) {
    const auto exchanges =
        alike_exchanges(program_of("multi_ring", {.collective = Collective::allreduce, .lanes = 4}, 1 << 20));
    ASSERT_EQ(exchanges.size(), 4u);
    for (const Exchanges& of_lane : exchanges) EXPECT_EQ(of_lane.size(), 2 * 15u);
    EXPECT_TRUE(alike_exchanges(program_of("rabenseifner", {Collective::allreduce}, 1 << 20)).empty()) << "by halves";
    EXPECT_TRUE(alike_exchanges(program_of("a2at", {Collective::alltoall}, 1 << 20)).empty()) << "many are in flight";
    EXPECT_TRUE(alike_exchanges(program_of("binomial", {Collective::bcast}, 1 << 20)).empty()) << "it only sends";
}

/// Of 16 ranks 15 exchange with both neighbours but in one step, with one of them.
TEST(ExchangeSample, KnowsStepsOfSeveralMessages) {
    const SizedProgram whole = program_of("two_way_ring", {.collective = Collective::allreduce, .lanes = 2}, 1 << 20);
    const auto exchanges = alike_exchanges(whole);
    ASSERT_EQ(exchanges.size(), 2u);
    for (const Exchanges& of_lane : exchanges) EXPECT_EQ(of_lane.size(), 2 * 8u);
    EXPECT_EQ(sample_of(whole, exchanges, std::vector<std::size_t>{2, 5, 10}).sends(), 2 * 3 * 2);
    EXPECT_TRUE(alike_exchanges(program_of("linear", {Collective::gather}, 1 << 20)).empty()) << "it only receives";
    const SizedProgram few = program_of("two_way_ring", {Collective::allgather}, 1 << 20);
    EXPECT_FALSE(alike_exchanges(few).empty());
}

TEST(ExchangeSample, DoesAndCopiesAsMuchLess) {
    const SizedProgram whole = program_of("multi_ring", {.collective = Collective::allgather, .lanes = 4}, 15 << 16);
    ASSERT_GT(whole.copied_late, 0u);
    const auto exchanges = alike_exchanges(whole);
    const SizedProgram sample = sample_of(whole, exchanges, std::vector<std::size_t>{2, 7, 14});
    EXPECT_EQ(sample.copied_late, whole.copied_late * 3 / 15);
    EXPECT_EQ(sample.sends(), 4 * 3);
    ASSERT_EQ(sample.program.lanes.size(), 4u);
    const auto& program = sample.program;
    for (std::size_t lane = 0; lane < 4; ++lane) {
        const auto steps = program.steps_of(program.lanes[lane]);
        ASSERT_EQ(steps.size(), 3u);
        const auto actions = program.actions_of(steps[1]);
        const auto of_whole = whole.program.actions_of(whole.program.steps[exchanges[lane][7]]);
        ASSERT_EQ(actions.size(), of_whole.size());
        for (std::size_t i = 0; i < actions.size(); ++i) {
            EXPECT_EQ(actions[i], of_whole[i]);
            EXPECT_EQ(sample.bytes_of(actions[i]), whole.bytes_of(of_whole[i]));
        }
    }
}

}  // namespace
}  // namespace coll_topo::test
