// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/cost/shared_cable.hpp"

#include <gtest/gtest.h>

namespace coll_topo {
namespace {

using Times = std::vector<double>;

Times ends(const Times& starts) {
    return shared_cable_ends(starts, 4);
}

TEST(SharedCable, MessagesThatDoNotMeetTakeAsLongAsAlone) {
    EXPECT_EQ(ends({}), Times());
    EXPECT_EQ(ends({1, 5, 20}), Times({5, 9, 24}));
}

TEST(SharedCable, ThoseThatStartTogetherEndTogether) {
    EXPECT_EQ(ends({0, 0, 0, 0}), Times({16, 16, 16, 16}));
}

// The first has half of its way behind it when the second starts, and is through at 6; the second then has 2 to go.
TEST(SharedCable, TheSecondSlowsTheFirstOnlyWhileItIsUnderWay) {
    EXPECT_EQ(ends({0, 2}), Times({6, 8}));
}

TEST(SharedCable, IsNeverIdleWhileAMessageIsUnderWay) {
    EXPECT_DOUBLE_EQ(ends({0, 1, 1.5, 3, 7, 11}).back(), 24);
}

}  // namespace
}  // namespace coll_topo
