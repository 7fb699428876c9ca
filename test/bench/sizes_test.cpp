// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/bench/sizes.hpp"

#include <gtest/gtest.h>

namespace coll_topo::bench {
namespace {

using Sizes = std::vector<std::int64_t>;

std::string message(std::string_view text) {
    const auto sizes = parse_sizes(text);
    return sizes ? "no error" : sizes.error().message;
}

TEST(BenchSizes, List) {
    EXPECT_EQ((Sizes{65536, 8, 1000}), parse_sizes("64KiB,8,1kB").value_or(Sizes{}));
}

TEST(BenchSizes, SweepEndsAtOrBelowTheLast) {
    EXPECT_EQ((Sizes{8, 32, 128}), parse_sizes("8:128:x4").value_or(Sizes{}));
    EXPECT_EQ((Sizes{8, 32, 128}), parse_sizes("8:511:x4").value_or(Sizes{}));
    EXPECT_EQ((Sizes{1024}), parse_sizes("1KiB:1KiB:x2").value_or(Sizes{}));
}

TEST(BenchSizes, SaysWhatIsWrong) {
    EXPECT_EQ("expected sizes as FROM:TO:xFACTOR, such as 8:4MiB:x4", message("8:16"));
    EXPECT_EQ("expected sizes as FROM:TO:xFACTOR, such as 8:4MiB:x4", message("8:16:4"));
    EXPECT_EQ("the factor between sizes must be from 2 to 1024, not '1'", message("8:16:x1"));
    EXPECT_EQ("the first size is above the last", message("16:8:x2"));
    EXPECT_EQ("a size must be from 1 B to 8589934588 B, not '0'", message("0"));
    EXPECT_EQ("a size must be from 1 B to 8589934588 B, not '8GiB'", message("8,8GiB"));
}

}  // namespace
}  // namespace coll_topo::bench
