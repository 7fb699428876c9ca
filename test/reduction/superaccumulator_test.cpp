// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/reduction/superaccumulator.hpp"

#include "test/reduction/environments.hpp"
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
struct SuperaccumulatorTest : testing::Test {
    using Limits = std::numeric_limits<Value>;
    const ExactEncoding& encoding = superaccumulator(test::floating_type<Value>);
    Random random{20};

    Bytes encoded(Value value) const {
        Bytes bytes(encoding.encoded_bytes);
        encoding.encode(&value, bytes.data(), 1);
        return bytes;
    }
    Value decoded(const Bytes& bytes) const {
        Value value;
        std::memset(static_cast<void*>(&value), 0xff, sizeof value);
        encoding.decode(bytes.data(), &value, 1);
        EXPECT_TRUE(test::has_no_padding(value));
        return value;
    }
    void add(const Bytes& source, Bytes& target) const { encoding.combine(source.data(), target.data(), 1); }
    Value sum(const std::vector<Value>& values) const {
        Bytes total(encoding.encoded_bytes);
        for (const Value value : values) add(encoded(value), total);
        return decoded(total);
    }
    /// 2^doublings copies.
    Bytes doubled(Value value, int doublings) const {
        Bytes total = encoded(value);
        for (; doublings > 0; --doublings) add(Bytes(total), total);
        return total;
    }
    void expect_sum(const std::vector<Value>& values, Value expected) const {
        const Value result = sum(values);
        EXPECT_TRUE(test::same_bits(result, expected)) << test::show(result) << " is not " << test::show(expected);
    }
};

using FloatingTypes = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(SuperaccumulatorTest, FloatingTypes);

TYPED_TEST(SuperaccumulatorTest, SpecialValues) {
    using Limits = typename TestFixture::Limits;
    const TypeParam zero = 0, one = 1, infinity = Limits::infinity(), nan = Limits::quiet_NaN();
    this->expect_sum({}, -zero);
    this->expect_sum({-zero, -zero}, -zero);
    this->expect_sum({-zero, zero}, zero);
    this->expect_sum({one, -one}, zero);
    this->expect_sum({-zero, one, -one, -zero}, zero);
    this->expect_sum({infinity, one, -Limits::max()}, infinity);
    this->expect_sum({-infinity, Limits::max(), Limits::max()}, -infinity);
    this->expect_sum({infinity, one, -infinity}, nan);
    this->expect_sum({one, -nan}, nan);
    this->expect_sum({Limits::signaling_NaN()}, nan);
    this->expect_sum({-nan, infinity, infinity}, nan);
}

TYPED_TEST(SuperaccumulatorTest, OverflowsOnlyIfTheExactSumDoes) {
    using Limits = typename TestFixture::Limits;
    const TypeParam most = Limits::max(),
                    half_unit = std::ldexp(TypeParam{1}, Limits::max_exponent - Limits::digits - 1);
    this->expect_sum({most, most, -most}, most);
    this->expect_sum({most, half_unit}, Limits::infinity());
    this->expect_sum({-most, -half_unit}, -Limits::infinity());
    this->expect_sum({most, half_unit, -Limits::denorm_min()}, most);
    this->expect_sum({most, std::nextafter(half_unit, TypeParam{0})}, most);
}

TYPED_TEST(SuperaccumulatorTest, OneValueIsItself) {
    for (const Distribution distribution : test::all_distributions) {
        for (const TypeParam value : test::draw<TypeParam>(distribution, 200, this->random)) {
            this->expect_sum({value}, std::isnan(value) ? std::numeric_limits<TypeParam>::quiet_NaN() : value);
        }
    }
}

TYPED_TEST(SuperaccumulatorTest, RoundsSubnormalSumsExactly) {
    using Limits = typename TestFixture::Limits;
    const TypeParam least = Limits::denorm_min(), normal = Limits::min();
    this->expect_sum({least, least}, 2 * least);
    this->expect_sum({normal, -least}, normal - least);
    this->expect_sum({normal - least, least}, normal);
    this->expect_sum({-least, least}, TypeParam{0});
}

// 2^20 copies, and 2^31 of the largest number, as many ranks as there can be.
TYPED_TEST(SuperaccumulatorTest, HoldsManyOperands) {
    using Limits = typename TestFixture::Limits;
    const TypeParam most = Limits::max();
    const Bytes half = this->doubled(std::ldexp(most, -21), 20);
    EXPECT_TRUE(test::same_bits(this->decoded(half), most / 2));

    Bytes many = this->doubled(most, 31);
    EXPECT_TRUE(test::same_bits(this->decoded(many), Limits::infinity()));
    Bytes all_but_one = this->doubled(-most, 31);
    EXPECT_TRUE(test::same_bits(this->decoded(all_but_one), -Limits::infinity()));
    this->add(this->encoded(most), all_but_one);
    this->add(all_but_one, many);
    EXPECT_TRUE(test::same_bits(this->decoded(many), most));
}

// For long double a few, which are 4 KiB each.
TYPED_TEST(SuperaccumulatorTest, AMillionCopiesOneByOne) {
    constexpr int doublings = sizeof(TypeParam) > 8 ? 14 : 20;
    const TypeParam most = std::numeric_limits<TypeParam>::max();
    const Bytes copy = this->encoded(std::ldexp(most, -doublings - 1));
    Bytes total(this->encoding.encoded_bytes);
    for (int i = 0; i < 1 << doublings; ++i) this->add(copy, total);
    EXPECT_TRUE(test::same_bits(this->decoded(total), most / 2));
}

