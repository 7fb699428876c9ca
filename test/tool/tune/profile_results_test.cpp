// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/tune/profile_results.hpp"

#include "coll_topo/tool/tune/tuning.hpp"

#include <gtest/gtest.h>
#include <string>

namespace coll_topo::tool {
namespace {

/// One run with a line for allreduces of 64 KiB to 128 KiB, seconds a call.
ProfileReport run(const std::string& run_by, bool passed_on, bool by_user, double seconds) {
    ProfileReport report;
    report.job.ranks = report.job.profiled_ranks = 16;
    ProfileLine line;
    line.key = {Call::allreduce, 17, {16, "4x4", 16, 1, 1}, passed_on, run_by, 0, 0, 0, by_user};
    line.calls = 10;
    line.mean_bytes = 70000;
    line.total = 160 * seconds;
    line.median = 3 * seconds;
    line.transfer = seconds;
    line.predicted = 1e-3;
    report.communicators.push_back({line.key.communicator, 1, {}});
    report.lines.push_back(line);
    return report;
}

std::vector<BenchRun> both(const ProfileReport& one, const ProfileReport& other) {
    std::vector<BenchRun> runs = results_of(one, "one.json");
    for (BenchRun& run : results_of(other, "other.json")) runs.push_back(std::move(run));
    return runs;
}

const Rule* rule_of(const Tuning& tuning) {
    const auto& rule = tuning.collectives.at(0).stretches.at(0).rule;
    return rule ? &*rule : nullptr;
}

TEST(ProfileResults, RowsAreMeasurementsOfTheirSizeClass) {
    const auto runs = results_of(run("swing", false, false, 2e-3), "p.json");
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_EQ(runs[0].setting, (BenchSetting{16, {"4x4", 16, 1, 1}}));
    ASSERT_EQ(runs[0].cases.size(), 1u);
    EXPECT_EQ(runs[0].cases[0].component, "topo");
    EXPECT_EQ(runs[0].cases[0].bytes, 65536);
    EXPECT_EQ(runs[0].cases[0].most_bytes, 131071);
    EXPECT_DOUBLE_EQ(runs[0].cases[0].median, 2000) << "without the wait for the last rank";
}

// The program may have computed meanwhile.
TEST(ProfileResults, CallsWithRequestsAreNoMeasurements) {
    ProfileReport requests = run("swing", false, false, 2e-3);
    requests.lines[0].key.form = CallForm::nonblocking;
    EXPECT_TRUE(results_of(requests, "p.json").empty());
    EXPECT_TRUE(worth_measuring(requests, "p.json").empty());
    requests.lines[0].key.form = CallForm::blocking;
    EXPECT_FALSE(worth_measuring(requests, "p.json").empty());
}

TEST(ProfileResults, TwoProfilesMakeARule) {
    const Tuning tuning = tune(both(run("swing", false, false, 2e-3), run("tuned", true, true, 1e-3)), "tuned");
    ASSERT_NE(rule_of(tuning), nullptr);
    EXPECT_EQ(rule_of(tuning)->choice, Rule::Choice::previous);
    EXPECT_EQ(rule_of(tuning)->bytes, (Range{65536, 131071}));
    EXPECT_EQ(rule_of(tuning)->shape, "4x4");
    const Tuning named = tune(both(run("swing", false, false, 2e-3), run("bucket", false, true, 1e-3)), "tuned");
    ASSERT_NE(rule_of(named), nullptr);
    EXPECT_EQ(rule_of(named)->algorithm, find_algorithm("bucket"));
}

TEST(ProfileResults, NoRuleWhereTheChoiceIsFastest) {
    EXPECT_EQ(rule_of(tune(both(run("swing", false, false, 1e-3), run("tuned", true, true, 1.02e-3)), "tuned")),
              nullptr);
    EXPECT_EQ(rule_of(tune(results_of(run("swing", false, false, 9e-3), "p.json"), "tuned")), nullptr);
}

TEST(ProfileResults, WhatIsFarFromItsPredictionIsWorthMeasuring) {
    EXPECT_EQ(worth_measuring(run("swing", false, false, 1.2e-3), "p.json"), "");
    const std::string text = worth_measuring(run("swing", false, false, 5e-3), "p.json");
    EXPECT_NE(text.find("# 10 allreduce from 65536 B of 16 ranks by swing: 5 ms a call, "), std::string::npos) << text;
    EXPECT_NE(text.find("coll-topo-bench --collectives allreduce --sizes 70000 "), std::string::npos) << text;
    ProfileReport unknown = run("tuned", true, false, 1e-3);
    unknown.lines[0].predicted = {};
    EXPECT_NE(worth_measuring(unknown, "p.json"), "");
}

}  // namespace
}  // namespace coll_topo::tool
