// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/left_to_previous.hpp"

#include "coll_topo/select/rules_file.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>
#include <string>

namespace coll_topo {
namespace {

using test::full_grid;

LeftToPrevious left(const std::string& text, const Grid& grid, Call call = Call::allreduce, bool host_memory = false) {
    const auto rules = read_rules_text(text, "r.conf");
    EXPECT_TRUE(rules) << (rules ? "" : rules.error().text());
    if (!rules) return {};
    return left_to_previous(grid, schedule_of(call), RuleTable(*rules, grid, call), host_memory);
}

TEST(LeftToPrevious, IsNothingWithoutRulesOnSeveralHosts) {
    const LeftToPrevious nothing = left("", full_grid({4, 4}));
    EXPECT_EQ(nothing.below, 0u);
    EXPECT_EQ(nothing.why, "");
    EXPECT_EQ(left("Rule Collective=bcast Algorithm=previous", full_grid({4, 4})).below, 0u);
}

TEST(LeftToPrevious, IsWhatTheFirstRuleThatMatchesLeavesToIt) {
    const Grid grid = full_grid({4, 4});
    const LeftToPrevious all = left("Rule Collective=allreduce Algorithm=previous", grid);
    EXPECT_EQ(all.below, LeftToPrevious::all);
    EXPECT_EQ(all.why, "by the rule at r.conf:1");
    EXPECT_EQ(left("Rule Collective=allreduce Bytes=-1023 Algorithm=previous", grid).below, 1024u);
    EXPECT_EQ(left("Rule Collective=allreduce Bytes=8- Algorithm=previous", grid).below, 0u);
    EXPECT_EQ(left("Rule Collective=allreduce Bytes=100-200 Algorithm=auto\n"
                   "Rule Collective=allreduce Algorithm=previous\n",
                   grid)
                  .below,
              100u);
    EXPECT_EQ(
        left("Rule Collective=allreduce Algorithm=submesh\nRule Collective=allreduce Algorithm=previous", grid).below,
        0u)
        << "whether an algorithm serves is seen when it is asked for";
}

TEST(LeftToPrevious, GoesOnOverTheSizesOfSeveralRules) {
    const LeftToPrevious two = left(
        "Rule Collective=allreduce Bytes=-100 Algorithm=previous\n"
        "Rule Collective=allreduce Bytes=50-999 Algorithm=previous\n"
        "Rule Collective=allreduce Algorithm=ring\n",
        full_grid({4, 4}));
    EXPECT_EQ(two.below, 1000u);
    EXPECT_EQ(two.why, "by the rule at r.conf:1, by the rule at r.conf:2");
}

TEST(LeftToPrevious, IsWhatOthersDoAsWellWithinAHost) {
    const Grid within = full_grid({1}, 4);
    EXPECT_EQ(left("", within).below, LeftToPrevious::all);
    EXPECT_EQ(left("", within).why, "all ranks are on one host, where other modules are as fast");
    EXPECT_EQ(left("", within, Call::reduce_scatter).below, 128u * 1024);
    EXPECT_EQ(left("", within, Call::reduce_scatter, true).below, 0u);
    EXPECT_EQ(left("", within, Call::allreduce, true).below, 0u);
    EXPECT_EQ(left("", within, Call::bcast, true).below, 512u);
    EXPECT_EQ(left("", within, Call::gather, true).below, 512u);
    EXPECT_EQ(left("Rule Collective=allreduce Bytes=4KiB- Algorithm=ring", within).below, 4096u);
    EXPECT_EQ(left("Rule Collective=allreduce Bytes=4KiB- Algorithm=auto", within).below, LeftToPrevious::all);
    EXPECT_EQ(left("Rule Collective=reduce_scatter Bytes=1MiB- Algorithm=previous", within, Call::reduce_scatter).below,
              128u * 1024);
}

TEST(LeftToPrevious, IsNoShortBcastWhereRanksTakeTurns) {
    Grid crowded = full_grid({1}, 4);
    crowded.set_processors(1);
    EXPECT_EQ(left("", crowded, Call::bcast, true).below, 0u);
    EXPECT_EQ(left("", crowded, Call::reduce, true).below, 0u);
    EXPECT_EQ(left("", crowded, Call::gather, true).below, 512u) << "not measured";
}

}  // namespace
}  // namespace coll_topo
