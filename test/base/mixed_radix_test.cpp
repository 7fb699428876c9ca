// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/mixed_radix.hpp"

#include <gtest/gtest.h>

namespace coll_topo {
namespace {

TEST(PrimeFactors, MultiplyToTheNumberAndAscend) {
    for (int n = 1; n < 2000; ++n) {
        int product = 1, before = 2;
        for (const int factor : prime_factors(n)) {
            EXPECT_GE(factor, before) << n;
            before = factor;
            product *= factor;
        }
        EXPECT_EQ(product, n);
    }
}

TEST(PrimeFactors, OfSmallNumbers) {
    EXPECT_TRUE(prime_factors(1).empty());
    EXPECT_EQ(prime_factors(12), (std::vector<int>{2, 2, 3}));
    EXPECT_EQ(prime_factors(47), (std::vector<int>{47}));
}

TEST(Digit, IsReadAndReplaced) {
    // 7 = 1·4 + 1·2 + 1 in the digits (3, 2, 2) of 12.
    EXPECT_EQ(digit(7, 4, 3), 1);
    EXPECT_EQ(with_digit(7, 4, 3, 2), 11);
    EXPECT_EQ(with_digit(7, 1, 2, 0), 6);
}

}  // namespace
}  // namespace coll_topo
