// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/profile/histogram.hpp"

#include "coll_topo/engine/profile.h"

#include <gtest/gtest.h>
#include <cstdint>

namespace coll_topo {
namespace {

static_assert(Histogram::bins == COLL_TOPO_PROFILE_BINS);

TEST(Histogram, BinsGrowWithDurations) {
    EXPECT_EQ(coll_topo_profile_bin(0), 0);
    EXPECT_EQ(coll_topo_profile_bin(31), 0);
    EXPECT_EQ(coll_topo_profile_bin(32), 0);
    EXPECT_EQ(coll_topo_profile_bin(36), 1);
    EXPECT_EQ(coll_topo_profile_bin(64), 8);
    EXPECT_EQ(coll_topo_profile_bin(UINT64_MAX), Histogram::bins - 1);
    int last = 0;
    for (std::uint64_t time = 1; time < std::uint64_t{1} << 40; time += time / 20 + 1) {
        const int bin = coll_topo_profile_bin(time);
        EXPECT_TRUE(bin == last || bin == last + 1) << time;
        last = bin;
    }
}

TEST(Histogram, MedianIsThatOfTheBinsWithinAFewPercent) {
    EXPECT_EQ(Histogram().median(), std::nullopt);
    for (const std::uint64_t time : {100u, 1000u, 12345u, 4000000u}) {
        Histogram histogram;
        histogram.count[coll_topo_profile_bin(time)] = 7;
        ASSERT_TRUE(histogram.median());
        EXPECT_NEAR(*histogram.median(), 1e-9 * static_cast<double>(time), 1e-9 * static_cast<double>(time) / 8);
    }
}

TEST(Histogram, MedianHasAsManyBelowAsAbove) {
    Histogram histogram;
    histogram.count[coll_topo_profile_bin(1000)] = 10;
    histogram.count[coll_topo_profile_bin(100000)] = 9;
    EXPECT_LT(*histogram.median(), 1.2e-6);
    Histogram more;
    more.count[coll_topo_profile_bin(100000)] = 2;
    histogram.add(more);
    EXPECT_EQ(histogram.total(), 21u);
    EXPECT_GT(*histogram.median(), 9e-5);
}

}  // namespace
}  // namespace coll_topo
