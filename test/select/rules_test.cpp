// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/rules.hpp"

#include "coll_topo/select/rules_file.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace coll_topo {
namespace {

using test::full_grid;

Rules rules_of(const std::string& text) {
    auto rules = read_rules_text(text, "r.conf");
    EXPECT_TRUE(rules) << (rules ? "" : rules.error().text());
    return rules ? std::move(*rules) : Rules();
}

bool suits(const std::string& conditions, const Grid& grid) {
    return rules_of("Rule Collective=bcast Algorithm=auto " + conditions).at(0).suits(grid);
}

TEST(Rules, SuitCommunicatorsByRanksHostsAndShape) {
    const Grid grid = full_grid({4, 3}, 2);
    EXPECT_TRUE(suits("", grid));
    EXPECT_TRUE(suits("Ranks=24 Hosts=12 RanksPerHost=2 Shape=4x3", grid));
    EXPECT_TRUE(suits("Ranks=20-24", grid));
    EXPECT_TRUE(suits("Ranks=24-30", grid));
    EXPECT_FALSE(suits("Ranks=25-", grid));
    EXPECT_FALSE(suits("Ranks=-23", grid));
    EXPECT_FALSE(suits("Hosts=24", grid));
    EXPECT_FALSE(suits("RanksPerHost=1", grid));
    EXPECT_FALSE(suits("Shape=3x4", grid)) << "axes are in the order of the file";
    EXPECT_FALSE(suits("Shape=12", grid));
    EXPECT_TRUE(suits("Shape=1", full_grid({1}, 4)));
}

TEST(Rules, RanksPerHostIsThatOfEveryHost) {
    const Fabric fabric = test::equal_torus({2});
    const Grid unequal = Grid::from_torus(fabric, test::ranks_on({0, 1, 1})).value();
    EXPECT_FALSE(suits("RanksPerHost=1", unequal));
    EXPECT_FALSE(suits("RanksPerHost=2", unequal));
    EXPECT_TRUE(suits("RanksPerHost=1-2", unequal));
}

/// Lines of the rules that match, such as "1 3".
std::string matching(const RuleTable& table, std::size_t bytes) {
    std::string lines;
    for (const Rule* const rule : table.matching(table.range_of(bytes))) {
        lines += (lines.empty() ? "" : " ") + std::to_string(rule->where.line);
    }
    return lines;
}

TEST(Rules, MatchByExactSizesInTheOrderOfTheFile) {
    const Rules rules = rules_of(
        "Rule Collective=allreduce Bytes=100-1000 Algorithm=ring\n"
        "Rule Collective=bcast Algorithm=binomial\n"
        "Rule Collective=allreduce Bytes=600- Algorithm=bfb\n"
        "Rule Collective=allreduce Ranks=5 Algorithm=previous\n"
        "Rule Collective=allreduce Algorithm=auto Bytes=1-\n");
    const RuleTable table(rules, full_grid({4, 4}), Call::allreduce);
    EXPECT_EQ(matching(table, 0), "");
    EXPECT_EQ(matching(table, 1), "5");
    EXPECT_EQ(matching(table, 99), "5");
    EXPECT_EQ(matching(table, 100), "1 5");
    EXPECT_EQ(matching(table, 599), "1 5");
    EXPECT_EQ(matching(table, 600), "1 3 5");
    EXPECT_EQ(matching(table, 1000), "1 3 5");
    EXPECT_EQ(matching(table, 1001), "3 5");
    EXPECT_EQ(matching(table, ~std::size_t{0}), "3 5");
    EXPECT_EQ(table.ranges(), 5);
    EXPECT_EQ(matching(RuleTable(rules, full_grid({5}), Call::allreduce), 1), "4 5");
    EXPECT_EQ(matching(RuleTable(rules, full_grid({5}), Call::bcast), 1), "2");
    EXPECT_EQ(RuleTable().ranges(), 1);
    EXPECT_EQ(matching(RuleTable(), 12345), "");
}

TEST(Rules, KeepAlltoallApartFromItsVariants) {
    const Rules rules = rules_of(
        "Rule Collective=alltoall Algorithm=bruck\n"
        "Rule Collective=alltoallv Algorithm=linear\n");
    const Grid grid = full_grid({4});
    EXPECT_EQ(matching(RuleTable(rules, grid, Call::alltoall), 8), "1");
    EXPECT_EQ(matching(RuleTable(rules, grid, Call::alltoallv), 8), "2");
    EXPECT_EQ(matching(RuleTable(rules, grid, Call::alltoallw), 8), "");
}

TEST(Rules, DigestIsOfTheirMeaning) {
    const std::string first = "Rule Collective=allreduce Bytes=64KiB-1MiB Algorithm=bfb Lanes=4\n";
    const std::string second = "Rule Collective=bcast Algorithm=previous\n";
    const std::uint64_t digest = digest_of(rules_of(first + second));
    EXPECT_EQ(digest, digest_of(rules_of("# comment\n\nRULE lanes=4 algorithm=BFB bytes=65536-1024KiB \\\n"
                                         "collective=allreduce\n" +
                                         second)));
    EXPECT_NE(digest, digest_of(rules_of(second + first))) << "the order of rules matters";
    EXPECT_NE(digest, digest_of(rules_of(first)));
    EXPECT_EQ(digest_of({}), 0u);
    std::vector<std::uint64_t> digests;
    for (const char* keys :
         {"Collective=bcast Algorithm=auto", "Collective=reduce Algorithm=auto", "Collective=alltoall Algorithm=auto",
          "Collective=alltoallv Algorithm=auto", "Collective=bcast Algorithm=previous",
          "Collective=bcast Algorithm=binomial", "Collective=bcast Algorithm=auto Bytes=0-7",
          "Collective=bcast Algorithm=auto Bytes=7-", "Collective=bcast Algorithm=auto Ranks=7-",
          "Collective=bcast Algorithm=auto Hosts=7-", "Collective=bcast Algorithm=auto RanksPerHost=7-",
          "Collective=bcast Algorithm=auto Shape=7", "Collective=bcast Algorithm=auto Lanes=7",
          "Collective=bcast Algorithm=auto Segments=7", "Collective=bcast Algorithm=auto Aggregators=7"}) {
        digests.push_back(digest_of(rules_of(std::string("Rule ") + keys)));
        for (std::size_t other = 0; other + 1 < digests.size(); ++other) EXPECT_NE(digests[other], digests.back());
    }
}

TEST(Rules, RemarkOnKeysWithoutEffect) {
    const std::vector<Error> remarks =
        remarks_on(rules_of("Rule Collective=bcast Shape=2 Algorithm=previous Lanes=2\n"
                            "Rule Collective=bcast Shape=3 Algorithm=binomial Segments=2 Aggregators=1\n"
                            "Rule Collective=bcast Shape=4 Algorithm=auto Segments=2\n"
                            "Rule Collective=allreduce Algorithm=halving_doubling Lanes=2 Aggregators=1\n"));
    ASSERT_EQ(remarks.size(), 2u);
    EXPECT_EQ(remarks[0].text(), "r.conf:1:1: Lanes= without effect on previous");
    EXPECT_EQ(remarks[1].text(), "r.conf:2:1: Segments= and Aggregators= without effect on binomial");
}

TEST(Rules, RemarkOnRulesThatCanNeverCount) {
    const Rules rules = rules_of(
        "Rule Collective=allreduce Bytes=1KiB-1MiB Algorithm=previous\n"
        "Rule Collective=allreduce Bytes=1KiB-64KiB Ranks=4 Algorithm=ring\n"
        "Rule Collective=allreduce Bytes=1KiB-2MiB Algorithm=ring\n"
        "Rule Collective=allreduce Bytes=2MiB Shape=4x4 Algorithm=bfb\n"
        "Rule Collective=bcast Shape=4x4 Algorithm=binomial\n"
        "Rule Collective=bcast Algorithm=auto\n"
        "Rule Collective=bcast Shape=4x4 Algorithm=auto\n");
    const std::vector<Error> remarks = remarks_on(rules);
    ASSERT_EQ(remarks.size(), 3u);
    EXPECT_EQ(remarks[0].text(),
              "r.conf:2:1: this rule never counts: the rule at r.conf:1:1 matches all that it matches");
    EXPECT_EQ(remarks[1].text(),
              "r.conf:4:1: this rule counts only where ring cannot serve: the rule at r.conf:3:1 matches all that it "
              "matches");
    EXPECT_EQ(remarks[2].where.line, 7);
}

}  // namespace
}  // namespace coll_topo
