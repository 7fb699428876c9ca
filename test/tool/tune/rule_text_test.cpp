// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/tune/rule_text.hpp"

#include "coll_topo/select/rules_file.hpp"

#include <gtest/gtest.h>
#include <string>

namespace coll_topo::tool {
namespace {

TEST(RuleText, IsTheLineOfTheFile) {
    for (const char* line : {
             "Rule Collective=allreduce Bytes=64KiB-1MiB Ranks=16 Hosts=2-64 RanksPerHost=1 Shape=4x4 "
             "Algorithm=halving_doubling Lanes=4 Aggregators=1",
             "Rule Collective=bcast Bytes=-512 Algorithm=pipelined_chain Segments=8",
             "Rule Collective=bcast Bytes=1025- Ranks=-7 Hosts=3- Algorithm=previous",
             "Rule Collective=bcast Bytes=3GiB Algorithm=auto",
             "Rule Collective=alltoallw Algorithm=auto",
         }) {
        const auto rules = read_rules_text(line, "r.conf");
        ASSERT_TRUE(rules) << rules.error().text();
        EXPECT_EQ(rule_text(rules->front()), line);
    }
}

TEST(RuleText, ReadsBackAsTheSame) {
    const auto rules = read_rules_text("Rule Collective=bcast Bytes=0 Algorithm=auto", "r.conf");
    const auto again = read_rules_text(rule_text(rules->front()), "r.conf");
    ASSERT_TRUE(again);
    EXPECT_EQ(digest_of(*again), digest_of(*rules));
}

}  // namespace
}  // namespace coll_topo::tool
