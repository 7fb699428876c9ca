// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/choice_text.hpp"

#include "coll_topo/base/text_table.hpp"
#include "coll_topo/select/rule_decision.hpp"
#include "coll_topo/select/rules_file.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace coll_topo {
namespace {

using test::full_grid;

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// Candidates of real algorithms with times that are given.
Candidate candidate(const char* name, double seconds, int lanes = 1) {
    Candidate made{find_algorithm(name), {}, seconds, ""};
    made.problem.lanes = lanes;
    return made;
}

Candidate refused(const char* name, double seconds, const char* refusal, Standing standing) {
    Candidate made = candidate(name, seconds);
    made.refusal = refusal;
    made.standing = standing;
    return made;
}

Decision sample() {
    Decision decision;
    decision.candidates = {candidate("swing", 3e-6, 2),
                           candidate("swing", 2e-6, 4),
                           candidate("bucket", 2e-6, 4),
                           candidate("halving_doubling", 2.1e-6),
                           refused("bfb", 9e-6, "so few bytes", Standing::not_worth_it),
                           refused("ring", 1e-6, "a reference", Standing::on_request),
                           refused("submesh", 0, "for switches", Standing::does_not_apply),
                           refused("grouped_ring", 0, "for switches", Standing::does_not_apply)};
    decision.chosen = 1;
    return decision;
}

Decision slower(const char* name, double seconds) {
    Decision decision;
    decision.candidates = {candidate(name, seconds)};
    decision.chosen = 0;
    return decision;
}

TEST(ChoicesText, HasALineForEachStretchOfSizes) {
    const std::vector<SizedDecision> decisions = {{1, slower("ring", 1e-6)},
                                                  {2, slower("ring", 2e-6)},
                                                  {4096, sample()},
                                                  {8192, sample()},
                                                  {65537, slower("bfb", 3e-6)}};
    EXPECT_EQ(choices_text(Call::allreduce, decisions, Detail::choices, 2),
              "  from     algorithm  lanes  predicted\n"
              "  1 B      ring           1       1 us\n"
              "  4 KiB    swing          4       2 us\n"
              "  65537 B  bfb            1       3 us\n");
}

TEST(ChoicesText, AddsTheRunnerUpAndWhy) {
    EXPECT_EQ(choices_text(Call::allreduce, std::vector<SizedDecision>{{4096, sample()}}, Detail::runners_up),
              "from   algorithm  lanes  predicted\n"
              "4 KiB  swing          4       2 us\n"
              "         bucket       4       2 us  equally fast, listed later\n");
}

TEST(ChoicesText, AddsAllCandidates) {
    EXPECT_EQ(choices_text(Call::allreduce, std::vector<SizedDecision>{{4096, sample()}}, Detail::candidates),
              "from   algorithm           lanes  predicted\n"
              "4 KiB  swing                   4       2 us\n"
              "         ring                  1       1 us  a reference\n"
              "         bucket                4       2 us  equally fast, listed later\n"
              "         halving_doubling      1     2.1 us  5 % slower\n"
              "         swing                 2       3 us  50 % slower\n"
              "         bfb                   1       9 us  so few bytes\n"
              "Do not apply: submesh, grouped_ring (for switches)\n");
}

TEST(ChoicesText, NamesRulesAndThePreviousModule) {
    Decision decision = sample();
    decision.previous = candidate("rabenseifner", 1e-6);
    decision.chosen = -1;
    EXPECT_TRUE(has(choices_text(Call::allreduce, std::vector<SizedDecision>{{1, decision}}, Detail::runners_up),
                    "1 B   tuned: rabenseifner      1       1 us\n"
                    "        swing                  4       2 us  2 times as long\n"));
    decision = sample();
    decision.chosen = 3;
    decision.rule = "r.conf:2";
    decision.passed_over = {"r.conf:1: submesh: for switches"};
    EXPECT_EQ(choices_text(Call::barrier, std::vector<SizedDecision>{{1, decision}}, Detail::runners_up),
              "algorithm         lanes  predicted\n"
              "halving_doubling      1     2.1 us  by the rule at r.conf:2\n"
              "  swing               4       2 us  5 % faster\n"
              "Not by the rule at r.conf:1: submesh: for switches\n");
    const std::string nothing = choices_text(Call::barrier, std::vector<SizedDecision>{{1, {}}}, Detail::choices);
    EXPECT_EQ(nothing, "algorithm        lanes  predicted\nprevious module      -          -\n");
}

TEST(CandidatesText, HasTheBestOfEachAlgorithmAndGroupsTheRest) {
    EXPECT_EQ(candidates_text(sample(), false),
              "algorithm         lanes  predicted\n"
              "swing                 4       2 us  chosen\n"
              "bucket                4       2 us  equally fast, listed later\n"
              "halving_doubling      1     2.1 us  5 % slower\n"
              "\n"
              "Only when asked for: ring 1 us\n"
              "\n"
              "Not worth trying: bfb (so few bytes)\n"
              "\n"
              "Do not apply: submesh, grouped_ring (for switches)\n");
}

TEST(CandidatesText, HasEveryCandidateIfThatIsAskedFor) {
    const std::string text = candidates_text(sample(), true);
    EXPECT_EQ(lines_of(text).size(), 1 + sample().candidates.size()) << text;
    EXPECT_TRUE(has(text, "swing                 2       3 us  50 % slower\n")) << text;
    EXPECT_TRUE(has(text, "submesh               -          -  for switches\n")) << text;
}

TEST(CandidatesText, IsNoWiderThanALine) {
    Preferences preferences;
    preferences.list_references = true;
    preferences.compare_with_tuned = true;
    for (const Grid& grid : {full_grid({3, 2}), full_grid({2}, 3), full_grid({1}, 4)}) {
        for (int call = 0; call < call_count; ++call) {
            Request request = request_for(static_cast<Call>(call), grid.ranks());
            const auto decisions =
                decide_for_sizes(all_size_classes, grid, request, preferences, RuleTable({}, grid, request.call));
            EXPECT_EQ(decisions.size(), has_size(request.call) ? 31u : 1u);
            std::string text;
            for (const Detail detail : {Detail::choices, Detail::runners_up, Detail::candidates}) {
                text += choices_text(request.call, decisions, detail, 2);
            }
            for (const bool whole : {false, true}) text += candidates_text(decisions.back().decision, whole);
            for (const std::string& line : lines_of(text)) EXPECT_LE(line.size(), line_width) << line;
        }
    }
}

TEST(RemarkOn, ComparesTimes) {
    Decision decision = slower("ring", 1);
    const auto remark = [&](double seconds, int lanes = 1) {
        decision.candidates.resize(1);
        decision.candidates.push_back(candidate("bfb", seconds, lanes));
        return remark_on(decision, decision.candidates.back());
    };
    EXPECT_EQ(remark_on(decision, decision.candidates[0]), "chosen");
    EXPECT_EQ(remark(1), "equally fast, listed later");
    EXPECT_EQ(remark(1, 2), "equally fast, listed later");
    EXPECT_EQ(remark(1.0000001), "less than 0.1 % slower");
    EXPECT_EQ(remark(1.004), "0.4 % slower");
    EXPECT_EQ(remark(1.0962), "10 % slower");
    EXPECT_EQ(remark(4.653), "4.65 times as long");
    EXPECT_EQ(remark(0.5), "100 % faster, but not in the shorter replays, of the power of two below, that decide");
    decision.more_at_once_worth_it = 0.99;
    EXPECT_EQ(remark(1), "equally fast, listed later");
    EXPECT_EQ(remark(1, 2), "equally fast, but sends more messages at once");
    EXPECT_EQ(remark(0.995), "0.5 % faster, but not in the shorter replays, of the power of two below, that decide");
    EXPECT_EQ(remark(0.995, 2), "0.5 % faster, but sends more messages at once");
    EXPECT_EQ(remark(0.98, 2), "2 % faster, but not in the shorter replays, of the power of two below, that decide");
    decision.previous = candidate("ring", 1);
    EXPECT_EQ(remark_on(decision, *decision.previous), "no faster");
    decision.previous->seconds = 0.97;
    EXPECT_EQ(remark_on(decision, *decision.previous), "3 % faster, too little to tell");
    decision.previous->seconds = 0.5;
    EXPECT_EQ(remark_on(decision, *decision.previous),
              "100 % faster, but not in the shorter replays, of the power of two below, that decide");
}

TEST(DecideForSizes, HasTheSizesWhereOtherRulesMatch) {
    const Grid grid = full_grid({4, 4});
    const auto rules = read_rules_text("Rule Collective=allreduce Bytes=100-200 Algorithm=ring\n", "r.conf").value();
    const auto decisions =
        decide_for_sizes(all_size_classes, grid, {Call::allreduce}, {}, RuleTable(rules, grid, Call::allreduce));
    EXPECT_EQ(decisions.size(), 33u) << "powers of two, 100 and 201";
    for (const SizedDecision& one : decisions) {
        EXPECT_EQ(one.decision.rule, one.bytes >= 100 && one.bytes <= 200 ? "r.conf:1" : "") << one.bytes;
        const double typical = representative_bytes(size_class(static_cast<std::size_t>(one.bytes)));
        if (one.decision.rule.empty()) {
            EXPECT_EQ(one.decision.chosen, decide(grid, {Call::allreduce, typical}, {}).chosen) << one.bytes;
        }
    }
}

TEST(DecideForSizes, HasThoseOfTheClassesThatAreAskedFor) {
    const Grid grid = full_grid({4, 4});
    const auto rules = read_rules_text("Rule Collective=allreduce Bytes=100-200 Algorithm=ring\n", "r.conf").value();
    const RuleTable table(rules, grid, Call::allreduce);
    const auto sizes = [&](SizeClasses classes) {
        std::vector<double> all;
        for (const auto& one : decide_for_sizes(classes, grid, {Call::allreduce}, {}, table)) all.push_back(one.bytes);
        return all;
    };
    EXPECT_EQ(sizes({6, 7}), (std::vector<double>{32, 64, 100}));
    EXPECT_EQ(sizes({8, 8}), (std::vector<double>{128, 201}));
    EXPECT_EQ(sizes({9, 9}), (std::vector<double>{256}));
}

TEST(CallText, SaysWhatIsSpecial) {
    EXPECT_EQ(call_text({Call::bcast, 64}, 4), "bcast");
    EXPECT_EQ(call_text({Call::allreduce, 64, false}, 4), "allreduce, operation does not commute");
    EXPECT_EQ(call_text(request_for(Call::alltoallw, 4), 4),
              "alltoallw of any sizes, compared for 64 KiB to each rank");
}

TEST(SizeClass, HoldsSizesOfEqualBitWidth) {
    EXPECT_EQ(size_class(0), 0);
    EXPECT_EQ(size_class(1), 1);
    EXPECT_EQ(size_class(1023), 10);
    EXPECT_EQ(size_class(1024), 11);
    EXPECT_EQ(representative_bytes(11), 1024);
    EXPECT_GT(representative_bytes(size_class(std::numeric_limits<std::size_t>::max())), 9e18);
}

}  // namespace
}  // namespace coll_topo
