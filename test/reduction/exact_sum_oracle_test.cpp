// SPDX-License-Identifier: BSD-3-Clause
// The encodings against sums by MPFR. COLL_TOPO_PROOF=full in the environment makes that ten million.
#include "coll_topo/reduction/exact_encoding.hpp"
#include "test/reduction/fixed_point_bounds.hpp"
#include "test/reduction/oracle.hpp"
#include "test/reduction/proof_run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace coll_topo {
namespace {

using test::Bytes, test::Random, test::SumTrial;

template <class Value>
std::string check_superaccumulator(const SumTrial<Value>& trial, Random& random) {
    const ExactEncoding& encoding = superaccumulator(test::floating_type<Value>);
    std::vector<Bytes> parts;
    for (const auto& operands : trial.operands) {
        parts.emplace_back(encoding.encoded_bytes * trial.count());
        encoding.encode(operands.data(), parts.back().data(), trial.count());
    }
    const Bytes sum = test::merge_at_random(
        parts,
        [&](const Bytes& source, Bytes& target) { encoding.combine(source.data(), target.data(), trial.count()); },
        random);
    std::vector<Value> results(trial.count());
    encoding.decode(sum.data(), results.data(), trial.count());
    for (std::size_t i = 0; i < trial.count(); ++i) {
        if (!test::same_bits(results[i], trial.sums[i])) return test::wrong("superaccumulator", trial, i, results[i]);
    }
    return {};
}

/// The results of the two passes of the fixed-point scheme.
template <class Value>
std::vector<Value> fixed_point_sums(const SumTrial<Value>& trial, Random& random) {
    const FixedPointEncoding& encoding = fixed_point(test::floating_type<Value>);
    std::vector<Bytes> parts;
    for (const auto& operands : trial.operands) {
        parts.emplace_back(encoding.exponent_bytes * trial.count());
        encoding.exponents(operands.data(), parts.back().data(), trial.count());
    }
    const Bytes largest = test::merge_at_random(
        parts,
        [&](const Bytes& source, Bytes& target) {
            encoding.combine_exponents(source.data(), target.data(), trial.count());
        },
        random);
    parts.clear();
    for (const auto& operands : trial.operands) {
        parts.emplace_back(encoding.scaled_bytes * trial.count());
        encoding.scale(operands.data(), largest.data(), parts.back().data(), trial.count());
    }
    const Bytes sum = test::merge_at_random(
        parts,
        [&](const Bytes& source, Bytes& target) {
            encoding.combine_scaled(source.data(), target.data(), trial.count());
        },
        random);
    std::vector<Value> results(trial.count());
    encoding.decode(sum.data(), largest.data(), results.data(), trial.count());
    return results;
}

template <class Value>
std::string check_fixed_point(const SumTrial<Value>& trial, Random& random) {
    const std::vector<Value> results = fixed_point_sums(trial, random);
    for (std::size_t i = 0; i < trial.count(); ++i) {
        if (test::same_bits(results[i], trial.sums[i])) continue;
        const auto bounds = test::fixed_point_bounds<Value>(trial.operands_of(i));
        if (!bounds.hold(results[i])) return test::wrong("fixed point", trial, i, results[i]);
    }
    return {};
}

template <class Value>
struct ExactSumProof : testing::Test {};
using FloatingTypes = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(ExactSumProof, FloatingTypes);

TYPED_TEST(ExactSumProof, EncodingsGiveWhatTheOracleGives) {
    test::prove<TypeParam>(test::proof_sums<TypeParam>(), test::all_distributions,
                           [](const SumTrial<TypeParam>& trial, Random& random) {
                               const std::string wrong = check_superaccumulator(trial, random);
                               return wrong.empty() ? check_fixed_point(trial, random) : wrong;
                           });
}

// The oracle itself, where the sum is known without it.
TYPED_TEST(ExactSumProof, OracleKnowsTheContract) {
    using Limits = std::numeric_limits<TypeParam>;
    const TypeParam zero = 0, one = 1, half_unit = Limits::epsilon() / 2, infinity = Limits::infinity();
    const TypeParam least = Limits::denorm_min(), most = Limits::max();
    const TypeParam beyond = std::ldexp(one, Limits::max_exponent - Limits::digits - 1);
    struct Case {
        std::vector<TypeParam> operands;
        TypeParam sum;
    };
    const Case cases[] = {
        {{-zero, -zero}, -zero},
        {{zero, -zero}, zero},
        {{one, -one}, zero},
        {{one, half_unit}, one},
        {{one, half_unit, least}, one + Limits::epsilon()},
        {{one + Limits::epsilon(), half_unit}, one + 2 * Limits::epsilon()},
        {{least, least, least}, 3 * least},
        {{most, beyond}, infinity},
        {{most, beyond, -least}, most},
        {{most, most, -most}, most},
        {{infinity, -most}, infinity},
        {{infinity, -infinity}, Limits::quiet_NaN()},
        {{-Limits::quiet_NaN(), infinity}, Limits::quiet_NaN()},
    };
    for (const Case& known : cases) {
        const TypeParam sum = test::exact_sum<TypeParam>(known.operands);
        EXPECT_TRUE(test::same_bits(sum, known.sum)) << test::show(sum) << " is not " << test::show(known.sum);
    }
}

}  // namespace
}  // namespace coll_topo