TYPED_TEST(SuperaccumulatorTest, AnyOrderAndTreeGiveTheSameEncoding) {
    const auto combine = [this](const Bytes& source, Bytes& target) { this->add(source, target); };
    for (const Distribution distribution : test::all_distributions) {
        const auto values = test::draw<TypeParam>(distribution, 50, this->random);
        std::vector<Bytes> parts;
        for (const TypeParam value : values) parts.push_back(this->encoded(value));
        const Bytes first = test::merge_at_random(parts, combine, this->random);
        for (int i = 0; i < 20; ++i) {
            EXPECT_EQ(test::merge_at_random(parts, combine, this->random), first) << test::name(distribution);
        }
    }
}

TYPED_TEST(SuperaccumulatorTest, ArraysAtAnyAddress) {
    constexpr std::size_t count = 13;
    const auto values = test::draw<TypeParam>(Distribution::specials, count, this->random);
    Bytes input(sizeof(TypeParam) * count + 1), results(input.size()),
        encoded(this->encoding.encoded_bytes * count + 1);
    std::memcpy(input.data() + 1, values.data(), sizeof(TypeParam) * count);
    this->encoding.encode(input.data() + 1, encoded.data() + 1, count);
    const Bytes source(encoded.begin() + 1, encoded.end());
    this->encoding.combine(source.data(), encoded.data() + 1, count);
    this->encoding.decode(encoded.data() + 1, results.data() + 1, count);
    for (std::size_t i = 0; i < count; ++i) {
        TypeParam result;
        std::memcpy(&result, results.data() + 1 + i * sizeof result, sizeof result);
        const TypeParam twice = this->sum({values[i], values[i]});
        EXPECT_TRUE(test::same_bits(result, twice)) << test::show(result) << " is not " << test::show(twice);
    }
}

// What must not change a sum, or change it in a known way.
TYPED_TEST(SuperaccumulatorTest, Metamorphoses) {
    for (int i = 0; i < 300; ++i) {
        const auto values = test::draw<TypeParam>(Distribution::gaussian, 20, this->random);
        const TypeParam sum = this->sum(values);
        auto changed = values;
        changed.insert(changed.end(), {TypeParam{0}, -TypeParam{0}});
        this->expect_sum(changed, sum);

        for (const TypeParam value : test::draw<TypeParam>(Distribution::wide_range, 20, this->random)) {
            changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(this->random() % changed.size()),
                           {value, -value});
        }
        std::shuffle(changed.begin(), changed.end(), this->random);
        this->expect_sum(changed, sum);

        changed = values;
        for (TypeParam& value : changed) value = -value;
        this->expect_sum(changed, -sum);

        const int exponent = static_cast<int>(this->random() % 100) - 50;
        for (TypeParam& value : changed) value = -std::ldexp(value, exponent);
        this->expect_sum(changed, std::ldexp(sum, exponent));

        changed = values;
        const TypeParam high = std::round(changed[0]);
        changed.push_back(changed[0] - high);  // exact: both are multiples of the last place of changed[0]
        changed[0] = high;
        this->expect_sum(changed, sum);
    }
}

TYPED_TEST(SuperaccumulatorTest, DoesNotDependOnTheEnvironment) {
    for (const Distribution distribution : test::all_distributions) {
        const auto values = test::draw<TypeParam>(distribution, 30, this->random);
        const TypeParam expected = test::exact_sum<TypeParam>(values);
        test::in_each_environment([&](const std::string& environment) {
            EXPECT_TRUE(test::same_bits(this->sum(values), expected))
                << test::name(distribution) << ", " << environment;
        });
    }
}

// The x87 takes these bit patterns for invalid, and a subnormal with the leading bit for the smallest normal numbers.
TEST(SuperaccumulatorOfX87, UnusualEncodings) {
    using Format = FormatOf<long double>;
    if (!Format::stores_leading_bit) GTEST_SKIP() << "long double is not the 80 bits of the x87";
    const auto sum_of = [](int exponent, std::uint64_t significand) {
        std::byte value[Format::bytes];
        Format::store(Format::compose(false, exponent, significand), value);
        Bytes encoded(superaccumulator(FloatingType::extended_precision).encoded_bytes);
        superaccumulator(FloatingType::extended_precision).encode(value, encoded.data(), 1);
        long double result;
        superaccumulator(FloatingType::extended_precision).decode(encoded.data(), &result, 1);
        return result;
    };
    constexpr std::uint64_t leading = std::uint64_t{1} << 63;
    EXPECT_TRUE(std::isnan(sum_of(0x3fff, leading >> 1)));
    EXPECT_TRUE(std::isnan(sum_of(0x7fff, 0)));
    EXPECT_TRUE(std::isnan(sum_of(0x7fff, 1)));
    EXPECT_EQ(sum_of(0x7fff, leading), std::numeric_limits<long double>::infinity());
    EXPECT_EQ(sum_of(0, leading), std::numeric_limits<long double>::min());
}

}  // namespace
}  // namespace coll_topo
