// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/repeated_measurement.hpp"

#include <gtest/gtest.h>

namespace coll_topo::acceptance {
namespace {

using Flags = std::vector<bool>;

TEST(RepeatedMeasurement, TheBestCounts) {
    RepeatedMeasurement all({{1, 0, 3}, {10, 0}, {5, 6}, {}});
    all.add({{2, 4, 0}, {9, 8}, {7, 0}, {1}});
    EXPECT_EQ(all.best().latency, (std::vector<double>{1, 4, 3}));
    EXPECT_EQ(all.best().alone, (std::vector<double>{10, 8}));
    EXPECT_EQ(all.best().together, (std::vector<double>{7, 6}));
    EXPECT_EQ(all.best().silent, (std::vector<int>{1}));
}

TEST(RepeatedMeasurement, WhatWasMeasuredOnceIsInDoubt) {
    const RepeatedMeasurement all({{1}, {10, 0}, {5, 6}, {}});
    EXPECT_EQ(all.doubts().latency, Flags{true});
    EXPECT_EQ(all.doubts().alone, (Flags{true, true}));
}

TEST(RepeatedMeasurement, WhatWasSeenTwiceIsNot) {
    RepeatedMeasurement all({{}, {10, 10, 4, 10, 0}, {}, {}});
    all.add({{}, {10.1, 9.9, 10, 4, 0}, {}, {}});
    EXPECT_EQ(all.doubts().alone, (Flags{false, false, true, true, false}));
    all.add({{}, {10, 10, 4.1, 10, 5}, {}, {}});
    // The third agrees with the first, but the second was better; and what once had a result may have had bad luck.
    EXPECT_EQ(all.doubts().alone, (Flags{false, false, true, false, true}));
    all.add({{}, {10, 10, 9.8, 10, 5.1}, {}, {}});
    EXPECT_EQ(all.doubts().alone, Flags(5, false));
    EXPECT_EQ(all.times(), 4);
}

TEST(RepeatedMeasurement, WhereAllResultsVaryTwoMayDifferMore) {
    RepeatedMeasurement all({{}, {}, {10, 10, 10, 10, 10, 10}, {}});
    all.add({{}, {}, {10.5, 9.5, 9.4, 10.6, 8.7, 7}, {}});
    EXPECT_EQ(all.doubts().together, (Flags{false, false, false, false, false, true}));
}

}  // namespace
}  // namespace coll_topo::acceptance
