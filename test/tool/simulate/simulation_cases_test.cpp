// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/simulate/simulation_cases.hpp"
#include "coll_topo/tool/output/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>

namespace coll_topo::tool {
namespace {

/// Eight hosts in a ring.
Scenario ring_of_hosts() {
    return make_scenario(read_topology_text("TorusName=t Dims=8 Nodes=n[0-7]\n", "test").value(), {}).value();
}

TEST(PlanCases, TakeEveryAlgorithmAtEverySize) {
    Scenario scenario = ring_of_hosts();
    ScenarioOptions options;
    options.algorithm = "ring,two_way_ring";
    options.bytes = "8,1MiB,1GiB";
    const auto cases = plan_cases(scenario, options);
    ASSERT_TRUE(cases) << cases.error().text();
    ASSERT_EQ(cases->size(), 6u);
    EXPECT_EQ((*cases)[1].candidate.algorithm->name, "ring");
    EXPECT_EQ((*cases)[1].request.bytes, 1 << 20);
    EXPECT_EQ((*cases)[3].candidate.algorithm->name, "two_way_ring");
    EXPECT_EQ((*cases)[3].request.bytes, 8);
    EXPECT_FALSE((*cases)[2].chosen);  // a reference algorithm
    EXPECT_TRUE((*cases)[5].chosen);
}

TEST(PlanCases, MarkOneChoiceForEachSize) {
    Scenario scenario = ring_of_hosts();
    ScenarioOptions options;
    options.algorithm = all_algorithms;
    options.bytes = "8,1MiB";
    const auto cases = plan_cases(scenario, options);
    ASSERT_TRUE(cases) << cases.error().text();
    for (const double bytes : {8.0, 1048576.0}) {
        EXPECT_EQ(std::ranges::count_if(
                      *cases, [&](const PlannedCase& one) { return one.chosen && one.request.bytes == bytes; }),
                  1);
    }
}

TEST(BuildCase, RefusesTooManyMessages) {
    Scenario scenario = ring_of_hosts();
    ScenarioOptions options;
    options.algorithm = "ring";
    auto cases = plan_cases(scenario, options).value();
    const std::int64_t messages = 8 * 2 * 7;
    EXPECT_EQ(build_case(scenario, cases[0], messages).size(), 8u);
    EXPECT_EQ(cases[0].candidate.refusal, "");
    EXPECT_TRUE(build_case(scenario, cases[0], messages - 1).empty());
    EXPECT_NE(cases[0].candidate.refusal.find("only when asked for by name"), std::string::npos);
}

TEST(RunInParallel, DoesEveryJobOnce) {
    for (const int workers : {1, 3, 100}) {
        std::vector<std::atomic<int>> done(20);
        EXPECT_TRUE(run_in_parallel(20, workers, [&](int job) -> Expected<void> {
            ++done[job];
            return {};
        }));
        EXPECT_TRUE(std::ranges::all_of(done, [](const auto& times) { return times == 1; })) << workers;
    }
    EXPECT_TRUE(run_in_parallel(0, 4, [](int) -> Expected<void> { return failure("never called"); }));
    EXPECT_GE(default_workers(), 1);
}

TEST(RunInParallel, FailsAndStopsWithAnyJob) {
    std::atomic<int> done = 0;
    const auto result = run_in_parallel(1000, 1, [&](int job) -> Expected<void> {
        ++done;
        if (job == 7) return failure("the eighth");
        return {};
    });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().text(), "the eighth");
    EXPECT_EQ(done, 8);
    EXPECT_THROW((void)run_in_parallel(10, 4, [](int) -> Expected<void> { throw std::runtime_error("passed on"); }),
                 std::runtime_error);
}

}  // namespace
}  // namespace coll_topo::tool
