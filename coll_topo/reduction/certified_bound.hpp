// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>

#ifdef __FAST_MATH__
#error "Exact sums need IEEE arithmetic: compile without -ffast-math."
#endif

namespace coll_topo {

static_assert(FLT_EVAL_METHOD == 0, "exact sums need every operation rounded to its type; on 32-bit x86: -mfpmath=sse");

/// What a partial sum says in 16 bits about what was lost of it: 0 is nothing, codes up to `unbounded` an upper bound
/// of its absolute value, in a form that depends on the type (encoded_bound()). 0xffff is not used: see unpacked_mark.
namespace bound_code {
inline constexpr std::uint16_t nothing = 0;
inline constexpr std::uint16_t unbounded = 0xffe0;  ///< something overflowed; the sum may be any number
/// The contributions were not all finite: special | flags of what was seen. The numbers say nothing then.
inline constexpr std::uint16_t special = 0xfff0;
inline constexpr std::uint16_t positive_infinity = 1, negative_infinity = 2, not_a_number = 4;

/// What follows from two codes without looking at the numbers, or `nothing` if both are bounds.
constexpr std::uint16_t merged(std::uint16_t a, std::uint16_t b) {
    if (a < unbounded && b < unbounded) return nothing;
    if (a < special && b < special) return unbounded;
    if (a < special) return b;
    if (b < special) return a;
    return a | b;
}

/// That of a contribution.
template <typename Value>
std::uint16_t of(Value value) {
    if (std::isnan(value)) return special | not_a_number;
    if (std::isinf(value)) return special | (value > 0 ? positive_infinity : negative_infinity);
    return nothing;
}
}  // namespace bound_code

/// The bound behind a code; not finite for `unbounded` and above. Of float and double sums bits 62 to 47 of a double.
template <typename Float>
Float decoded_bound(std::uint16_t code);
template <>
inline double decoded_bound<double>(std::uint16_t code) {
    return std::bit_cast<double>(std::uint64_t{code} << 47);
}

/// The smallest code that bounds `lost` >= 0; at least 1 if that is not 0, `unbounded` if it is too large or a NaN.
inline std::uint16_t encoded_bound(double lost) {
    if (!std::isfinite(lost)) return bound_code::unbounded;
    return static_cast<std::uint16_t>((std::bit_cast<std::uint64_t>(lost) + ((std::uint64_t{1} << 47) - 1)) >> 47);
}

/// Of long double sums a power of two, as its exponent counted from 1 for the smallest number: a code has no room for
/// more than the range of 15 bits of exponent.
template <>
inline long double decoded_bound<long double>(std::uint16_t code) {
    using Limits = std::numeric_limits<long double>;
    if (code == bound_code::nothing) return 0;
    if (code >= bound_code::unbounded) return Limits::infinity();
    return std::ldexp(1.0L, code - 1 + Limits::min_exponent - Limits::digits);
}
inline std::uint16_t encoded_bound(long double lost) {
    using Limits = std::numeric_limits<long double>;
    if (!std::isfinite(lost)) return bound_code::unbounded;
    if (lost == 0) return bound_code::nothing;
    int exponent = 0;
    if (std::frexp(lost, &exponent) == 0.5L) --exponent;
    return static_cast<std::uint16_t>(exponent + 1 - (Limits::min_exponent - Limits::digits));
}

/// A rounded sum and what rounding took: sum + error is exact unless something overflows.
template <typename Float>
struct TwoSum {
    Float sum, error;
};

template <typename Float>
TwoSum<Float> two_sum_in_order(Float a, Float b) {
    const Float sum = a + b, of_b = sum - a;
    return {sum, (a - (sum - of_b)) + (b - of_b)};
}

template <typename Float>
TwoSum<Float> two_sum(Float a, Float b) {
    const auto result = two_sum_in_order(a, b);
    if (std::isfinite(result.error)) return result;
    // Next to the largest number there is, one order can overflow on the way though the sum does not.
    return two_sum_in_order(b, a);
}

/// The code for two bounds and two numbers lost.
template <typename Float>
std::uint16_t added_bounds(Float bound_a, Float bound_b, Float lost, Float lost_too) {
    if (bound_a == 0 && bound_b == 0 && lost == 0 && lost_too == 0) return bound_code::nothing;
    const auto bounds = two_sum(bound_a, bound_b);
    const auto losses = two_sum(std::abs(lost), std::abs(lost_too));
    const auto total = two_sum(bounds.sum, losses.sum);
    // Raised only where it was rounded: a bound that merely passes through must not grow.
    const bool exact = bounds.error == 0 && losses.error == 0 && total.error == 0;
    return encoded_bound(exact ? total.sum : total.sum * (1 + 8 * std::numeric_limits<Float>::epsilon()));
}

}  // namespace coll_topo
