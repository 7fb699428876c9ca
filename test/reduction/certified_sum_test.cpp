// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/reduction/certified_sum.hpp"
#include "test/reduction/certified_numbers.hpp"

#include <gtest/gtest.h>

namespace coll_topo {
namespace {

template <typename Value>
class CertifiedSums : public testing::Test {
protected:
    using Sum = CertifiedSum<Value>;
    using Limits = std::numeric_limits<Value>;

    std::vector<Value> numbers(Numbers kind, std::size_t count) {
        std::vector<Value> numbers(count);
        for (Value& number : numbers) number = random_number<Value>(kind, random);
        return numbers;
    }
    Value sum_of(std::initializer_list<Value> numbers) { return rounded(summed_at_random<Value>(numbers, random)); }

    std::mt19937_64 random{1};
};
TYPED_TEST_SUITE(CertifiedSums, TestedTypes);

TYPED_TEST(CertifiedSums, AreExactWhereCertain) {
    for (const Numbers kind : finite_numbers) {
        int uncertain = 0;
        for (int trial = 0; trial < 3000; ++trial) {
            const auto numbers = this->numbers(kind, 1 + this->random() % 40);
            const TypeParam result = rounded(summed_at_random(numbers, this->random));
            if (same_bits(result, sentinel<TypeParam>)) {
                ++uncertain;
                continue;
            }
            ExactReference<TypeParam> exact;
            bool all_negative_zero = true;
            for (const TypeParam number : numbers) {
                exact.add(number);
                all_negative_zero = all_negative_zero && number == 0 && std::signbit(number);
            }
            const TypeParam wanted = all_negative_zero ? -TypeParam(0) : exact.rounded();
            ASSERT_TRUE(same_bits(result, wanted)) << static_cast<int>(kind) << ": " << result << ", not " << wanted;
        }
        const bool always = kind == Numbers::normal || kind == Numbers::subnormal || kind == Numbers::zeros;
        EXPECT_LT(uncertain, always ? 1 : 3000) << static_cast<int>(kind);
    }
}

TYPED_TEST(CertifiedSums, LoseNoMoreThanTheirBound) {
    using Low = typename CertifiedSum<TypeParam>::Low;
    int lossy = 0;
    for (int trial = 0; trial < 5000; ++trial) {
        const auto numbers = this->numbers(trial % 2 == 0 ? Numbers::wide : Numbers::cancelling, 2 + trial % 30);
        const auto sum = summed_at_random(numbers, this->random);
        if (sum.bound >= bound_code::unbounded) continue;
        ExactReference<Low> lost;
        for (const TypeParam number : numbers) lost.add(number);
        lost.add(-sum.low);
        if constexpr (!std::is_same_v<TypeParam, float>) lost.add(-sum.high);
        lossy += lost.sign() != 0;
        const auto bound = decoded_bound<Low>(sum.bound);
        auto above = lost, below = lost;
        above.add(-bound);
        below.add(bound);
        ASSERT_LE(above.sign(), 0);
        ASSERT_GE(below.sign(), 0);
    }
    EXPECT_GT(lossy, 500);
}

TYPED_TEST(CertifiedSums, CommuteToTheBit) {
    for (int trial = 0; trial < 20000; ++trial) {
        const auto a = summed_at_random(this->numbers(Numbers::all, 1 + trial % 6), this->random);
        const auto b = summed_at_random(this->numbers(Numbers::all, 1 + trial % 7), this->random);
        ASSERT_TRUE(same_bits(a + b, b + a));
    }
    // The largest number overflows within in one order, not in the other.
    using Limits = std::numeric_limits<TypeParam>;
    const auto largest = CertifiedSum<TypeParam>::plain(Limits::max());
    const auto small =
        CertifiedSum<TypeParam>::plain(-1.5F * std::ldexp(TypeParam(1), Limits::max_exponent - Limits::digits));
    EXPECT_TRUE(same_bits(largest + small, small + largest));
    EXPECT_LT((small + largest).bound, bound_code::unbounded);
}

TYPED_TEST(CertifiedSums, OfPlainSumsAreWhatAllStepsGive) {
    if constexpr (std::is_same_v<TypeParam, float>) {
        GTEST_SKIP() << "float sums have one step";
    } else {
        for (int trial = 0; trial < 20000; ++trial) {
            const auto a = CertifiedSum<TypeParam>::plain(random_number<TypeParam>(Numbers::all, this->random));
            const auto b = CertifiedSum<TypeParam>::plain(random_number<TypeParam>(Numbers::all, this->random));
            ASSERT_TRUE(same_bits(a + b, added_in_full(a, b)));
        }
    }
}

TYPED_TEST(CertifiedSums, AreZeroWithTheRightSign) {
    EXPECT_TRUE(same_bits(this->sum_of({-0.0F, -0.0F, -0.0F, -0.0F}), -TypeParam(0)));
    EXPECT_TRUE(same_bits(this->sum_of({-0.0F, -0.0F, 0.0F}), TypeParam(0)));
    EXPECT_TRUE(same_bits(this->sum_of({-1, -0.0F, 1}), TypeParam(0)));
}

TYPED_TEST(CertifiedSums, OfSpecialNumbers) {
    using Limits = std::numeric_limits<TypeParam>;
    const TypeParam infinity = Limits::infinity(), nan = Limits::quiet_NaN();
    EXPECT_TRUE(same_bits(this->sum_of({1, infinity, Limits::max(), Limits::max(), 1}), infinity));
    EXPECT_TRUE(same_bits(this->sum_of({1, -infinity, 2, -infinity}), -infinity));
    EXPECT_TRUE(same_bits(this->sum_of({infinity, 1, -infinity}), nan));
    EXPECT_TRUE(same_bits(this->sum_of({infinity, sentinel<TypeParam>, 2}), nan));
    EXPECT_TRUE(same_bits(this->sum_of({1, -nan}), nan));
    EXPECT_FALSE(same_bits(sentinel<TypeParam>, nan));
}

TYPED_TEST(CertifiedSums, OfALongVectorOfLargeNumbers) {
    const TypeParam share = std::ldexp(std::numeric_limits<TypeParam>::max(), -21);
    auto sum = CertifiedSum<TypeParam>::plain(share);
    for (int i = 1; i < 1 << 20; ++i) sum = sum + CertifiedSum<TypeParam>::plain(share);
    EXPECT_TRUE(same_bits(rounded(sum), std::numeric_limits<TypeParam>::max() / 2));
}

TYPED_TEST(CertifiedSums, AreUncertainOnATieThatSomethingLostDecides) {
    // 1 + half a unit, and what is far below all that a sum keeps.
    using Limits = std::numeric_limits<TypeParam>;
    const TypeParam half = Limits::epsilon() / 2, tiny = Limits::denorm_min();
    EXPECT_TRUE(same_bits(this->sum_of({1, half}), TypeParam(1)));
    EXPECT_TRUE(same_bits(this->sum_of({1, half, tiny}), sentinel<TypeParam>));
    EXPECT_TRUE(same_bits(this->sum_of({1, half / 2, tiny}), TypeParam(1)));
    EXPECT_TRUE(same_bits(this->sum_of({1, half, half / 2, -tiny}), 1 + Limits::epsilon()));
}

TEST(LossBounds, AreTheSmallestThatSuffice) {
    EXPECT_EQ(encoded_bound(0.0), 0);
    EXPECT_EQ(encoded_bound(std::numeric_limits<double>::denorm_min()), 1);
    EXPECT_EQ(encoded_bound(0.0L), 0);
    EXPECT_EQ(encoded_bound(std::numeric_limits<long double>::denorm_min()), 1);
    EXPECT_EQ(encoded_bound(std::numeric_limits<double>::max()), bound_code::unbounded);
    EXPECT_EQ(encoded_bound(std::numeric_limits<double>::infinity()), bound_code::unbounded);
    EXPECT_LT(encoded_bound(std::numeric_limits<long double>::max()), bound_code::unbounded);
    for (std::uint16_t code = 1; code < bound_code::unbounded; ++code) {
        const auto bound = decoded_bound<double>(code);
        ASSERT_EQ(encoded_bound(bound), code);
        ASSERT_EQ(encoded_bound(std::nextafter(bound, std::numeric_limits<double>::infinity())), code + 1);
    }
    const int codes = encoded_bound(std::numeric_limits<long double>::max());
    for (int code = 1; code < codes; ++code) {
        const auto bound = decoded_bound<long double>(static_cast<std::uint16_t>(code));
        ASSERT_EQ(encoded_bound(bound), code);
        ASSERT_EQ(encoded_bound(std::nextafter(bound, std::numeric_limits<long double>::infinity())), code + 1);
    }
}

TEST(LossBounds, DoNotGrowUnlessSomethingIsLost) {
    auto sum = CertifiedSum<float>::plain(1e30F) + CertifiedSum<float>::plain(1);
    const std::uint16_t bound = sum.bound;
    EXPECT_NE(bound, bound_code::nothing);
    for (int i = 0; i < 1000; ++i) sum = sum + CertifiedSum<float>::plain(0);
    EXPECT_EQ(sum.bound, bound);
}

TEST(LossBounds, OfSpecialNumbersAreWhatWasSeen) {
    using namespace bound_code;
    EXPECT_EQ(merged(3, 0xffdf), nothing);
    EXPECT_EQ(merged(3, unbounded), unbounded);
    EXPECT_EQ(merged(unbounded, special | not_a_number), special | not_a_number);
    EXPECT_EQ(merged(special | positive_infinity, special | negative_infinity), 0xfff3);
}

}  // namespace
}  // namespace coll_topo
