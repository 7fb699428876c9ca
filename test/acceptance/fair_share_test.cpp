// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/fair_share.hpp"

#include <gtest/gtest.h>
#include <cmath>

namespace coll_topo::acceptance {
namespace {

TEST(EndsOfFlows, ALinkIsSharedEquallyAndWhatIsLeftGoesToTheOthers) {
    // Over link 0 (10 bytes/s) two flows, of which one also takes link 1 (2 bytes/s).
    const std::vector<double> ends = ends_of_flows({{{0, 1}, 20}, {{0}, 80}}, {10, 2});
    EXPECT_DOUBLE_EQ(10, ends[0]);
    EXPECT_DOUBLE_EQ(10, ends[1]);
}

TEST(EndsOfFlows, WhoEndsLeavesTheLinkToTheOthers) {
    const std::vector<double> ends = ends_of_flows({{{0}, 10}, {{0}, 30}}, {10});
    EXPECT_DOUBLE_EQ(2, ends[0]);
    EXPECT_DOUBLE_EQ(4, ends[1]);
}

TEST(EndsOfFlows, ALinkTwiceOnARouteIsSharedWithItself) {
    EXPECT_DOUBLE_EQ(2, ends_of_flows({{{0, 0}, 10}}, {10})[0]);
}

TEST(EndsOfFlows, OverADeadLinkNothingEnds) {
    const std::vector<double> ends = ends_of_flows({{{0}, 10}, {{1}, 10}, {{}, 10}}, {0, 5});
    EXPECT_TRUE(std::isinf(ends[0]));
    EXPECT_DOUBLE_EQ(2, ends[1]);
    EXPECT_DOUBLE_EQ(0, ends[2]);
}

}  // namespace
}  // namespace coll_topo::acceptance
