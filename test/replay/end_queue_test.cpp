// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/replay/end_queue.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace coll_topo::replay {
namespace {

TEST(EndQueue, IsThatOfTheEarliestAndOfEqualOnesTheLowest) {
    EndQueue queue;
    EXPECT_TRUE(queue.empty());
    queue.set(7, 2);
    queue.set(3, 1);
    queue.set(5, 1);
    EXPECT_EQ(queue.next(), 3);
    EXPECT_EQ(queue.next_time(), 1);
    queue.set(3, 3);  // later
    EXPECT_EQ(queue.next(), 5);
    queue.set(7, 0.5);  // earlier
    EXPECT_EQ(queue.next(), 7);
    queue.remove_next();
    EXPECT_EQ(queue.next(), 5);
    queue.clear();
    EXPECT_TRUE(queue.empty());
    queue.set(5, 4);
    EXPECT_EQ(queue.next_time(), 4);
}

TEST(EndQueue, FollowsManyChanges) {
    std::mt19937 random(1);
    EndQueue queue;
    std::map<int, double> times;
    for (int change = 0; change < 20000; ++change) {
        if (random() % 3 == 0 && !times.empty()) {
            times.erase(queue.next());
            queue.remove_next();
        } else {
            const auto number = static_cast<int>(random() % 100);
            times[number] = random() % 50;
            queue.set(number, times[number]);
        }
        ASSERT_EQ(queue.empty(), times.empty());
        if (times.empty()) continue;
        auto earliest = times.begin();
        for (auto other = times.begin(); other != times.end(); ++other) {
            if (other->second < earliest->second) earliest = other;
        }
        ASSERT_EQ(queue.next(), earliest->first);
        ASSERT_EQ(queue.next_time(), earliest->second);
    }
}

}  // namespace
}  // namespace coll_topo::replay
