// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/finite_field.hpp"

#include <gtest/gtest.h>

namespace coll_topo {
namespace {

TEST(FiniteField, ExistsForPrimePowersOnly) {
    const int powers[] = {2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31, 32, 49, 64, 81};
    const int primes[] = {2, 3, 2, 5, 7, 2, 3, 11, 13, 2, 17, 19, 23, 5, 3, 29, 31, 2, 7, 2, 3};
    for (int index = 0; index < 21; ++index) {
        EXPECT_EQ(primes[index], prime_of_power(powers[index])) << powers[index];
        EXPECT_TRUE(FiniteField::of_order(powers[index])) << powers[index];
    }
    for (const int other : {-3, 0, 1, 6, 10, 12, 15, 24, 36, 72, 100}) {
        EXPECT_EQ(0, prime_of_power(other)) << other;
        EXPECT_FALSE(FiniteField::of_order(other)) << other;
    }
}

TEST(FiniteField, OfAPrimeIsTheResidues) {
    const auto field = FiniteField::of_order(7);
    ASSERT_TRUE(field);
    for (int a = 0; a < 7; ++a) {
        for (int b = 0; b < 7; ++b) {
            EXPECT_EQ((a + b) % 7, field->add(a, b));
            EXPECT_EQ(a * b % 7, field->multiply(a, b));
        }
    }
}

TEST(FiniteField, ObeysTheLaws) {
    for (const int order : {2, 3, 4, 5, 8, 9, 16, 25, 27}) {
        const auto field = FiniteField::of_order(order);
        ASSERT_TRUE(field);
        for (int a = 0; a < order; ++a) {
            EXPECT_EQ(a, field->add(a, 0));
            EXPECT_EQ(a, field->multiply(a, 1));
            int negatives = 0, inverses = 0;
            for (int b = 0; b < order; ++b) {
                EXPECT_EQ(field->add(a, b), field->add(b, a));
                EXPECT_EQ(field->multiply(a, b), field->multiply(b, a));
                negatives += field->add(a, b) == 0;
                inverses += field->multiply(a, b) == 1;
                for (int c = 0; c < order; ++c) {
                    EXPECT_EQ(field->add(field->add(a, b), c), field->add(a, field->add(b, c)));
                    EXPECT_EQ(field->multiply(field->multiply(a, b), c), field->multiply(a, field->multiply(b, c)));
                    EXPECT_EQ(field->multiply(a, field->add(b, c)),
                              field->add(field->multiply(a, b), field->multiply(a, c)));
                }
            }
            EXPECT_EQ(1, negatives);
            EXPECT_EQ(a == 0 ? 0 : 1, inverses);
        }
    }
}

}  // namespace
}  // namespace coll_topo
