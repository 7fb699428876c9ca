// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/profile/arrivals.hpp"

#include <gtest/gtest.h>

namespace coll_topo {
namespace {

TEST(Arrivals, KeepTheLastOfAllRanks) {
    const CallName call{17, 3, 0};
    Arrivals first, second;
    first.add(call, {1, 100, 100, 190});
    second.add(call, {1, 90, 150, 180});
    second.add({17, 3, 1}, {1, 1, 1, 2});
    first.add(second);
    ASSERT_EQ(first.calls.size(), 2u);
    EXPECT_EQ(first.calls.at(call).ranks, 2);
    EXPECT_EQ(first.calls.at(call).awaited, 100);
    EXPECT_EQ(first.calls.at(call).entered, 150);
    EXPECT_EQ(first.calls.at(call).left, 190);
}

TEST(Arrivals, PackAsTheyAre) {
    Arrivals arrivals;
    for (std::uint32_t number = 0; number < 40; ++number) arrivals.add({number * 3, 2, number}, {1, -5, number, 900});
    const std::string bytes = pack(arrivals);
    const auto again = unpack_arrivals(bytes);
    ASSERT_TRUE(again);
    EXPECT_EQ(pack(*again), bytes);
    EXPECT_FALSE(unpack_arrivals(bytes.substr(0, bytes.size() - 1)));
    EXPECT_FALSE(unpack_arrivals(bytes + "x"));
    EXPECT_FALSE(unpack_arrivals("\xff\xff\xff\xff"));
}

TEST(Arrivals, AreBounded) {
    Arrivals arrivals;
    for (std::uint64_t call = 0; call < Arrivals::most_calls + 10; ++call) arrivals.add({call, 0, 0}, {1, 0, 0, 0});
    EXPECT_EQ(arrivals.calls.size(), Arrivals::most_calls);
}

}  // namespace
}  // namespace coll_topo
