// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/mpi_run/turns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

namespace coll_topo::bench {
namespace {

Outcome took(double seconds, int topo_runs = 0) {
    Outcome outcome;
    outcome.seconds = seconds;
    outcome.topo_runs = topo_runs;
    return outcome;
}

Outcome late(double seconds) {
    Outcome outcome = took(seconds);
    outcome.late = 1;
    return outcome;
}

Outcome wrong(long long index) {
    Outcome outcome = took(1);
    outcome.wrong = 1;
    outcome.index = index;
    return outcome;
}

TEST(BenchTurns, ComponentsAlternate) {
    Turns turns(2, {3, 100, 0.5});
    std::vector<int> order;
    for (Turns::Order next = turns.next(11); next.component >= 0; next = turns.next(11)) {
        EXPECT_EQ(11.5, next.start);
        order.push_back(next.component);
        turns.note(std::vector{took(1)});
    }
    EXPECT_EQ((std::vector{0, 1, 0, 1, 0, 1}), order);
}

TEST(BenchTurns, MoreThanTwoFollowEachOtherInNewOrders) {
    constexpr int rounds = 20;
    Turns turns(4, {rounds, 1e9, 0});
    std::set<std::pair<int, int>> followers;
    int before = -1;
    for (int round = 0; round < rounds; ++round) {
        std::set<int> called;
        for (int i = 0; i < 4; ++i) {
            const int component = turns.next(0).component;
            called.insert(component);
            followers.emplace(before, component);
            before = component;
            turns.note(std::vector{took(1)});
        }
        EXPECT_EQ(4u, called.size()) << "each once in round " << round;
    }
    for (int one = 0; one < 4; ++one) {
        for (int other = 0; other < 4; ++other) {
            EXPECT_TRUE(one == other || followers.contains({one, other})) << other << " after " << one;
        }
    }
}

TEST(BenchTurns, TheSlowestRankCounts) {
    Turns turns(1, {1, 100, 0});
    turns.note(std::vector{took(1), took(3), took(2)});
    EXPECT_EQ((std::vector{3.0}), turns.take()[0].seconds);
}

TEST(BenchTurns, WhatIsSlowSitsOutWhenItsShareOfTheTimeIsUsed) {
    Turns turns(3, {5, 12, 0});
    const double seconds[] = {1, 21, 1.5};
    std::vector<int> order;
    std::vector<std::size_t> begins;
    for (Turns::Order next = turns.next(1); next.component >= 0; next = turns.next(1)) {
        if (turns.begins_round()) begins.push_back(order.size());
        order.push_back(next.component);
        turns.note(std::vector{took(seconds[next.component])});
    }
    std::ranges::sort(order.begin() + 3, order.begin() + 5);
    std::ranges::sort(order.begin() + 5, order.begin() + 7);
    EXPECT_EQ((std::vector{0, 1, 2, 0, 2, 0, 2, 0}), order) << "shares of 4 s: four calls, one, and three";
    EXPECT_EQ((std::vector<std::size_t>{0, 3, 5, 7}), begins);
}

TEST(BenchTurns, WhatIsAboutAsFastAsTheFastestHasThreeCallsHoweverLong) {
    Turns turns(3, {100, 1, 0});
    const double seconds[] = {19, 10, 20};
    std::vector<int> order;
    for (Turns::Order next = turns.next(0); next.component >= 0; next = turns.next(0)) {
        order.push_back(next.component);
        turns.note(std::vector{took(seconds[next.component])});
    }
    std::ranges::sort(order.begin() + 3, order.begin() + 6);
    std::ranges::sort(order.begin() + 6, order.end());
    EXPECT_EQ((std::vector{0, 1, 2, 0, 1, 2, 0, 1}), order);
}

TEST(BenchTurns, AFirstCallThatIsSomewhatSlowDoesNotDecide) {
    Turns turns(2, {5, 2, 0});
    std::vector<int> order;
    int calls[2] = {};
    for (Turns::Order next = turns.next(0); next.component >= 0; next = turns.next(0)) {
        order.push_back(next.component);
        const bool is_slow = next.component == 1 && calls[1] == 0;
        ++calls[next.component];
        turns.note(std::vector{took(is_slow ? 3.9 : 1)});
    }
    EXPECT_EQ((std::vector{0, 1, 0, 1, 0, 1}), order);
}

TEST(BenchTurns, WhatTakesFourTimesAsLongIsCalledOnce) {
    Turns turns(2, {5, 2, 0});
    for (const double seconds : {1, 4, 1, 1}) turns.note(std::vector{took(seconds)});
    EXPECT_EQ(-1, turns.next(0).component);
    EXPECT_EQ((std::vector{4.0}), turns.take()[1].seconds);
}

// What coll_topo planned for a size in its first call it has for all others.
TEST(BenchTurns, WhatCollTopoRunsIsCalledAgainHoweverLongItPlanned) {
    Turns turns(2, {5, 2, 0});
    for (const double seconds : {1, 9}) turns.note(std::vector{took(seconds, seconds == 9 ? 1 : 0)});
    turns.note(std::vector{took(1)});
    EXPECT_EQ(1, turns.next(0).component);
    turns.note(std::vector{took(4, 1)});
    turns.note(std::vector{took(1)});
    EXPECT_EQ(-1, turns.next(0).component) << "a slow one sits out after two calls";
    EXPECT_EQ((std::vector{4.0}), turns.take()[1].seconds);
}

TEST(BenchTurns, OfTwoCallsTheSecondCounts) {
    Turns turns(2, {5, 2, 0});
    for (const double seconds : {1., 3., 1., 2.5, 1.}) turns.note(std::vector{took(seconds)});
    EXPECT_EQ(-1, turns.next(0).component) << "the slow one sits out after two calls";
    EXPECT_EQ((std::vector{2.5}), turns.take()[1].seconds);
}

TEST(BenchTurns, NoticeIsTimeUsed) {
    Turns turns(1, {100, 10, 0.5});
    int calls = 0;
    for (; turns.next(0).component >= 0 && calls < 1000; ++calls) turns.note(std::vector{took(0.5)});
    EXPECT_EQ(10, calls);
}

TEST(BenchTurns, ARoundBeginsWithTheFirstThatDoesNotSitOut) {
    Turns turns(2, {5, 10, 0});
    for (const double seconds : {29, 1}) turns.note(std::vector{took(seconds)});
    EXPECT_EQ(1, turns.next(0).component);
    EXPECT_TRUE(turns.begins_round());
}

TEST(BenchTurns, ALateStartIsRepeatedWithMoreNotice) {
    Turns turns(2, {1, 100, 0.25});
    turns.note(std::vector{took(1), late(9)});
    EXPECT_EQ(0, turns.next(0).component);
    EXPECT_EQ(0.5, turns.next(0).start);
    turns.note(std::vector{took(1), took(2)});
    EXPECT_EQ(1, turns.next(0).component);
    const Measurement seen = turns.take()[0];
    EXPECT_EQ((std::vector{2.0}), seen.seconds);
    EXPECT_EQ(2, seen.calls);
    EXPECT_EQ(0, seen.late_calls);
}

TEST(BenchTurns, LateStartsAreRepeatedALimitedNumberOfTimes) {
    Turns turns(1, {2, 100, 0.001});
    int calls = 0;
    for (; turns.next(0).component >= 0 && calls < 1000; ++calls) turns.note(std::vector{late(1)});
    EXPECT_LT(calls, 100);
    EXPECT_LE(turns.notice(), 1);
    const Measurement seen = turns.take()[0];
    EXPECT_EQ(2u, seen.seconds.size());
    EXPECT_EQ(2, seen.late_calls);
}

TEST(BenchTurns, WrongResultsAreCountedAndTheFirstIsKept) {
    Turns turns(1, {3, 100, 0});
    turns.note(std::vector{took(1), took(1)});
    turns.note(std::vector{took(1), wrong(17)});
    turns.note(std::vector{wrong(3), wrong(4)});
    const Measurement seen = turns.take()[0];
    EXPECT_EQ(2, seen.wrong_calls);
    ASSERT_TRUE(seen.first_wrong);
    EXPECT_EQ(1, seen.first_wrong->rank);
    EXPECT_EQ(17, seen.first_wrong->outcome.index);
}

TEST(BenchTurns, WhoRanTheCallIsCounted) {
    Turns turns(1, {3, 100, 0});
    turns.note(std::vector{took(1, 1), took(1, 1)});
    turns.note(std::vector{took(1, 1), took(1, 0)});
    turns.note(std::vector{took(1, 0), took(1, 0)});
    const Measurement seen = turns.take()[0];
    EXPECT_EQ(1, seen.calls_by_topo);
    EXPECT_EQ(1, seen.calls_partly_by_topo);
}

}  // namespace
}  // namespace coll_topo::bench
