// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/reduction/fixed_point.hpp"

#include "test/reduction/environments.hpp"
#include "test/reduction/fixed_point_bounds.hpp"
#include "test/reduction/oracle.hpp"
#include "test/reduction/sum_trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace coll_topo {
namespace {

using test::Bytes, test::Distribution, test::Random;

template <class Value>
struct FixedPointTest : testing::Test {
    using Limits = std::numeric_limits<Value>;
    static constexpr int shift = FixedPoint<FormatOf<Value>>::shift;
    const FixedPointEncoding& encoding = fixed_point(test::floating_type<Value>);
    Random random{21};

    Bytes exponent(Value value) const {
        Bytes bytes(encoding.exponent_bytes);
        encoding.exponents(&value, bytes.data(), 1);
        return bytes;
    }
    Bytes scaled(Value value, const Bytes& exponent) const {
        Bytes bytes(encoding.scaled_bytes);
        encoding.scale(&value, exponent.data(), bytes.data(), 1);
        return bytes;
    }
    void add(const Bytes& source, Bytes& target) const { encoding.combine_scaled(source.data(), target.data(), 1); }
    Value decoded(const Bytes& scaled, const Bytes& exponent) const {
        Value value;
        std::memset(static_cast<void*>(&value), 0xff, sizeof value);
        encoding.decode(scaled.data(), exponent.data(), &value, 1);
        EXPECT_TRUE(test::has_no_padding(value));
        return value;
    }
    /// Both passes, each in a random tree.
    Value sum(const std::vector<Value>& values) {
        std::vector<Bytes> parts;
        for (const Value value : values) parts.push_back(exponent(value));
        const Bytes largest = test::merge_at_random(
            parts,
            [this](const Bytes& source, Bytes& target) { encoding.combine_exponents(source.data(), target.data(), 1); },
            random);
        parts.clear();
        for (const Value value : values) parts.push_back(scaled(value, largest));
        const auto combine = [this](const Bytes& source, Bytes& target) { add(source, target); };
        return decoded(test::merge_at_random(parts, combine, random), largest);
    }
    void expect_sum(const std::vector<Value>& values, Value expected) {
        const Value result = sum(values);
        EXPECT_TRUE(test::same_bits(result, expected)) << test::show(result) << " is not " << test::show(expected);
    }
};

using FloatingTypes = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(FixedPointTest, FloatingTypes);

TYPED_TEST(FixedPointTest, SpecialValues) {
    using Limits = typename TestFixture::Limits;
    const TypeParam zero = 0, one = 1, infinity = Limits::infinity(), nan = Limits::quiet_NaN();
    this->expect_sum({-zero, -zero}, -zero);
    this->expect_sum({-zero, zero}, zero);
    this->expect_sum({one, -one}, zero);
    this->expect_sum({infinity, one, -Limits::max(), zero}, infinity);
    this->expect_sum({-infinity, Limits::max(), -zero}, -infinity);
    this->expect_sum({infinity, one, -infinity}, nan);
    this->expect_sum({one, -nan, zero}, nan);
    this->expect_sum({-nan, infinity, infinity}, nan);
    this->expect_sum({Limits::max(), Limits::max()}, infinity);
    this->expect_sum({Limits::max(), Limits::max(), -Limits::max()}, Limits::max());
}

TYPED_TEST(FixedPointTest, IsExactUpToTheShiftAndCutsMagnitudesBeyond) {
    using Limits = typename TestFixture::Limits;
    const TypeParam one = 1, all_ones = 2 - Limits::epsilon();
    const TypeParam last = std::ldexp(all_ones, -this->shift), beyond = std::ldexp(all_ones, -this->shift - 1);
    const TypeParam cut = std::ldexp(all_ones - Limits::epsilon(), -this->shift - 1);
    this->expect_sum({one, last, -one}, last);
    this->expect_sum({one, beyond, -one}, cut);
    this->expect_sum({one, -beyond, -one}, -cut);
    const TypeParam unit = std::ldexp(Limits::epsilon(), -this->shift);
    this->expect_sum({one, unit, -one}, unit);
    this->expect_sum({one, std::ldexp(all_ones, -this->shift - Limits::digits), -one}, TypeParam{0});
}

TYPED_TEST(FixedPointTest, NegatedOperandsGiveTheNegatedSum) {
    for (const Distribution distribution :
         {Distribution::gaussian, Distribution::wide_range, Distribution::subnormal}) {
        for (int i = 0; i < 200; ++i) {
            auto values = test::draw<TypeParam>(distribution, 20, this->random);
            const TypeParam sum = this->sum(values);
            for (TypeParam& value : values) value = -value;
            this->expect_sum(values, sum == 0 ? sum : -sum);
        }
    }
}

TYPED_TEST(FixedPointTest, AnyTreeGivesTheSameBits) {
    for (const Distribution distribution : test::all_distributions) {
        auto values = test::draw<TypeParam>(distribution, 50, this->random);
        const TypeParam first = this->sum(values);
        for (int i = 0; i < 20; ++i) {
            std::shuffle(values.begin(), values.end(), this->random);
            this->expect_sum(values, first);
        }
    }
}

TYPED_TEST(FixedPointTest, IsAsAccurateAsItSays) {
    int exact = 0, cut = 0;
    for (const Distribution distribution : test::all_distributions) {
        for (int i = 0; i < 300; ++i) {
            const auto values = test::draw<TypeParam>(distribution, test::draw_count(60, this->random), this->random);
            const auto bounds = test::fixed_point_bounds<TypeParam>(values);
            EXPECT_TRUE(bounds.hold(this->sum(values))) << test::name(distribution) << ", " << values.size();
            ++(bounds.exact ? exact : cut);
        }
    }
    EXPECT_GT(exact, 100);
    EXPECT_GT(cut, 100);
}

// The most that 2^20 ranks can add up to, with the significand full, and 2^20 copies of what is half the largest
// number.
TYPED_TEST(FixedPointTest, HoldsAMillionOperands) {
    using Limits = typename TestFixture::Limits;
    for (const TypeParam sign : {TypeParam{1}, TypeParam{-1}}) {
        const TypeParam most = sign * Limits::max();
        const Bytes largest = this->exponent(most);
        Bytes total(this->encoding.scaled_bytes);
        const Bytes operand = this->scaled(most, largest);
        for (int i = 0; i < 1 << 20; ++i) this->add(operand, total);
        EXPECT_TRUE(test::same_bits(this->decoded(total, largest), sign * Limits::infinity()));
        const Bytes opposite = this->scaled(-most, largest);
        for (int i = 1; i < 1 << 20; ++i) this->add(opposite, total);
        EXPECT_TRUE(test::same_bits(this->decoded(total, largest), most));

        const TypeParam small = std::ldexp(most, -21);
        const Bytes its_exponent = this->exponent(small), copy = this->scaled(small, its_exponent);
        total.assign(total.size(), std::byte{0});
        for (int i = 0; i < 1 << 20; ++i) this->add(copy, total);
        EXPECT_TRUE(test::same_bits(this->decoded(total, its_exponent), most / 2));
    }
}

TYPED_TEST(FixedPointTest, ArraysAtAnyAddress) {
    constexpr std::size_t count = 13;
    const auto values = test::draw<TypeParam>(Distribution::wide_range, count, this->random);
    const auto& encoding = this->encoding;
    Bytes input(sizeof(TypeParam) * count + 1), results(input.size()), exponents(encoding.exponent_bytes * count + 1),
        scaled(encoding.scaled_bytes * count + 1);
    std::memcpy(input.data() + 1, values.data(), sizeof(TypeParam) * count);
    encoding.exponents(input.data() + 1, exponents.data() + 1, count);
    encoding.combine_exponents(Bytes(exponents).data() + 1, exponents.data() + 1, count);
    encoding.scale(input.data() + 1, exponents.data() + 1, scaled.data() + 1, count);
    encoding.combine_scaled(Bytes(scaled).data() + 1, scaled.data() + 1, count);
    encoding.decode(scaled.data() + 1, exponents.data() + 1, results.data() + 1, count);
    for (std::size_t i = 0; i < count; ++i) {
        TypeParam result;
        std::memcpy(&result, results.data() + 1 + i * sizeof result, sizeof result);
        EXPECT_TRUE(test::same_bits(result, 2 * values[i])) << test::show(result);
    }
}

TYPED_TEST(FixedPointTest, DoesNotDependOnTheEnvironment) {
    for (const Distribution distribution : test::all_distributions) {
        const auto values = test::draw<TypeParam>(distribution, 30, this->random);
        const TypeParam expected = this->sum(values);
        test::in_each_environment([&](const std::string& environment) {
            EXPECT_TRUE(test::same_bits(this->sum(values), expected))
                << test::name(distribution) << ", " << environment;
        });
    }
}

}  // namespace
}  // namespace coll_topo
