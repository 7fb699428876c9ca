// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/replay/shared_links.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace coll_topo::replay {
namespace {

/// Links of 1, 2, 4, ... bytes/s, by number.
SharedLinks doubling_links() {
    return SharedLinks([](int link) { return std::ldexp(1.0, -link); });
}

/// When the next message ends, and which: the only one.
double end_of(SharedLinks& links, int message) {
    const double end = links.next_end();
    std::vector<int> ended;
    links.take_ended(end, ended);
    EXPECT_EQ(ended, std::vector<int>{message});
    links.share(end);
    return end;
}

TEST(SharedLinks, AMessageIsAsFastAsItsSlowestLink) {
    SharedLinks links = doubling_links();
    const std::vector<int> way = {2, 1, 3};
    const int message = links.add(way, 8);
    EXPECT_TRUE(std::isinf(links.next_end()));
    links.begin(message, 5);
    links.share(5);
    EXPECT_DOUBLE_EQ(end_of(links, message), 5 + 8 / 2.0);
    EXPECT_TRUE(std::isinf(links.next_end()));
}

TEST(SharedLinks, WhatOneLeavesTheOthersTake) {
    SharedLinks links = doubling_links();
    const std::vector<int> way = {2};
    const int first = links.add(way, 8), second = links.add(way, 8);
    links.begin(first, 0);
    links.share(0);
    links.begin(second, 1);  // when the first has 4 bytes left
    links.share(1);
    EXPECT_DOUBLE_EQ(end_of(links, first), 3);   // 4 bytes at 2 bytes/s
    EXPECT_DOUBLE_EQ(end_of(links, second), 4);  // 4 bytes at 4 bytes/s
}

TEST(SharedLinks, WhoIsLimitedElsewhereLeavesItsShareToTheOthers) {
    SharedLinks links = doubling_links();
    const std::vector<int> narrow = {0, 2}, wide = {2};
    const int slow = links.add(narrow, 3), fast = links.add(wide, 9);
    links.begin(slow, 0);
    links.begin(fast, 0);
    links.share(0);
    std::vector<int> ended;
    links.take_ended(links.next_end(), ended);  // at 1 and 3 bytes/s both take 3 s
    EXPECT_EQ(ended.size(), 2u);
}

TEST(SharedLinks, MessagesThatShareNothingDoNotMatter) {
    SharedLinks links = doubling_links();
    const std::vector<int> one = {1}, other = {2};
    const int first = links.add(one, 2), second = links.add(other, 16);
    links.begin(first, 0);
    links.begin(second, 0);
    links.share(0);
    EXPECT_DOUBLE_EQ(end_of(links, first), 1);
    EXPECT_DOUBLE_EQ(end_of(links, second), 4);
}

TEST(SharedLinks, WithoutLinksAMessageEndsAtOnce) {
    SharedLinks links = doubling_links();
    const int message = links.add({}, 1e6);
    links.begin(message, 2);
    links.share(2);
    EXPECT_DOUBLE_EQ(end_of(links, message), 2);
}

/// When a message that begins now has passed.
double end_of_new(SharedLinks& links, const std::vector<int>& way, double bytes, double now) {
    const int message = links.add(way, bytes);
    links.begin(message, now);
    links.share(now);
    return end_of(links, message);
}

TEST(SharedLinks, AfterARestALinkPassesItsBurstAtOnce) {
    SharedLinks links([](int) { return 1.0; }, 8);
    EXPECT_DOUBLE_EQ(end_of_new(links, {0, 1}, 5, 0), 0);
    EXPECT_DOUBLE_EQ(end_of_new(links, {0}, 5, 0), 2) << "3 bytes were left";
    EXPECT_DOUBLE_EQ(end_of_new(links, {0}, 4, 2), 6) << "it has not rested";
    EXPECT_DOUBLE_EQ(end_of_new(links, {0, 1}, 4, 9), 10) << "3 bytes in 3 s";
    EXPECT_DOUBLE_EQ(end_of_new(links, {0}, 9, 100), 101) << "no more than the burst";
    links.clear();
    EXPECT_DOUBLE_EQ(end_of_new(links, {0}, 8, 0), 0);
}

TEST(SharedLinks, ALinkThatIsNotFullSavesWhatItDoesNotCarry) {
    SharedLinks links([](int link) { return link == 0 ? 1.0 : 0.25; }, 8);
    EXPECT_DOUBLE_EQ(end_of_new(links, {0}, 8, 0), 0);
    const std::vector<int> slow_way = {0, 1};
    const int slow = links.add(slow_way, 2);
    links.begin(slow, 0);  // at 1 byte/s, of which the second link could carry 4
    EXPECT_DOUBLE_EQ(end_of_new(links, {1}, 8, 0), 0);
    EXPECT_DOUBLE_EQ(end_of(links, slow), 2);
    EXPECT_DOUBLE_EQ(end_of_new(links, {1}, 10, 2), 3) << "6 of 10 bytes at once";
}

}  // namespace
}  // namespace coll_topo::replay
