// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/bench/outlook.hpp"

#include <gtest/gtest.h>

namespace coll_topo::bench {
namespace {

using Verdict = std::vector<bool>;

std::vector<std::string> family_of(std::size_t size) {
    return std::vector<std::string>(size, "tuned");
}

TEST(BenchOutlook, NothingIsGivenUpBeforeTwoSizesAreKnown) {
    Outlook outlook(family_of(2), 2);
    EXPECT_EQ((Verdict{true, true}), outlook.worthwhile(8));
    outlook.note(8, {1, 100}, {true, true});
    EXPECT_EQ((Verdict{true, true}), outlook.worthwhile(64));
}

TEST(BenchOutlook, WhatIsSlowOnlyWithSmallMessagesIsKept) {
    Outlook outlook(family_of(3), 2);
    outlook.note(0, {1, 10, 10}, {true, true, true});
    outlook.note(100, {2, 10.5, 60}, {true, true, true});
    EXPECT_EQ((Verdict{true, true, false}), outlook.worthwhile(1000)) << "expected: 11, 15 and 510";
    EXPECT_EQ((Verdict{true, false, false}), outlook.worthwhile(200)) << "expected: 3, 11 and 110";
}

TEST(BenchOutlook, TheBestOfEachFamilyIsKept) {
    Outlook outlook({"topo", "topo", "tuned", "tuned"}, 2);
    outlook.note(1, {1, 3, 10, 30}, {true, true, true, true});
    outlook.note(2, {2, 6, 20, 60}, {true, true, true, true});
    EXPECT_EQ((Verdict{true, false, true, false}), outlook.worthwhile(4));
}

TEST(BenchOutlook, OnlyTheLastTwoSizesCount) {
    Outlook outlook(family_of(2), 2);
    outlook.note(1, {1, 50}, {true, true});
    outlook.note(2, {1, 1}, {true, true});
    outlook.note(3, {1, 1.5}, {true, true});
    EXPECT_EQ((Verdict{true, true}), outlook.worthwhile(4));
    EXPECT_EQ((Verdict{true, false}), outlook.worthwhile(5));
}

TEST(BenchOutlook, LargerMessagesAreNotExpectedToBeFaster) {
    Outlook outlook(family_of(2), 2);
    outlook.note(1, {1, 9}, {true, true});
    outlook.note(2, {1, 3}, {true, true});
    EXPECT_EQ((Verdict{true, false}), outlook.worthwhile(100));
}

TEST(BenchOutlook, ASmallerSizeGivesNothingUp) {
    Outlook outlook(family_of(2), 2);
    outlook.note(1, {1, 9}, {true, true});
    outlook.note(10, {1, 90}, {true, true});
    EXPECT_EQ((Verdict{true, true}), outlook.worthwhile(5));
}

TEST(BenchOutlook, ADroppedComponentIsForgotten) {
    Outlook outlook(family_of(3), 2);
    outlook.note(1, {1, 9, 5}, {true, true, true});
    outlook.drop(0);
    outlook.note(2, {9, 5}, {true, true});
    EXPECT_EQ((Verdict{true, true}), outlook.worthwhile(3)) << "9 and 5: the fastest, 1, is gone";
}

TEST(BenchOutlook, WhatAnotherServedTwiceIsGivenUp) {
    Outlook outlook(family_of(3), 2);
    outlook.note(1, {1, 1, 1}, {true, false, true});
    EXPECT_EQ((Verdict{true, true, true}), outlook.worthwhile(2)) << "it may serve larger sizes";
    outlook.note(2, {1, 1, 9}, {true, false, true});
    EXPECT_EQ((Verdict{true, false, false}), outlook.worthwhile(3));
}

TEST(BenchOutlook, TimesOfAnotherDoNotCount) {
    Outlook outlook(family_of(2), 2);
    outlook.note(1, {9, 1}, {true, false});
    outlook.note(2, {9, 90}, {true, true});
    EXPECT_EQ((Verdict{true, true}), outlook.worthwhile(3)) << "one of its own times is not enough to go by";
    outlook.note(3, {9, 90}, {true, true});
    EXPECT_EQ((Verdict{true, false}), outlook.worthwhile(4));
}

}  // namespace
}  // namespace coll_topo::bench
