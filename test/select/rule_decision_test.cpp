// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/rule_decision.hpp"

#include "coll_topo/select/rules_file.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace coll_topo {
namespace {

using test::full_grid;

struct Outcome {
    std::string chosen;  ///< text of the candidate, or "previous"
    std::string rule;
    std::vector<std::string> passed_over;
};

Outcome decide_with(const std::string& text, const Grid& grid, const Request& request,
                    const Preferences& preferences = {}) {
    const auto rules = read_rules_text(text, "r.conf");
    EXPECT_TRUE(rules) << (rules ? "" : rules.error().text());
    const RuleTable table(*rules, grid, request.call);
    const auto matching = table.matching(table.range_of(static_cast<std::size_t>(request.bytes)));
    const Decision decision = decide_by_rules(grid, request, preferences, matching);
    return {decision.chosen < 0 ? "previous" : decision.candidates[decision.chosen].text(), decision.rule,
            decision.passed_over};
}

TEST(RuleDecision, ObeysTheFirstMatchingRule) {
    const Grid grid = full_grid({4, 4});
    const std::string rules =
        "Rule Collective=allreduce Bytes=-1000 Algorithm=ring\n"
        "Rule Collective=allreduce Bytes=-2000 Algorithm=halving_doubling Lanes=2 Aggregators=1\n"
        "Rule Collective=bcast Algorithm=pipelined_chain Segments=48\n";
    const Outcome small = decide_with(rules, grid, {Call::allreduce, 1000});
    EXPECT_EQ(small.chosen, "ring");
    EXPECT_EQ(small.rule, "r.conf:1");
    EXPECT_EQ(decide_with(rules, grid, {Call::allreduce, 1001}).chosen,
              "halving_doubling, 2 lanes, 1 aggregator per host");
    EXPECT_EQ(decide_with(rules, grid, {Call::bcast, 1e6}).chosen, "pipelined_chain, 48 segments");
}

TEST(RuleDecision, DecidesByTimeWithoutARuleOrWithAuto) {
    const Grid grid = full_grid({4, 4});
    const Request request{Call::allreduce, 64e6};
    const Decision by_time = decide(grid, request, {});
    const Outcome none = decide_with("Rule Collective=allreduce Bytes=8 Algorithm=ring\n", grid, request);
    EXPECT_EQ(none.chosen, by_time.candidates[by_time.chosen].text());
    EXPECT_EQ(none.rule, "");
    const Outcome automatic = decide_with("Rule Collective=allreduce Algorithm=auto\n", grid, request);
    EXPECT_EQ(automatic.chosen, none.chosen);
    EXPECT_EQ(automatic.rule, "r.conf:1");
}

TEST(RuleDecision, LeavesToThePreviousModuleWhatARuleSays) {
    const Outcome outcome =
        decide_with("Rule Collective=bcast Bytes=-512 Algorithm=previous\n", full_grid({4, 4}), {Call::bcast, 512});
    EXPECT_EQ(outcome.chosen, "previous");
    EXPECT_EQ(outcome.rule, "r.conf:1");
}

TEST(RuleDecision, TakesItsOwnAlgorithmWhereThePreviousModuleCannotServe) {
    Preferences preferences;
    preferences.never_defer = true;
    const Outcome outcome = decide_with(
        "Rule Collective=bcast Algorithm=previous\n"
        "Rule Collective=bcast Algorithm=binomial\n",
        full_grid({4, 4}), {Call::bcast, 512}, preferences);
    EXPECT_EQ(outcome.chosen, "binomial");
    EXPECT_EQ(outcome.rule, "r.conf:2");
    ASSERT_EQ(outcome.passed_over.size(), 1u);
    EXPECT_EQ(outcome.passed_over[0].find("r.conf:1: previous: it must be"), 0u) << outcome.passed_over[0];
}

TEST(RuleDecision, PassesOverRulesThatCannotBeObeyed) {
    const std::string rules =
        "Rule Collective=allreduce Algorithm=submesh\n"
        "Rule Collective=allreduce Bytes=-2000 Algorithm=ring\n";
    const Grid torus = full_grid({4, 4});
    const std::string refusal = find_algorithm("submesh")->refusal(torus, Problem{.collective = Collective::allreduce});
    ASSERT_FALSE(refusal.empty()) << "it is for switches";
    const Outcome next = decide_with(rules, torus, {Call::allreduce, 2000});
    EXPECT_EQ(next.chosen, "ring");
    EXPECT_EQ(next.rule, "r.conf:2");
    const std::vector<std::string> passed_over = {"r.conf:1: submesh: " + refusal};
    EXPECT_EQ(next.passed_over, passed_over);
    const Request large{Call::allreduce, 2001};
    const Outcome last = decide_with(rules, torus, large);
    const Decision by_time = decide(torus, large, {});
    EXPECT_EQ(last.chosen, by_time.candidates[by_time.chosen].text());
    EXPECT_EQ(last.rule, "");
    EXPECT_EQ(last.passed_over, passed_over);
}

TEST(RuleDecision, PassesOverAlgorithmsThatCannotKeepTheOrderOfOperands) {
    const Fabric fabric = test::equal_torus({4});
    const Grid turned = Grid::from_torus(fabric, test::ranks_on({0, 1, 2, 3, 0, 1, 2, 3})).value();
    const std::string rules =
        "Rule Collective=allreduce Algorithm=bfb\n"
        "Rule Collective=allreduce Algorithm=recursive_doubling_by_rank\n";
    EXPECT_EQ(decide_with(rules, turned, {Call::allreduce, 1024, true}).chosen.substr(0, 3), "bfb");
    const Outcome ordered = decide_with(rules, turned, {Call::allreduce, 1024, false});
    EXPECT_EQ(ordered.chosen, "recursive_doubling_by_rank");
    ASSERT_EQ(ordered.passed_over.size(), 1u);
    EXPECT_EQ(ordered.passed_over[0].find("r.conf:1: bfb: combines operands out of rank order"), 0u)
        << ordered.passed_over[0];
}

TEST(RuleDecision, WhatTheUserNamedGoesBeforeRules) {
    const Grid grid = full_grid({4, 4});
    const std::string rules = "Rule Collective=allreduce Algorithm=halving_doubling Lanes=4\n";
    Preferences named;
    named.algorithm = find_algorithm("ring");
    const Outcome ring = decide_with(rules, grid, {Call::allreduce, 8}, named);
    EXPECT_EQ(ring.chosen, "ring");
    EXPECT_EQ(ring.rule, "");
    Preferences lanes;
    lanes.lanes = 2;
    EXPECT_EQ(decide_with(rules, grid, {Call::allreduce, 8}, lanes).chosen.substr(0, 25), "halving_doubling, 2 lanes");
}

TEST(RuleDecision, AFixedOrderGoesBeforeRules) {
    Preferences fixed;
    fixed.fixed_order = true;
    const Request request{Call::allreduce, 1024};
    const Grid grid = full_grid({4, 4});
    const Outcome outcome = decide_with("Rule Collective=allreduce Algorithm=ring\n", grid, request, fixed);
    const Decision without = decide(grid, request, fixed);
    EXPECT_EQ(outcome.chosen, without.candidates[without.chosen].text());
    EXPECT_EQ(outcome.rule, "");
    EXPECT_TRUE(without.candidates[without.chosen].algorithm->fixed_order);
}

}  // namespace
}  // namespace coll_topo
