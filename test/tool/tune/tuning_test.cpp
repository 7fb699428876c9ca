// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/tune/tuning.hpp"

#include "coll_topo/select/rule_decision.hpp"
#include "coll_topo/select/rules_file.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace coll_topo::tool {
namespace {

BenchRun run_with(std::vector<BenchCase> cases) {
    BenchRun run{"r.json", {16, {"4x4", 16, 1, 1}}, {}, "torus", "Open MPI", "coll-topo-bench --sizes 8", {}};
    run.cases = std::move(cases);
    return run;
}

BenchCase took(std::int64_t bytes, const std::string& component, double median,
               const std::string& collective = "allreduce") {
    return {collective, bytes, component, median, true, true, median};
}

std::string text_of(const std::vector<BenchRun>& runs) {
    return tuning_text(tune(runs, "tuned"), runs, "tuned");
}

/// What the rules of a text say about an operation on a 4x4 torus: a name, "previous", or "" without a rule.
std::string ruled(const std::string& text, double bytes, Call call = Call::allreduce) {
    const auto rules = read_rules_text(text, "rules.conf");
    EXPECT_TRUE(rules) << (rules ? "" : rules.error().text() + "\n" + text);
    if (!rules) return "unreadable";
    EXPECT_TRUE(remarks_on(*rules).empty()) << text;
    const Grid grid = test::full_grid({4, 4});
    const RuleTable table(*rules, grid, call);
    const auto matching = table.matching(table.range_of(static_cast<std::size_t>(bytes)));
    const Decision decision = decide_by_rules(grid, {call, bytes}, {}, matching);
    if (decision.rule.empty()) return "";
    return decision.chosen < 0 ? "previous" : std::string(decision.candidates[decision.chosen].algorithm->name);
}

TEST(Tuning, RulesChooseWhatWasMeasuredToBeFastest) {
    const std::string text = text_of({run_with({
        took(8, "topo", 20), took(8, "topo:ring", 30), took(8, "tuned", 10),           // tuned
        took(64, "topo", 20), took(64, "topo:ring", 30), took(64, "tuned", 10),        // tuned
        took(4096, "topo", 21), took(4096, "topo:ring", 20), took(4096, "tuned", 40),  // as chosen, within 5 %
        took(65536, "topo", 90), took(65536, "topo:ring", 50), took(65536, "tuned", 60),
        took(65536, "topo:bfb", 80),  // ring
        took(1 << 20, "topo", 90), took(1 << 20, "topo:ring", 60), took(1 << 20, "tuned", 50),
        took(1 << 20, "topo:bfb", 51),  // bfb, as tuned is no faster
    })});
    EXPECT_EQ(ruled(text, 7), "") << "nothing smaller was measured\n" << text;
    EXPECT_EQ(ruled(text, 8), "previous");
    EXPECT_EQ(ruled(text, 512), "previous") << "the geometric mean of 64 and 4096";
    EXPECT_EQ(ruled(text, 513), "");
    EXPECT_EQ(ruled(text, 16384), "");
    EXPECT_EQ(ruled(text, 16385), "ring");
    EXPECT_EQ(ruled(text, 262144), "ring");
    EXPECT_EQ(ruled(text, 262145), "bfb");
    EXPECT_EQ(ruled(text, 1 << 20), "bfb");
    EXPECT_EQ(ruled(text, (1 << 20) + 1), "") << "nothing larger was measured";
    EXPECT_EQ(ruled(text, 64, Call::bcast), "");
    EXPECT_NE(text.find("\nRule Collective=allreduce Bytes=8-512 Ranks=16 Hosts=16 RanksPerHost=1 Shape=4x4 "
                        "Algorithm=previous\n"),
              std::string::npos)
        << text;
}

TEST(Tuning, HasNoRuleWhereTheChoiceWasRight) {
    const std::string text =
        text_of({run_with({took(8, "topo", 10.4), took(8, "topo:ring", 10), took(8, "tuned", 11)})});
    EXPECT_EQ(text.find("\nRule "), std::string::npos) << text;
    EXPECT_EQ(ruled(text, 8), "");
}

TEST(Tuning, ShowsMeasurementsAndCommandsInComments) {
    BenchRun run = run_with({took(8, "topo", 20), took(8, "tuned", 10), took(8, "topo:ring", 12.25),
                             took(8, "topo:bfb", 13), took(8, "topo:swing", 14)});
    run.command += "\nRule Collective=bcast Algorithm=previous";
    const std::string text = text_of({run});
    EXPECT_NE(text.find("#          8: tuned 10.0, topo:ring 12.2, topo:bfb 13.0, topo 20.0\n"), std::string::npos)
        << text;
    EXPECT_NE(text.find("#     coll-topo-bench --sizes 8"), std::string::npos) << text;
    EXPECT_EQ(read_rules_text(text, "rules.conf")->size(), 1u) << "what comes from elsewhere stays in comments";
}

TEST(Tuning, SaysWhereARuleIsInDoubt) {
    BenchCase scattered = took(8, "topo", 20);
    const std::string clear = text_of({run_with({scattered, took(8, "topo:ring", 10)})});
    EXPECT_EQ(clear.find("in doubt:"), std::string::npos) << clear;
    scattered.least = 10;
    const std::string doubtful = text_of({run_with({scattered, took(8, "topo:ring", 10)})});
    EXPECT_NE(doubtful.find("#             in doubt: topo also took 10.0\nRule "), std::string::npos) << doubtful;
    EXPECT_EQ(ruled(doubtful, 8), "ring") << "it is for people to judge";
    const std::string none = text_of({run_with({scattered, took(8, "topo:ring", 19.5)})});
    EXPECT_EQ(none.find("in doubt:"), std::string::npos) << none;
}

TEST(Tuning, LeavesOutWhatSaysNothing) {
    BenchCase wrong = took(8, "topo:ring", 1);
    wrong.right = false;
    BenchCase passed_on = took(8, "topo:bfb", 1);
    passed_on.served = false;
    const std::vector<BenchRun> runs = {
        run_with({took(8, "topo", 20), wrong, passed_on, took(8, "topo:bruck", 1), took(8, "topo:none", 1),
                  took(8, "topo", 1, "reduce_local"), took(8, "tuned", 1, "bcast")})};
    const Tuning tuning = tune(runs, "tuned");
    EXPECT_EQ(tuning.notes.size(), 6u);
    ASSERT_EQ(tuning.collectives.size(), 1u);
    EXPECT_FALSE(tuning.collectives[0].stretches.at(0).rule);
}

TEST(Tuning, WhatPredictedTimeLeavesToThePreviousModuleIsItsChoice) {
    BenchCase left = took(8, "topo", 10);
    left.served = false;
    EXPECT_EQ(ruled(text_of({run_with({left, took(8, "topo:ring", 20), took(8, "tuned", 10)})}), 8), "");
}

TEST(Tuning, TakesTheMedianOfSeveralRuns) {
    const auto run = [](double median) { return run_with({took(8, "topo", 20), took(8, "topo:ring", median)}); };
    EXPECT_EQ(ruled(text_of({run(1), run(30), run(40)}), 8), "");
    EXPECT_EQ(ruled(text_of({run(1), run(2), run(40)}), 8), "ring");
}

TEST(Tuning, KeepsSettingsApart) {
    BenchRun other = run_with({took(8, "topo", 20), took(8, "topo:ring", 10)});
    other.setting.grid.shape = "8x2";
    const std::string text = text_of({other, run_with({took(8, "topo", 20), took(8, "topo:bfb", 20)})});
    EXPECT_NE(text.find(" Shape=8x2 Algorithm=ring\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("bfb\n"), std::string::npos) << text;
}

TEST(Tuning, ComparesWhatWasFixedWithWhatWasNot) {
    BenchRun fixed = run_with({took(8, "topo", 15), took(8, "topo:halving_doubling", 10), took(8, "tuned", 50),
                               took(64, "topo", 15), took(64, "topo:halving_doubling", 20), took(512, "topo", 40),
                               took(512, "topo:halving_doubling", 40)});
    fixed.fixed.lanes = 2;
    fixed.fixed.aggregators = 1;
    const std::vector<BenchRun> runs = {
        run_with({took(8, "topo", 20), took(8, "topo:halving_doubling", 12), took(8, "tuned", 30), took(64, "topo", 20),
                  took(64, "topo:halving_doubling", 20), took(512, "topo", 20),
                  took(512, "topo:halving_doubling", 40)}),
        fixed};
    const std::string text = text_of(runs);
    EXPECT_NE(text.find("#          8: topo:halving_doubling Lanes=2 Aggregators=1 10.0, topo:halving_doubling 12.0, "
                        "topo Lanes=2 Aggregators=1 15.0, topo 20.0, tuned 40.0\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find(" Bytes=8-22 Ranks=16 Hosts=16 RanksPerHost=1 Shape=4x4 Algorithm=halving_doubling Lanes=2 "
                        "Aggregators=1\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find(" Bytes=23-181 Ranks=16 Hosts=16 RanksPerHost=1 Shape=4x4 Algorithm=auto Lanes=2 "
                        "Aggregators=1\n"),
              std::string::npos)
        << text;
    EXPECT_EQ(ruled(text, 512), "");
    EXPECT_NE(text.find("all of coll_topo with Lanes=2 Aggregators=1\n"), std::string::npos) << text;
}

// bfb has no lanes: measured with two, it is the same thing.
TEST(Tuning, WhatMakesNoDifferenceIsNotInARule) {
    BenchRun fixed = run_with({took(8, "topo:bfb", 10)});
    fixed.fixed.lanes = 2;
    const std::string text = text_of({fixed, run_with({took(8, "topo", 20), took(8, "topo:bfb", 12)})});
    EXPECT_NE(text.find("#          8: topo:bfb 11.0, topo 20.0\n"), std::string::npos) << text;
    EXPECT_NE(text.find(" Algorithm=bfb\n"), std::string::npos) << text;
}

TEST(Tuning, KnowsBarriersWithoutASize) {
    const std::string text =
        text_of({run_with({took(8, "topo", 20, "barrier"), took(8, "topo:swing_whole", 10, "barrier"),
                           took(64, "topo", 20, "barrier"), took(64, "topo:swing_whole", 40, "barrier"),
                           took(99, "topo", 20, "barrier"), took(99, "topo:swing_whole", 12, "barrier")})});
    EXPECT_NE(text.find("\nRule Collective=barrier Ranks=16 Hosts=16 RanksPerHost=1 Shape=4x4 Algorithm=swing_whole\n"),
              std::string::npos)
        << text;
    EXPECT_TRUE(read_rules_text(text, "rules.conf"));
}

TEST(Tuning, HasOneRuleOrNoneForPiecesOfUnknownSizes) {
    const std::string same =
        text_of({run_with({took(64, "topo", 20, "alltoallv"), took(64, "topo:linear", 10, "alltoallv"),
                           took(4096, "topo", 20, "alltoallv"), took(4096, "topo:linear", 10, "alltoallv")})});
    EXPECT_NE(same.find("\nRule Collective=alltoallv Ranks=16 Hosts=16 RanksPerHost=1 Shape=4x4 Algorithm=linear\n"),
              std::string::npos)
        << same;
    const std::string different =
        text_of({run_with({took(64, "topo", 20, "alltoallv"), took(64, "topo:linear", 10, "alltoallv"),
                           took(4096, "topo", 20, "alltoallv"), took(4096, "tuned", 10, "alltoallv")})});
    EXPECT_EQ(different.find("\nRule "), std::string::npos) << different;
    EXPECT_NE(different.find("no rule, as none suits all sizes"), std::string::npos) << different;
}

}  // namespace
}  // namespace coll_topo::tool
