// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/reduction/ordered_extremes.hpp"

#include "coll_topo/reduction/floating_format.hpp"
#include "test/reduction/environments.hpp"
#include "test/reduction/oracle.hpp"
#include "test/reduction/sum_trial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace coll_topo {
namespace {

using test::Bytes, test::Random;

constexpr bool both[] = {true, false};

template <class Value>
constexpr ExtremeElement number_element = static_cast<ExtremeElement>(test::floating_type<Value>);

/// Numbers that are easily confused, and some others.
template <class Value>
std::vector<Value> numbers() {
    using Limits = std::numeric_limits<Value>;
    return {-Value{0},
            Value{0},
            Limits::denorm_min(),
            -Limits::denorm_min(),
            1,
            -1,
            Limits::max(),
            -Limits::max(),
            Limits::infinity(),
            -Limits::infinity(),
            Limits::quiet_NaN(),
            -Limits::quiet_NaN(),
            Limits::min()};
}

/// By the rules, in floating-point arithmetic: whether `a` is greater, -0 below +0; no NaN.
template <class Value>
bool greater(Value a, Value b) {
    return a > b || (a == b && std::signbit(b) && !std::signbit(a));
}

template <class Value>
Value expected_extreme(bool largest, Value a, Value b) {
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<Value>::quiet_NaN();
    return greater(a, b) == largest ? a : b;
}

template <class Value>
struct ExtremesTest : testing::Test {
    static CombineExtremes function(bool largest) {
        return combine_extremes(largest ? ExtremeOperation::maximum : ExtremeOperation::minimum, number_element<Value>);
    }
    static Value combined(bool largest, Value a, Value b) {
        Bytes source(sizeof a), target(sizeof b, std::byte{0xff});
        std::memcpy(source.data(), &a, sizeof a);
        std::memcpy(target.data(), &b, sizeof b);
        function(largest)(source.data(), target.data(), 1);
        Value result;
        std::memcpy(static_cast<void*>(&result), target.data(), sizeof result);
        EXPECT_TRUE(test::has_no_padding(result));
        return result;
    }
};

using FloatingTypes = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(ExtremesTest, FloatingTypes);

TYPED_TEST(ExtremesTest, AllPairsInEveryEnvironment) {
    const auto values = numbers<TypeParam>();
    for (const bool largest : both) {
        for (const TypeParam a : values) {
            for (const TypeParam b : values) {
                const TypeParam expected = expected_extreme(largest, a, b);
                test::in_each_environment([&](const std::string& environment) {
                    const TypeParam result = this->combined(largest, a, b);
                    EXPECT_TRUE(test::same_bits(result, expected))
                        << test::show(result) << " of " << test::show(a) << " and " << test::show(b) << environment;
                });
            }
        }
    }
}

TYPED_TEST(ExtremesTest, RandomArraysAtAnyAddress) {
    Random random(22);
    for (const bool largest : both) {
        for (const test::Distribution distribution : test::all_distributions) {
            const auto a = test::draw<TypeParam>(distribution, 100, random);
            auto b = test::draw<TypeParam>(distribution, 100, random);
            b.resize(a.size());
            Bytes source(sizeof(TypeParam) * a.size() + 1), target(source.size());
            std::memcpy(source.data() + 1, a.data(), source.size() - 1);
            std::memcpy(target.data() + 1, b.data(), target.size() - 1);
            this->function(largest)(source.data() + 1, target.data() + 1, a.size());
            for (std::size_t i = 0; i < a.size(); ++i) {
                TypeParam result;
                std::memcpy(static_cast<void*>(&result), target.data() + 1 + i * sizeof result, sizeof result);
                EXPECT_TRUE(test::same_bits(result, expected_extreme(largest, a[i], b[i]))) << test::show(result);
            }
        }
    }
}

template <class Value_, class Index_, ExtremeElement element_>
struct PairType {
    using Value = Value_;
    using Index = Index_;
    static constexpr ExtremeElement element = element_;
    struct Pair {
        Value value;
        Index index;
    };
};

template <class Type>
struct LocationsTest : testing::Test {
    using Pair = typename Type::Pair;
    using Value = typename Type::Value;

