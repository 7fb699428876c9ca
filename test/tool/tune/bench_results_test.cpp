// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/tune/bench_results.hpp"

#include <gtest/gtest.h>
#include <string>

namespace coll_topo::tool {
namespace {

const std::string head =
    R"({"ranks": 8, "mpi": "Open MPI", "network": "a ring", "command": "coll-topo-bench",
        "grid": {"shape": "4", "hosts": 4, "least_ranks_per_host": 1, "most_ranks_per_host": 3},
        "fixed": {"lanes": 2, "segments": 3, "aggregators": 4}, "cases": [)";
const std::string one =
    R"({"collective": "bcast", "bytes": 64, "component": "topo:binomial", "median_us": 1.5, "min_us": 1.25, "served": true,
        "wrong_calls": 0})";

TEST(BenchResults, ReadsWhatWasMeasuredOnWhat) {
    const auto run = parse_bench_results(head + one + "]}", "r.json");
    ASSERT_TRUE(run) << run.error().text();
    EXPECT_EQ(run->setting, (BenchSetting{8, {"4", 4, 1, 3}}));
    EXPECT_EQ(run->fixed, (FixedSettings{2, 3, 4}));
    EXPECT_EQ(run->command, "coll-topo-bench");
    ASSERT_EQ(run->cases.size(), 1u);
    EXPECT_EQ(run->cases[0].collective, "bcast");
    EXPECT_EQ(run->cases[0].bytes, 64);
    EXPECT_EQ(run->cases[0].component, "topo:binomial");
    EXPECT_DOUBLE_EQ(run->cases[0].median, 1.5);
    EXPECT_DOUBLE_EQ(run->cases[0].least, 1.25);
    EXPECT_TRUE(run->cases[0].served);
    EXPECT_TRUE(run->cases[0].right);
}

TEST(BenchResults, SaysWhichFileIsWrong) {
    for (const std::string& wrong :
         {std::string("["), std::string("[]"), std::string("{}"), head, head + "{}]}", head + "1]}"}) {
        const auto run = parse_bench_results(wrong, "r.json");
        ASSERT_FALSE(run) << wrong;
        EXPECT_EQ(run.error().text().find("r.json: this is not what coll-topo-bench --format json writes: "), 0u)
            << run.error().text();
    }
    const auto old = parse_bench_results(R"({"cases": []})", "r.json");
    ASSERT_FALSE(old);
    EXPECT_EQ(old.error().text().find("r.json: the results do not say on which grid"), 0u);
}

TEST(BenchResults, RefusesWhatNoRuleCanSay) {
    const std::string all = head + one + "]}";
    const auto with = [&](const std::string& before, const std::string& after) {
        std::string text = all;
        return text.replace(text.find(before), before.size(), after);
    };
    for (const std::string& wrong :
         {with("\"shape\": \"4\"", "\"shape\": \"4\\nRule\""), with("\"shape\": \"4\"", "\"shape\": \"4x1\""),
          with("\"most_ranks_per_host\": 3", "\"most_ranks_per_host\": 0"), with("\"bytes\": 64", "\"bytes\": -64"),
          with("\"lanes\": 2", "\"lanes\": 99"), with("\"ranks\": 8", "\"ranks\": 1e300"),
          with("\"ranks\": 8", "\"ranks\": 4294967304")}) {
        const auto run = parse_bench_results(wrong, "r.json");
        ASSERT_FALSE(run) << wrong;
        EXPECT_NE(run.error().text().find(" must be "), std::string::npos) << run.error().text();
    }
}

}  // namespace
}  // namespace coll_topo::tool
