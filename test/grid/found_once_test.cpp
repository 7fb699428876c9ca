// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/found_once.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace coll_topo::test {
namespace {

TEST(FoundOnce, IsTheSameForAllCopiesAndThreads) {
    std::atomic<int> finds = 0;
    const auto find = [&] { return std::vector<int>{++finds}; };
    const FoundOnce<std::vector<int>> value, copy = value;
    std::vector<const std::vector<int>*> seen(4);
    {
        std::vector<std::jthread> threads;
        for (const std::vector<int>*& one : seen) threads.emplace_back([&] { one = &copy.get(find); });
    }
    for (const std::vector<int>* one : seen) EXPECT_EQ(one, &value.get(find));
    EXPECT_EQ(value.get(find), std::vector{1});
    EXPECT_EQ(FoundOnce<std::vector<int>>().get(find), std::vector{2});
}

TEST(FoundOnceForKey, IsFoundForEachKey) {
    int finds = 0;
    const auto find = [&] { return ++finds; };
    const FoundOnceForKey<int, int> value, copy = value;
    const int& first = value.get(7, find);
    EXPECT_EQ(first, 1);
    EXPECT_EQ(copy.get(8, find), 2);
    EXPECT_EQ(&copy.get(7, find), &first);
}

}  // namespace
}  // namespace coll_topo::test