    static CombineExtremes function(bool largest) {
        return combine_extremes(largest ? ExtremeOperation::maximum_location : ExtremeOperation::minimum_location,
                                Type::element);
    }
    /// With padding of 0xff, which must not come through.
    static Bytes bytes_of(Value value, int index, std::byte padding = std::byte{0xff}) {
        const auto its_index = static_cast<typename Type::Index>(index);
        Bytes bytes(sizeof(Pair), padding);
        std::memcpy(bytes.data(), &value, FormatOf<Value>::stored_bits / 8);
        std::memcpy(bytes.data() + offsetof(Pair, index), &its_index, sizeof its_index);
        return bytes;
    }
    static Bytes combined(bool largest, const Bytes& source, Bytes target) {
        function(largest)(source.data(), target.data(), 1);
        return target;
    }
    /// By the rules.
    static Bytes expected(bool largest, Value a, int a_index, Value b, int b_index) {
        constexpr Value nan = std::numeric_limits<Value>::quiet_NaN();
        if (std::isnan(a) != std::isnan(b)) return bytes_of(nan, std::isnan(a) ? a_index : b_index, std::byte{0});
        if (std::isnan(a)) return bytes_of(nan, std::min(a_index, b_index), std::byte{0});
        bool first = largest ? a > b : a < b;
        if (a == b) first = a_index != b_index ? a_index < b_index : greater(a, b) == largest;
        return first ? bytes_of(a, a_index, std::byte{0}) : bytes_of(b, b_index, std::byte{0});
    }
    std::vector<Bytes> all_pairs() const {
        std::vector<Bytes> pairs;
        for (const Value value : numbers<Value>()) {
            for (const int index : {-1, 0, 7}) pairs.push_back(bytes_of(value, index));
        }
        return pairs;
    }
};

using PairTypes =
    testing::Types<PairType<float, int, ExtremeElement::float_int>, PairType<double, int, ExtremeElement::double_int>,
                   PairType<long double, int, ExtremeElement::long_double_int>,
                   PairType<float, float, ExtremeElement::two_real>,
                   PairType<double, double, ExtremeElement::two_double_precision>>;
TYPED_TEST_SUITE(LocationsTest, PairTypes);

TYPED_TEST(LocationsTest, AllPairsInEveryEnvironment) {
    const auto values = numbers<typename TypeParam::Value>();
    for (const bool largest : both) {
        for (const auto a : values) {
            for (const auto b : values) {
                for (const int b_index : {2, 3, 4}) {
                    const Bytes expected = this->expected(largest, a, 3, b, b_index);
                    const Bytes left = this->bytes_of(a, 3), right = this->bytes_of(b, b_index);
                    test::in_each_environment([&](const std::string& environment) {
                        EXPECT_EQ(this->combined(largest, left, right), expected)
                            << test::show(a) << " at 3, " << test::show(b) << " at " << b_index << ", " << environment;
                    });
                }
            }
        }
    }
}

TYPED_TEST(LocationsTest, AreCommutativeAndAssociative) {
    const std::vector<Bytes> pairs = this->all_pairs();
    for (const bool largest : both) {
        for (const Bytes& a : pairs) {
            for (const Bytes& b : pairs) {
                const Bytes ab = this->combined(largest, a, b);
                ASSERT_EQ(ab, this->combined(largest, b, a));
                for (const Bytes& c : pairs) {
                    ASSERT_EQ(this->combined(largest, ab, c),
                              this->combined(largest, a, this->combined(largest, b, c)));
                }
            }
        }
    }
}

TYPED_TEST(LocationsTest, AnyTreeOfAnArrayGivesTheSameBits) {
    constexpr std::size_t count = 5;
    Random random(23);
    const auto values = numbers<typename TypeParam::Value>();
    for (const bool largest : both) {
        std::vector<Bytes> parts(20);
        for (Bytes& part : parts) {
            for (std::size_t i = 0; i < count; ++i) {
                const Bytes pair = this->bytes_of(values[random() % values.size()], static_cast<int>(random() % 4));
                part.insert(part.end(), pair.begin(), pair.end());
            }
        }
        const auto combine = [&](const Bytes& source, Bytes& target) {
            this->function(largest)(source.data(), target.data(), count);
        };
        const Bytes first = test::merge_at_random(parts, combine, random);
        for (int i = 0; i < 50; ++i) EXPECT_EQ(test::merge_at_random(parts, combine, random), first);
    }
}

TEST(CombineExtremes, IsNullWhereItMakesNoSense) {
    for (const auto operation : {ExtremeOperation::maximum, ExtremeOperation::minimum}) {
        EXPECT_EQ(combine_extremes(operation, ExtremeElement::float_int), nullptr);
        EXPECT_EQ(combine_extremes(operation, ExtremeElement::two_double_precision), nullptr);
    }
    for (const auto operation : {ExtremeOperation::maximum_location, ExtremeOperation::minimum_location}) {
        EXPECT_EQ(combine_extremes(operation, ExtremeElement::single_precision), nullptr);
        EXPECT_EQ(combine_extremes(operation, ExtremeElement::extended_precision), nullptr);
    }
}

}  // namespace
}  // namespace coll_topo
