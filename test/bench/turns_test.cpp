// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/bench/turns.hpp"

#include <gtest/gtest.h>

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
    Turns turns(2, {3, 100, 0.5}, 10);
    std::vector<int> order;
    for (Turns::Order next = turns.next(11); next.component >= 0; next = turns.next(11)) {
        EXPECT_EQ(11.5, next.start);
        order.push_back(next.component);
        turns.note(std::vector{took(1)});
    }
    EXPECT_EQ((std::vector{0, 1, 0, 1, 0, 1}), order);
}

TEST(BenchTurns, TheSlowestRankCounts) {
    Turns turns(1, {1, 100, 0}, 0);
    turns.note(std::vector{took(1), took(3), took(2)});
    EXPECT_EQ((std::vector{3.0}), turns.take()[0].seconds);
}

TEST(BenchTurns, NoRoundBeginsAfterTheTimeButTheFirstIsFinished) {
    Turns turns(2, {100, 5, 0}, 0);
    turns.note(std::vector{took(4)});
    EXPECT_EQ(1, turns.next(60).component) << "all components are called equally often";
    turns.note(std::vector{took(4)});
    EXPECT_EQ(-1, turns.next(60).component);
    EXPECT_EQ(0, turns.next(4).component);
}

TEST(BenchTurns, ALateStartIsRepeatedWithMoreNotice) {
    Turns turns(2, {1, 100, 0.25}, 0);
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
    Turns turns(1, {2, 100, 0.001}, 0);
    int calls = 0;
    for (; turns.next(0).component >= 0 && calls < 1000; ++calls) turns.note(std::vector{late(1)});
    EXPECT_LT(calls, 100);
    EXPECT_LE(turns.notice(), 1);
    const Measurement seen = turns.take()[0];
    EXPECT_EQ(2u, seen.seconds.size());
    EXPECT_EQ(2, seen.late_calls);
}

TEST(BenchTurns, WrongResultsAreCountedAndTheFirstIsKept) {
    Turns turns(1, {3, 100, 0}, 0);
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
    Turns turns(1, {3, 100, 0}, 0);
    turns.note(std::vector{took(1, 1), took(1, 1)});
    turns.note(std::vector{took(1, 1), took(1, 0)});
    turns.note(std::vector{took(1, 0), took(1, 0)});
    const Measurement seen = turns.take()[0];
    EXPECT_EQ(1, seen.calls_by_topo);
    EXPECT_EQ(1, seen.calls_partly_by_topo);
}

}  // namespace
}  // namespace coll_topo::bench
