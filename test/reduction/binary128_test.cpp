// SPDX-License-Identifier: BSD-3-Clause
// The encodings of the 128-bit format, which is long double on some processors; here they need none of those.
#include "coll_topo/reduction/fixed_point.hpp"
#include "coll_topo/reduction/superaccumulator.hpp"
#include "test/reduction/sum_trial.hpp"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <cstdint>
#include <vector>

namespace coll_topo {
namespace {

using Format = FloatingFormat<113, 16384, 16>;
using test::Bytes, test::Random;

constexpr int least_exponent = -16494;  // of the smallest subnormal
constexpr WideInteger all_digits = (WideInteger{1} << 113) - 1;

class Number {
public:
    explicit Number(int precision) {
        mpfr_init2(number_, precision);
        mpfr_set_zero(number_, 1);
    }
    ~Number() { mpfr_clear(number_); }
    Number(const Number&) = delete;
    Number& operator=(const Number&) = delete;

    void set(Format::Bits bits) {
        const auto parts = Format::parts(bits);
        ASSERT_EQ(parts.kind, FloatingClass::finite);
        mpfr_set_uj(number_, static_cast<std::uint64_t>(parts.significand >> 64), MPFR_RNDN);
        mpfr_mul_2si(number_, number_, 64, MPFR_RNDN);
        ASSERT_EQ(mpfr_add_ui(number_, number_, static_cast<std::uint64_t>(parts.significand), MPFR_RNDN), 0);
        mpfr_mul_2si(number_, number_, parts.shift + least_exponent, MPFR_RNDN);
        if (parts.negative) mpfr_neg(number_, number_, MPFR_RNDN);
    }
    mpfr_ptr get() { return number_; }

private:
    mpfr_t number_;
};

/// Whether `result` is the sum of the operands, rounded; none of them is special or near overflow.
bool is_exact_sum(const std::vector<Format::Bits>& operands, Format::Bits result) {
    Number sum(34000), number(Format::digits), rounded(Format::digits);
    for (const Format::Bits operand : operands) {
        number.set(operand);
        EXPECT_EQ(mpfr_add(sum.get(), sum.get(), number.get(), MPFR_RNDN), 0);
    }
    int direction = mpfr_set(rounded.get(), sum.get(), MPFR_RNDN);
    number.set(result);
    const mpfr_exp_t least = mpfr_get_emin();
    mpfr_set_emin(least_exponent + 1);
    direction = mpfr_check_range(rounded.get(), direction, MPFR_RNDN);
    mpfr_subnormalize(rounded.get(), direction, MPFR_RNDN);
    const bool equal = mpfr_equal_p(rounded.get(), number.get()) != 0;
    mpfr_set_emin(least);
    return equal;
}

/// Exponent fields from `least` on, a few more, all digits random.
std::vector<Format::Bits> draw(int least, int most, Random& random) {
    std::vector<Format::Bits> operands(2 + random() % 20);
    for (Format::Bits& bits : operands) {
        const int exponent = least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
        const WideInteger digits = (static_cast<WideInteger>(random()) << 64 | random()) & all_digits;
        bits = Format::compose(random() % 2 == 0, exponent, digits);
    }
    return operands;
}

Bytes stored(const std::vector<Format::Bits>& operands) {
    Bytes values(Format::bytes * operands.size());
    for (std::size_t i = 0; i < operands.size(); ++i) Format::store(operands[i], values.data() + i * Format::bytes);
    return values;
}

Format::Bits superaccumulated(const std::vector<Format::Bits>& operands) {
    using Encoding = Superaccumulator<Format>;
    Bytes total(Encoding::encoded_bytes), one(Encoding::encoded_bytes), value(Format::bytes);
    const Bytes values = stored(operands);
    for (std::size_t i = 0; i < operands.size(); ++i) {
        Encoding::encode(values.data() + i * Format::bytes, one.data(), 1);
        Encoding::combine(one.data(), total.data(), 1);
    }
    Encoding::decode(total.data(), value.data(), 1);
    return Format::load(value.data());
}

Format::Bits fixed_point_sum(const std::vector<Format::Bits>& operands) {
    using Encoding = FixedPoint<Format>;
    Bytes largest(Encoding::exponent_bytes), exponent(Encoding::exponent_bytes);
    Bytes total(Encoding::scaled_bytes), one(Encoding::scaled_bytes), value(Format::bytes);
    const Bytes values = stored(operands);
    for (std::size_t i = 0; i < operands.size(); ++i) {
        Encoding::exponents(values.data() + i * Format::bytes, exponent.data(), 1);
        Encoding::combine_exponents(exponent.data(), largest.data(), 1);
    }
    for (std::size_t i = 0; i < operands.size(); ++i) {
        Encoding::scale(values.data() + i * Format::bytes, largest.data(), one.data(), 1);
        Encoding::combine_scaled(one.data(), total.data(), 1);
    }
    Encoding::decode(total.data(), largest.data(), value.data(), 1);
    return Format::load(value.data());
}

TEST(Binary128, SuperaccumulatorIsExactFromSubnormalToLargeNumbers) {
    Random random(24);
    for (int i = 0; i < 200; ++i) {
        for (const auto& [least, most] : {std::pair{0, 2}, {0, 300}, {16300, 16500}, {0, 32000}}) {
            const auto operands = draw(least, most, random);
            EXPECT_TRUE(is_exact_sum(operands, superaccumulated(operands))) << least << ".." << most;
        }
    }
}

TEST(Binary128, FixedPointIsExactUpToItsShift) {
    using Encoding = FixedPoint<Format>;
    static_assert(Encoding::scaled_bytes == 32 && Encoding::shift == 122);
    Random random(25);
    for (int i = 0; i < 200; ++i) {
        for (const int least : {0, 1, 16300, 32000}) {
            const auto operands = draw(least, least + Encoding::shift, random);
            EXPECT_TRUE(is_exact_sum(operands, fixed_point_sum(operands))) << least;
        }
    }
}

TEST(Binary128, OverflowsToInfinityOnlyIfTheExactSumDoes) {
    const Format::Bits most = Format::compose(false, Format::special_exponent - 1, all_digits);
    const Format::Bits half_unit = Format::compose(false, Format::special_exponent - 1 - Format::digits, 0);
    const Format::Bits least = Format::compose(true, 0, 1);
    EXPECT_TRUE(superaccumulated({most, half_unit}) == Format::infinity(false));
    EXPECT_TRUE(superaccumulated({most, half_unit, least}) == most);
    EXPECT_TRUE(superaccumulated({most, most, most | Format::sign_bit}) == most);
    EXPECT_TRUE(fixed_point_sum({most, half_unit}) == Format::infinity(false));
    EXPECT_TRUE(fixed_point_sum({most, most, most | Format::sign_bit}) == most);
    EXPECT_TRUE(superaccumulated({Format::quiet_nan(), most}) == Format::quiet_nan());
}

}  // namespace
}  // namespace coll_topo
