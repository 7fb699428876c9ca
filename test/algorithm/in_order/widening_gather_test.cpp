// SPDX-License-Identifier: BSD-3-Clause
//
// The steps and distances that widening_gather claims, and that it combines as fixed_order_gather does.
#include "coll_topo/algorithm/in_order/widening_gather.hpp"

#include "coll_topo/algorithm/catalogue.hpp"
#include "coll_topo/verify/proof.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace coll_topo {
namespace {

using test::full_grid;
using widening_gather::Widening;
using widening_gather::widenings;

const Algorithm& fixed_order_gather = *find_algorithm("fixed_order_gather");
const Algorithm& recursive_doubling = *find_algorithm("recursive_doubling");
const Algorithm& swing_whole = *find_algorithm("swing_whole");
const Algorithm& widening_gather = *find_algorithm("widening_gather");

constexpr double us = 1e-6;

TEST(WideningGather, TriplesWhatPlacesHaveWhereHopsCount) {
    EXPECT_EQ(widenings(9, 1 * us, 10 * us), (std::vector<Widening>{{1, 1}, {3, 3}}));
    EXPECT_EQ(widenings(27, 1 * us, 10 * us), (std::vector<Widening>{{1, 1}, {3, 3}, {9, 9}}));
}

TEST(WideningGather, DoublesItWhereMessagesCount) {
    const auto steps = widenings(8, 1 * us, 0.01 * us);
    ASSERT_EQ(steps.size(), 3u);
    for (const Widening& step : steps) EXPECT_EQ(step.behind, 0);
}

TEST(WideningGather, TakesFewStepsWhereEveryMessageIsLateInComing) {
    EXPECT_EQ(widenings(27, 1 * us, 0.01 * us).size(), 5u);
    EXPECT_EQ(widenings(27, 1 * us, 0.01 * us, 10 * us).size(), 3u);
}

TEST(WideningGather, GathersAllAndNoMoreThanItHas) {
    for (int size = 1; size <= 256; ++size) {
        for (const double latency : {0.01, 0.3, 1.0, 10.0}) {
            int width = 1;
            for (const Widening& step : widenings(size, us, latency * us)) {
                EXPECT_LE(step.behind, width);
                EXPECT_LE(step.ahead, width);
                width += step.behind + step.ahead;
            }
            EXPECT_EQ(width, size);
        }
    }
}

TEST(WideningGather, GoesNoFartherThanHalfTheRingWhereHopsCount) {
    for (int size = 2; size <= 100; ++size) {
        int distance = 0;
        for (const Widening& step : widenings(size, us, 100 * us)) distance += std::max(step.behind, step.ahead);
        EXPECT_EQ(distance, size / 2);
    }
}

/// The operands in the order in which a rank reduces them, of a program of one axis.
int reductions(const Program& program) {
    return static_cast<int>(
        std::ranges::count_if(program.actions, [](const Action& a) { return a.kind == ActionKind::reduce; }));
}

TEST(WideningGather, CombinesAsManyTimesAsFixedOrderGather) {
    for (const std::vector<int>& sizes : std::vector<std::vector<int>>{{2}, {3}, {8}, {5, 7}, {4, 4, 2}}) {
        const Grid grid = full_grid(sizes, 2);
        for (int rank = 0; rank < grid.ranks(); ++rank) {
            EXPECT_EQ(reductions(widening_gather.build(grid, {}, rank)),
                      reductions(fixed_order_gather.build(grid, {}, rank)));
        }
    }
}

TEST(WideningGather, IsPredictedToBeFastestForAFewBytesOnLongRings) {
    for (const std::vector<int>& sizes : std::vector<std::vector<int>>{{64}, {64, 64}, {16, 16}, {5, 7}, {13}}) {
        const Grid grid = full_grid(sizes);
        const double seconds = widening_gather.seconds(grid, {}, 8);
        EXPECT_LT(seconds, swing_whole.seconds(grid, {}, 8)) << grid.summary();
        EXPECT_LT(seconds, recursive_doubling.seconds(grid, {}, 8)) << grid.summary();
        EXPECT_GT(widening_gather.seconds(grid, {}, 1 << 16), swing_whole.seconds(grid, {}, 1 << 16));
    }
}

TEST(WideningGather, IsForRings) {
    EXPECT_EQ(widening_gather.refusal(full_grid({8, 2}), {}), "");
    EXPECT_NE(widening_gather.refusal(full_grid({8, 3}, 1, false), {}).find("these hosts form none"),
              std::string::npos);
    EXPECT_NE(widening_gather.refusal(full_grid({257}), {}).find("256"), std::string::npos);
}

}  // namespace
}  // namespace coll_topo
