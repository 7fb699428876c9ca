// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/schedule/lane_turns.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

constexpr double little = 100, much = 64 * 1024;

/// Lane 2 has the turn, and the others wait in this order.
LaneTurns<char> taken(bool first_lanes_first) {
    LaneTurns<char> turns(first_lanes_first);
    EXPECT_TRUE(turns.take());
    EXPECT_FALSE(turns.take());
    turns.wait(3, 'd');
    turns.wait(0, 'a');
    turns.wait(1, 'b');
    return turns;
}

TEST(LaneTurns, GoToThoseWhoCameFirst) {
    for (const bool first_lanes_first : {false, true}) {
        LaneTurns<char> turns = taken(first_lanes_first);
        turns.reduced(first_lanes_first ? little : much);
        EXPECT_EQ(turns.give_up(), 'd');
        EXPECT_EQ(turns.give_up(), 'a');
        EXPECT_EQ(turns.give_up(), 'b');
        EXPECT_FALSE(turns.give_up());
        EXPECT_TRUE(turns.take()) << "nobody waits";
    }
}

TEST(LaneTurns, GoToTheLateCopyWhenNoLaneWaits) {
    LaneTurns<char> turns = taken(false);
    turns.wait_until_idle('c');
    for (const char lane : {'d', 'a', 'b', 'c'}) EXPECT_EQ(turns.give_up(), lane);
    EXPECT_FALSE(turns.take()) << "it has its turn";
    EXPECT_FALSE(turns.give_up());
}

TEST(LaneTurns, GoToCopiesWhenNoLaneWaitsAndBeforeTheLateOne) {
    LaneTurns<char> turns = taken(false);
    turns.wait_until_idle('c');
    turns.wait_to_copy('e');
    turns.wait_to_copy('f');
    for (const char next : {'d', 'a', 'b', 'e'}) EXPECT_EQ(turns.give_up(), next);
    turns.wait(0, 'a');
    turns.wait_to_go_on_copying('g');
    for (const char next : {'a', 'g', 'f', 'c'}) EXPECT_EQ(turns.give_up(), next);
    EXPECT_FALSE(turns.give_up());
}

TEST(LaneTurns, GoToTheFirstLaneAfterMuchWork) {
    LaneTurns<char> turns = taken(true);
    turns.reduced(much);
    EXPECT_EQ(turns.give_up(), 'a');
    EXPECT_EQ(turns.give_up(), 'd') << "nothing has been combined since";
}

TEST(LaneTurns, CountWhatSeveralLanesCombine) {
    LaneTurns<char> turns = taken(true);
    turns.reduced(much / 2);
    EXPECT_EQ(turns.give_up(), 'd');
    EXPECT_EQ(turns.give_up(), 'a');
    turns.reduced(much / 2);
    turns.wait(0, 'a');
    EXPECT_EQ(turns.give_up(), 'a') << "before b, which waits longer";
}

TEST(LaneTurns, GoToTheOldestCopyAfterMuchWork) {
    for (const bool first_lanes_first : {false, true}) {
        LaneTurns<char> turns = taken(first_lanes_first);
        turns.wait_until_idle('c');
        turns.wait_to_copy('e');
        turns.wait_to_copy('f');
        turns.reduced(much);
        EXPECT_EQ(turns.give_up(), 'e');
        EXPECT_EQ(turns.give_up(), 'd') << "nothing has been combined since";
    }
}

}  // namespace
}  // namespace coll_topo::test
