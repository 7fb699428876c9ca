// SPDX-License-Identifier: BSD-3-Clause
// Partial sums of floating-point numbers that know how exact they are. A sum of doubles or long doubles is a pair of
// them, of floats one double; beside it stands a bound of what was lost. Most sums lose nothing at all, and then the
// result is the exact sum rounded once, in whatever order the operands came.
#pragma once

#include "coll_topo/reduction/certified_bound.hpp"

namespace coll_topo {

/// What stands for a result that is not certain: a NaN of its own. A result that is a NaN is always the canonical one.
template <typename Value>
inline constexpr Value sentinel = Value(__builtin_nan("1"));
template <>
inline constexpr float sentinel<float> = __builtin_nanf("1");
template <>
inline constexpr long double sentinel<long double> = __builtin_nanl("1");

/// high + low; high is their sum rounded. -0 only if all contributions were.
template <typename Value>
struct CertifiedSum {
    static_assert(std::numeric_limits<Value>::radix == 2);
    using Low = Value;
    Value high = 0, low = 0;
    std::uint16_t bound = bound_code::nothing;

    static CertifiedSum plain(Value value) {
        const std::uint16_t code = bound_code::of(value);
        return code == bound_code::nothing ? CertifiedSum{value} : CertifiedSum{0, 0, code};
    }
    bool is_plain() const { return low == 0 && bound == bound_code::nothing; }
};

template <>
struct CertifiedSum<float> {
    using Low = double;
    double low = 0;  ///< the sum
    std::uint16_t bound = bound_code::nothing;

    static CertifiedSum plain(float value) {
        const std::uint16_t code = bound_code::of(value);
        return code == bound_code::nothing ? CertifiedSum{value} : CertifiedSum{0, code};
    }
    bool is_plain() const { return bound == bound_code::nothing && static_cast<float>(low) == low; }
};

/// Two chains of two_sum, the same for either order of the operands.
template <typename Value>
CertifiedSum<Value> added_in_full(const CertifiedSum<Value>& a, const CertifiedSum<Value>& b) {
    if (const std::uint16_t code = bound_code::merged(a.bound, b.bound)) return {0, 0, code};
    // A long double that is itself a pair, as on some POWER machines: two_sum does not hold.
    if constexpr (!std::numeric_limits<Value>::is_iec559) return {0, 0, bound_code::unbounded};
    const auto [s, e] = two_sum(a.high, b.high);
    const auto [t, f] = two_sum(a.low, b.low);
    const auto [u, g] = two_sum(e, t);
    const auto [p, v] = two_sum(s, u);
    const auto [w, c] = two_sum(g, f);
    const auto [q, r] = two_sum(v, w);
    const auto [high, low] = two_sum(p, q);
    const std::uint16_t bound = added_bounds(decoded_bound<Value>(a.bound), decoded_bound<Value>(b.bound), r, c);
    if (!std::isfinite(low) || bound >= bound_code::unbounded) return {0, 0, bound_code::unbounded};
    // Of zeros only the sum of the high parts has the right sign.
    return {high == 0 && s == 0 ? s : high, low, bound};
}

/// The same, without the steps that have no effect on two plain sums; kernels for plain operands omit these steps as
/// well.
template <typename Value>
CertifiedSum<Value> operator+(const CertifiedSum<Value>& a, const CertifiedSum<Value>& b) {
    if (a.is_plain() && b.is_plain() && std::numeric_limits<Value>::is_iec559) {
        const auto [high, low] = two_sum(a.high, b.high);
        if (std::isfinite(low)) return {high, low};
    }
    return added_in_full(a, b);
}

inline CertifiedSum<float> operator+(const CertifiedSum<float>& a, const CertifiedSum<float>& b) {
    if (const std::uint16_t code = bound_code::merged(a.bound, b.bound)) return {0, code};
    const auto [sum, lost] = two_sum(a.low, b.low);
    const std::uint16_t bound = added_bounds(decoded_bound<double>(a.bound), decoded_bound<double>(b.bound), lost, 0.0);
    if (!std::isfinite(sum) || bound >= bound_code::unbounded) return {0, bound_code::unbounded};
    return {sum, bound};
}

/// What a code without numbers stands for.
template <typename Value>
Value special_value(std::uint16_t code) {
    using Limits = std::numeric_limits<Value>;
    switch (code) {
        case bound_code::unbounded:
            return sentinel<Value>;
        case bound_code::special | bound_code::positive_infinity:
            return Limits::infinity();
        case bound_code::special | bound_code::negative_infinity:
            return -Limits::infinity();
        default:
            return Limits::quiet_NaN();
    }
}

/// More than the bound and all that is rounded where it is added to and taken from `low`.
template <typename Low>
Low uncertainty(Low low, std::uint16_t bound) {
    using Limits = std::numeric_limits<Low>;
    return decoded_bound<Low>(bound) * (1 + 4 * Limits::epsilon()) + std::abs(low) * Limits::epsilon() +
           Limits::denorm_min();
}

/// The exact sum rounded to nearest, ties to even, or the sentinel where the bound leaves a choice.
template <typename Value>
Value rounded(const CertifiedSum<Value>& sum) {
    if (sum.bound == bound_code::nothing) return sum.high;
    if (sum.bound >= bound_code::unbounded) return special_value<Value>(sum.bound);
    const Value doubt = uncertainty(sum.low, sum.bound);
    const Value least = sum.high + (sum.low - doubt), most = sum.high + (sum.low + doubt);
    return least == most ? least : sentinel<Value>;
}

inline float rounded(const CertifiedSum<float>& sum) {
    if (sum.bound == bound_code::nothing) return static_cast<float>(sum.low);
    if (sum.bound >= bound_code::unbounded) return special_value<float>(sum.bound);
    const double doubt = uncertainty(sum.low, sum.bound);
    const float least = static_cast<float>(sum.low - doubt), most = static_cast<float>(sum.low + doubt);
    return least == most ? most : sentinel<float>;
}

}  // namespace coll_topo
