// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/duration.hpp"

#include <gtest/gtest.h>

namespace coll_topo {
namespace {

TEST(Duration, ThreeDigitsAndAUnit) {
    EXPECT_EQ("0.2 ns", duration_text(2e-10));
    EXPECT_EQ("300 ns", duration_text(3e-7));
    EXPECT_EQ("1 us", duration_text(1e-6));
    EXPECT_EQ("1 ms", duration_text(999.6e-6));
    EXPECT_EQ("2.5 s", duration_text(2.5));
    EXPECT_EQ("8200 s", duration_text(8200));
    EXPECT_EQ("0 us", duration_text(0));
}

}  // namespace
}  // namespace coll_topo
