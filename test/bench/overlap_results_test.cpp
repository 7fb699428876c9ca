// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/bench/overlap_results.hpp"

#include <gtest/gtest.h>

namespace coll_topo::bench {
namespace {

Measurement seen(std::vector<double> seconds, int by_topo = 0) {
    Measurement measurement;
    measurement.calls = static_cast<int>(seconds.size());
    measurement.calls_by_topo = by_topo;
    measurement.seconds = std::move(seconds);
    return measurement;
}

OverlapRow row_of(double nonblocking, double computation, double both) {
    OverlapRow row;
    row.nonblocking = nonblocking;
    row.computation = computation;
    row.both = both;
    return row;
}

TEST(OverlapResults, ShareThatIsHidden) {
    EXPECT_EQ(1, row_of(4, 5, 5).overlap());
    EXPECT_EQ(0, row_of(4, 5, 9).overlap());
    EXPECT_EQ(0.75, row_of(4, 5, 6).overlap());
    EXPECT_EQ(-0.5, row_of(4, 5, 11).overlap());
    EXPECT_EQ(0, row_of(0, 5, 5).overlap());
}

TEST(OverlapResults, ARowForEachNumberOfTests) {
    const OverlapMeasurement measured{
        seen({9, 1, 3}), seen({4, 4, 7}, 3), seen({5, 5, 5}), {seen({9, 9, 9}, 3), seen({6, 6}, 1)}};
    const auto rows = overlap_rows({"bcast", 1000, 0.25}, "topo", {0, 10}, measured);
    ASSERT_EQ(2u, rows.size());
    for (const OverlapRow& row : rows) {
        EXPECT_EQ("bcast", row.collective);
        EXPECT_EQ(1000, row.bytes);
        EXPECT_EQ(3, row.blocking);
        EXPECT_EQ(4, row.nonblocking);
        EXPECT_EQ(5, row.computation);
        EXPECT_EQ(0.25, row.load);
    }
    EXPECT_EQ(0, rows[0].tests);
    EXPECT_EQ(9, rows[0].both);
    EXPECT_EQ(3, rows[0].repetitions);
    EXPECT_EQ(10, rows[1].tests);
    EXPECT_EQ(0.75, rows[1].overlap());
    EXPECT_EQ(2, rows[1].repetitions);
}

TEST(OverlapResults, ServedIfTopoRanTheNonblockingCallsAloneAndTogether) {
    const auto served = [](const std::string& component, int alone, int together) {
        const OverlapMeasurement measured{seen({1}), seen({1, 1}, alone), seen({1}), {seen({2, 2}, together)}};
        return overlap_rows({}, component, {1}, measured)[0].served();
    };
    EXPECT_TRUE(served("topo", 2, 2));
    EXPECT_FALSE(served("topo", 2, 1));
    EXPECT_FALSE(served("topo", 0, 2));
    EXPECT_TRUE(served("libnbc", 0, 0));
    EXPECT_FALSE(served("libnbc", 0, 1));
}

TEST(OverlapResults, WrongAndLateCallsOfBothKindsCount) {
    OverlapMeasurement measured{seen({1}), seen({1}), seen({1}), {seen({2})}};
    measured.nonblocking.wrong_calls = 1;
    measured.both[0].wrong_calls = 2;
    measured.both[0].late_calls = 3;
    const auto row = overlap_rows({}, "topo", {1}, measured)[0];
    EXPECT_EQ(3, row.wrong_calls);
    EXPECT_EQ(3, row.late_calls);
    EXPECT_EQ(2, row.calls);
}

}  // namespace
}  // namespace coll_topo::bench
