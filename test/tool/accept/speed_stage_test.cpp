// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/accept/speed_stage.hpp"

#include <gtest/gtest.h>

namespace coll_topo::tool {
namespace {

BenchCase measured(const std::string& component, double median, double least) {
    BenchCase one;
    one.collective = "bcast";
    one.bytes = 8;
    one.component = component;
    one.median = median;
    one.least = least;
    one.served = one.right = true;
    return one;
}

BenchRun run_of(std::vector<BenchCase> cases) {
    BenchRun run;
    run.cases = std::move(cases);
    return run;
}

std::optional<double> two_microseconds(const std::string&, std::int64_t) {
    return 2e-6;
}

SpeedCase only_case(const std::vector<BenchRun>& first, const std::vector<BenchRun>& second) {
    const auto cases = speed_cases(first, second, 0.05, two_microseconds);
    EXPECT_EQ(cases.size(), 1u);
    return cases.front();
}

TEST(SpeedStage, ComparesWithTheBestOther) {
    const SpeedCase found =
        only_case({run_of({measured("topo", 5, 4), measured("tuned", 20, 9), measured("han", 10, 9)})}, {});
    EXPECT_EQ(found.best_other, "han");
    EXPECT_DOUBLE_EQ(found.slower, -0.5);
    EXPECT_FALSE(found.lost);
    EXPECT_DOUBLE_EQ(*prediction_factor(found), 2.5);
}

TEST(SpeedStage, LosesOnlyIfItDoesSoTwice) {
    const BenchRun slow = run_of({measured("topo", 12, 11), measured("tuned", 10, 9)});
    const BenchRun fast = run_of({measured("topo", 10, 9), measured("tuned", 10, 9)});
    EXPECT_TRUE(only_case({slow}, {}).lost);
    EXPECT_TRUE(only_case({slow}, {slow}).lost);
    EXPECT_TRUE(only_case({slow}, {slow}).repeated);
    EXPECT_FALSE(only_case({slow}, {fast}).lost);
}

TEST(SpeedStage, LosesOnlyToOneThatIsFasterTwice) {
    const auto run = [](double topo, double tuned, double han) {
        return run_of(
            {measured("topo", topo, topo - 1), measured("tuned", tuned, tuned - 2), measured("han", han, han - 2)});
    };
    const SpeedCase chance = only_case({run(12, 10, 12)}, {run(12, 12, 10)});
    EXPECT_FALSE(chance.lost);
    EXPECT_EQ(chance.best_other, "tuned");
    const SpeedCase found = only_case({run(12, 10, 11)}, {run(12, 12, 11)});
    EXPECT_TRUE(found.lost);
    EXPECT_EQ(found.best_other, "han") << "that it loses to";
    EXPECT_NEAR(found.slower, 1.0 / 11, 1e-9);
}

TEST(SpeedStage, ASlowMedianIsNoLossIfItsFastestCallIsFaster) {
    EXPECT_FALSE(only_case({run_of({measured("topo", 12, 8), measured("tuned", 10, 9)})}, {}).lost);
}

TEST(SpeedStage, NamesTheAlgorithmThatMendsALoss) {
    const BenchRun first = run_of({measured("topo", 12, 11), measured("tuned", 10, 9)});
    const BenchRun second = run_of({measured("topo", 12, 11), measured("tuned", 10, 9), measured("topo:swing", 10, 9),
                                    measured("topo:ring", 14, 9)});
    EXPECT_EQ(only_case({first}, {second}).mended_by, "swing");
    const BenchRun hopeless =
        run_of({measured("topo", 12, 11), measured("tuned", 10, 9), measured("topo:ring", 14, 9)});
    EXPECT_EQ(only_case({first}, {hopeless}).mended_by, "");
}

TEST(SpeedStage, WhatCollTopoServedSaysNothingOfAnother) {
    BenchCase taken_over = measured("han", 1, 1);
    taken_over.served = false;
    const SpeedCase found = only_case({run_of({measured("topo", 5, 4), taken_over})}, {});
    EXPECT_EQ(found.best_other, "");
    EXPECT_FALSE(found.lost);
}

}  // namespace
}  // namespace coll_topo::tool
