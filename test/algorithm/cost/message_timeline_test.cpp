// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/cost/message_timeline.hpp"

#include "coll_topo/algorithm/cost/whole_vectors.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/switch_fixture.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

namespace coll_topo {
namespace {

using test::full_grid;

constexpr double second_of_bytes = 1e9;  // on a link of equal_torus
constexpr double hop = 1e-6;             // of equal_torus
constexpr double overhead = MachineCosts{}.message_time;

TEST(MessageTimeline, AMessageTakesItsWayAndItsBytes) {
    const Grid grid = full_grid({8, 8});
    MessageTimeline timeline(grid);
    timeline.message(0, 2 + 8 * 5, 1000);  // 2 to the right, 3 the short way down
    EXPECT_EQ(timeline.latest(), overhead) << "the sender goes on";
    timeline.end_step();
    EXPECT_DOUBLE_EQ(timeline.latest(), overhead + 5 * hop + 1e-6);
}

TEST(MessageTimeline, ARankSendsOnWhatItHasReceived) {
    const Grid grid = full_grid({8});
    MessageTimeline timeline(grid);
    for (int rank = 0; rank < 3; ++rank) {
        timeline.message(rank, rank + 1, 0, 0.5);
        timeline.end_step();
    }
    EXPECT_DOUBLE_EQ(timeline.latest(), 3 * (overhead + hop + 0.5));
}

TEST(MessageTimeline, BetweenScatteredHostsAMessageTakesTheWayOfTheTorus) {
    const Fabric fabric = test::equal_torus({6, 6});
    const Grid grid = Grid::from_torus(fabric, test::ranks_on({0, 3, 7, 10, 14, 17, 18, 22, 26, 27, 31, 35})).value();
    ASSERT_TRUE(grid.winds());
    ASSERT_FALSE(full_grid({6, 6}).winds());
    ASSERT_FALSE(full_grid({12}).winds());
    MessageTimeline timeline(grid);
    timeline.message(0, 11, second_of_bytes);  // from cell 0 to cell 35: one back in each dimension
    timeline.end_step();
    EXPECT_DOUBLE_EQ(timeline.latest(), overhead + 2 * hop + 1);
    timeline.message(1, 2, second_of_bytes);  // other links
    timeline.message(5, 6, second_of_bytes);
    timeline.end_step();
    EXPECT_NEAR(timeline.latest(), 1, 1e-4) << "at the same time";
}

TEST(MessageTimeline, MessagesAtOnceShareALink) {
    const Grid grid = full_grid({8}, 1, false);
    MessageTimeline timeline(grid);
    timeline.message(0, 2, second_of_bytes);
    timeline.message(1, 3, second_of_bytes);
    timeline.end_step();
    EXPECT_NEAR(timeline.latest(), 2, 1e-4);
    timeline.message(2, 1, second_of_bytes);
    timeline.end_step();
    EXPECT_NEAR(timeline.latest(), 3, 1e-4) << "the other direction is free";
}

TEST(MessageTimeline, AWayThatIsKeptServesAllMessages) {
    const Grid grid = full_grid({8, 8}, 2);
    MessageTimeline timeline(grid), same(grid);
    const MessageTimeline::Way far = timeline.keep_way(3, 90), local = timeline.keep_way(90, 91);
    for (int step = 0; step < 3; ++step) {
        timeline.message(far, second_of_bytes, 0.5);
        timeline.message(5, 88, second_of_bytes);
        timeline.message(local, second_of_bytes);
        timeline.end_step();
        same.message(3, 90, second_of_bytes, 0.5);
        same.message(5, 88, second_of_bytes);
        same.message(90, 91, second_of_bytes);
        same.end_step();
        EXPECT_EQ(timeline.latest(), same.latest()) << step;
    }
}

TEST(MessageTimeline, ALaterRankDoesNotDelayThoseBeforeIt) {
    const Grid grid = full_grid({8}, 1, false);
    MessageTimeline timeline(grid);
    timeline.message(5, 0, 0, 10);  // keeps rank 0 at work
    timeline.end_step();
    timeline.message(0, 3, second_of_bytes);
    timeline.end_step();
    timeline.message(1, 2, second_of_bytes, 0);
    timeline.message(2, 1, 0, 0);
    timeline.end_step();
    EXPECT_NEAR(timeline.latest(), 11, 1e-4) << "the link between 1 and 2 was free until rank 0 sent";
}

/// A line of 8 whose links pass a second's bytes at once after a rest.
Grid bursting_line() {
    Fabric fabric = test::equal_torus({8}, false);
    fabric.costs.link_burst = second_of_bytes;
    return Grid::from_torus(fabric, test::ranks_on_all(fabric)).value();
}

TEST(MessageTimeline, ALinkPassesItsBurstAtOnceAfterARest) {
    const Grid grid = bursting_line();
    MessageTimeline timeline(grid);
    for (int rank = 0; rank < 7; ++rank) {
        timeline.message(rank, rank + 1, second_of_bytes);
        timeline.end_step();
    }
    EXPECT_NEAR(timeline.latest(), 0, 1e-4) << "each over a link of its own";
}

TEST(MessageTimeline, ABurstComesBackAsTheLinkRests) {
    const Grid grid = bursting_line();
    MessageTimeline timeline(grid);
    timeline.message(0, 1, 3 * second_of_bytes);
    timeline.end_step();
    EXPECT_NEAR(timeline.latest(), 2, 1e-4) << "all but the burst";
    timeline.message(0, 1, second_of_bytes);
    timeline.end_step();
    EXPECT_NEAR(timeline.latest(), 3, 1e-4) << "there was no rest";
    timeline.message(3, 0, 0, 0.5);
    timeline.message(1, 0, 0);
    timeline.end_step();
    timeline.message(0, 1, second_of_bytes);
    timeline.end_step();
    EXPECT_NEAR(timeline.latest(), 3.5 + 0.5, 1e-4) << "half a second of it";
}

// As MPI libraries do: a rank starts all its sends, and they all arrive late.
TEST(MessageTimeline, AChildWaitsForItsSiblings) {
    const Grid grid = full_grid({2}, 4);
    const auto to_all = [&](int sender, auto&& visit) {
        for (int child = 4; sender == 0 && child < 8; ++child) visit(child);
    };
    EXPECT_NEAR(bcast_of_whole_vectors(grid, 0, second_of_bytes, to_all), 4, 1e-3)
        << "of the two cables of a ring of two, all take the same one";
}

TEST(MessageTimeline, HostsOfALeafShareItsCables) {
    const Fabric fabric = test::leaf_spine_fabric({4, 4}, 1);
    const Grid grid = Grid::from_switches(fabric, test::ranks_on_all(fabric)).value();
    MessageTimeline timeline(grid);
    for (int host = 0; host < 4; ++host) timeline.message(host, 4 + host, 1e9);
    timeline.end_step();
    EXPECT_NEAR(timeline.latest(), 4, 1e-3);
}

// Messages to hosts 2 and 4, and those to 3 and 5, come down the same cable.
TEST(MessageTimeline, DifferentLeavesShareACable) {
    const Fabric fabric = test::leaf_spine_fabric({1, 1, 4}, 2);
    const Grid grid = Grid::from_switches(fabric, test::ranks_on_all(fabric)).value();
    const auto seconds = [&](int first, int second) {
        MessageTimeline timeline(grid);
        timeline.message(0, first, 1e9);
        timeline.message(1, second, 1e9);
        timeline.end_step();
        return timeline.latest();
    };
    EXPECT_NEAR(seconds(2, 4), 2, 1e-3);
    EXPECT_NEAR(seconds(2, 3), 1, 1e-3);
}

}  // namespace
}  // namespace coll_topo
