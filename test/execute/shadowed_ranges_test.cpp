// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/shadowed_ranges.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace coll_topo::test {
namespace {

constexpr std::size_t size = 40;

std::vector<bool> read(const ShadowedRanges& ranges, std::size_t begin, std::size_t end) {
    std::vector<bool> found;
    ranges.visit(begin, end, [&](std::size_t from, std::size_t to, bool shadowed) {
        EXPECT_LT(from, to);
        EXPECT_EQ(from, begin + found.size());
        found.insert(found.end(), to - from, shadowed);
    });
    return found;
}

TEST(ShadowedRanges, AreWhatAnArrayOfFlagsWouldBe) {
    std::mt19937 engine(7);
    const auto roll = [&](std::size_t most) { return engine() % (most + 1); };
    for (int trial = 0; trial < 300; ++trial) {
        ShadowedRanges ranges;
        std::vector<bool> flags(size);
        for (int change = 0; change < 30; ++change) {
            const std::size_t begin = roll(size), end = begin + roll(size - begin);
            const bool adds = roll(1) == 1;
            if (adds) {
                ranges.add(begin, end);
            } else {
                ranges.remove(begin, end);
            }
            std::fill(flags.begin() + begin, flags.begin() + end, adds);
            ASSERT_EQ(read(ranges, 0, size), flags);
            const std::size_t from = roll(size), to = from + roll(size - from);
            ASSERT_EQ(read(ranges, from, to), std::vector<bool>(flags.begin() + from, flags.begin() + to));
            ASSERT_EQ(ranges.none_in(from, to),
                      std::find(flags.begin() + from, flags.begin() + to, true) == flags.begin() + to);
        }
    }
}

/// As when blocks of a buffer are copied or added to others of the same.
TEST(ShadowedRanges, AVisitMayChangeOtherRanges) {
    ShadowedRanges ranges;
    for (std::size_t begin = 100; begin < 140; begin += 4) ranges.add(begin, begin + 2);
    ranges.visit(100, 140, [&](std::size_t begin, std::size_t end, bool shadowed) {
        if (shadowed) ranges.add(begin - 100, end - 100);
    });
    EXPECT_EQ(read(ranges, 0, 40), read(ranges, 100, 140));
}

}  // namespace
}  // namespace coll_topo::test
