// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/replay/shared_links.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
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

struct Sent {
    std::vector<int> way;
    double bytes, begin;
    double rate = 0, end = -1;

    bool takes(int link) const { return std::ranges::count(way, link) > 0; }
};

/// Shares all links out among all messages on them, without regard to what they had.
void share_all(std::vector<Sent*>& on_links, std::vector<double> free) {
    for (Sent* const sent : on_links) sent->rate = 0;
    for (;;) {
        double least = std::numeric_limits<double>::infinity();
        std::vector<Sent*> slowest;
        for (int link = 0; link < static_cast<int>(free.size()); ++link) {
            std::vector<Sent*> waiting;
            for (Sent* const sent : on_links) {
                if (sent->rate == 0 && sent->takes(link)) waiting.push_back(sent);
            }
            if (waiting.empty() || free[link] / static_cast<double>(waiting.size()) >= least) continue;
            least = free[link] / static_cast<double>(waiting.size());
            slowest = waiting;
        }
        if (slowest.empty()) return;
        for (Sent* const sent : slowest) {
            sent->rate = least;
            for (const int link : sent->way) free[link] -= least;
        }
    }
}

/// Sets their ends, event by event.
void send_all(std::vector<Sent>& messages, const std::vector<double>& bandwidths) {
    std::vector<Sent*> on_links;
    double now = 0;
    for (std::size_t begun = 0; begun < messages.size() || !on_links.empty();) {
        share_all(on_links, bandwidths);
        double next = begun < messages.size() ? messages[begun].begin : std::numeric_limits<double>::infinity();
        Sent* first = nullptr;
        for (Sent* const sent : on_links) {
            if (now + sent->bytes / sent->rate >= next) continue;
            next = now + sent->bytes / sent->rate;
            first = sent;
        }
        for (Sent* const sent : on_links) sent->bytes -= sent->rate * (next - now);
        now = next;
        if (first == nullptr) {
            on_links.push_back(&messages[begun++]);
        } else {
            first->end = now;
            std::erase(on_links, first);
        }
    }
}

TEST(SharedLinks, WhatChangesIsSharedAsIfAllWere) {
    std::mt19937 random(24);
    const auto below = [&](int limit) { return static_cast<int>(random() % limit); };
    for (int trial = 0; trial < 20; ++trial) {
        std::vector<double> bandwidths(12);
        for (double& bandwidth : bandwidths) bandwidth = 1 + below(4);
        std::vector<Sent> messages(80);
        double begin = 0;
        for (Sent& sent : messages) {
            while (sent.way.empty() || (sent.way.size() < 4 && below(3) > 0)) {
                if (const int link = below(12); !sent.takes(link)) sent.way.push_back(link);
            }
            sent.bytes = 1 + below(1000) / 100.;
            sent.begin = begin += below(100) / 100.;
        }
        SharedLinks links([&](int link) { return 1 / bandwidths[link]; });
        for (const Sent& sent : messages) links.add(sent.way, sent.bytes);
        std::vector<double> ends(messages.size(), -1);
        std::vector<int> ended;
        for (std::size_t begun = 0; begun < messages.size() || !std::isinf(links.next_end());) {
            const bool begins = begun < messages.size() && messages[begun].begin < links.next_end();
            const double now = begins ? messages[begun].begin : links.next_end();
            if (begins) links.begin(static_cast<int>(begun++), now);
            links.take_ended(now, ended);
            for (const int message : ended) ends[message] = now;
            ended.clear();
            links.share(now);
        }
        send_all(messages, bandwidths);
        for (std::size_t message = 0; message < messages.size(); ++message) {
            ASSERT_NEAR(ends[message], messages[message].end, 1e-6) << message << " of trial " << trial;
        }
    }
}

TEST(SharedLinks, OfManyThoseEndTogetherThatEndAtNearlyTheSameTime) {
    const std::vector<int> way = {0};
    for (const int count : {100, 200}) {
        SharedLinks links = doubling_links();
        for (int message = 0; message < count; ++message) links.begin(links.add(way, 1 + 1e-5 * message), 0);
        links.share(0);
        std::vector<int> ended;
        const double first = links.next_end();
        links.take_ended(first, ended);
        EXPECT_EQ(ended.size(), count == 100 ? 1u : 101u);
        EXPECT_LT(links.next_end(), 1.002 * first);
    }
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
