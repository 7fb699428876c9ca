// SPDX-License-Identifier: BSD-3-Clause
// Numbers to sum, a reference that adds them exactly, and arrays of certified sums, for the tests of the kernels.
#pragma once

#include "coll_topo/reduction/certified_kernels.hpp"
#include "coll_topo/reduction/certified_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

namespace coll_topo {

template <typename Value>
constexpr FloatingType floating_type = std::is_same_v<Value, float>    ? FloatingType::single_precision
                                       : std::is_same_v<Value, double> ? FloatingType::double_precision
                                                                       : FloatingType::extended_precision;

/// A sum of finite Values as one long integer of 32-bit digits, in units of the smallest of them.
template <typename Value>
class ExactReference {
public:
    void add(Value value) {
        int exponent = 0;
        const auto fraction = static_cast<long double>(std::frexp(std::abs(value), &exponent));
        auto digits = static_cast<std::uint64_t>(std::ldexp(fraction, Limits::digits));
        int position = exponent - Limits::digits - lowest;
        // Subnormal numbers end in zeros.
        if (position < 0) digits >>= -position, position = 0;
        for (int i = position / 32; digits != 0; ++i, digits >>= 32) {
            const std::uint64_t piece = (digits & 0xffffffff) << (position % 32);
            digits_[i] += std::signbit(value) ? -static_cast<std::int64_t>(piece & 0xffffffff) : piece & 0xffffffff;
            digits_[i + 1] += std::signbit(value) ? -static_cast<std::int64_t>(piece >> 32) : piece >> 32;
        }
    }

    /// -1, 0 or 1. Brings all digits but the last into [0, 2^32), so the last has the sign.
    int sign() {
        for (std::size_t i = 0; i + 1 < digits_.size(); ++i) {
            digits_[i + 1] += digits_[i] >> 32;
            digits_[i] &= 0xffffffff;
        }
        if (digits_.back() < 0) return -1;
        for (const std::int64_t digit : digits_)
            if (digit != 0) return 1;
        return 0;
    }

    /// To nearest, ties to even. 0 is +0.
    Value rounded() {
        const int sign_of_sum = sign();
        if (sign_of_sum == 0) return 0;
        ExactReference magnitude = *this;
        if (sign_of_sum < 0)
            for (std::int64_t& digit : magnitude.digits_) digit = -digit;
        magnitude.sign();
        int top = static_cast<int>(digits_.size()) * 32 - 1;
        while (!magnitude.bit(top)) --top;
        const int last = std::max(0, top - Limits::digits + 1);
        std::uint64_t kept = 0;
        for (int i = top; i >= last; --i) kept = kept << 1 | magnitude.bit(i);
        bool below = false;
        for (int i = 0; i < last - 1; ++i) below |= magnitude.bit(i);
        const bool up = last > 0 && magnitude.bit(last - 1) && (below || (kept & 1) != 0);
        const auto value = std::ldexp(static_cast<long double>(kept) + up, last + lowest);
        return static_cast<Value>(sign_of_sum < 0 ? -value : value);
    }

private:
    using Limits = std::numeric_limits<Value>;
    static constexpr int lowest = Limits::min_exponent - Limits::digits;
    static_assert(Limits::digits <= 64);

    bool bit(int index) const { return (digits_[index / 32] >> (index % 32) & 1) != 0; }

    std::array<std::int64_t, (Limits::max_exponent - lowest + 31) / 32 + 2> digits_{};
};

enum class Numbers { normal, wide, subnormal, huge, ties, cancelling, zeros, special, all };
inline constexpr Numbers finite_numbers[] = {Numbers::normal, Numbers::wide,       Numbers::subnormal, Numbers::huge,
                                             Numbers::ties,   Numbers::cancelling, Numbers::zeros};

template <typename Value>
Value random_number(Numbers kind, std::mt19937_64& random) {
    using Limits = std::numeric_limits<Value>;
    const auto one_of = [&](int count) { return static_cast<int>(random() % count); };
    const auto scaled = [&](int exponent) {
        const Value fraction = std::uniform_real_distribution<Value>(-1, 1)(random);
        return std::ldexp(fraction, exponent);
    };
    switch (kind) {
        case Numbers::normal:
            return static_cast<Value>(std::normal_distribution<double>()(random));
        case Numbers::wide:
            return scaled(Limits::min_exponent + one_of(Limits::max_exponent - Limits::min_exponent - 8));
        case Numbers::subnormal:
            return scaled(Limits::min_exponent - Limits::digits + one_of(2 * Limits::digits));
        case Numbers::huge: {
            const Value largest[] = {Limits::max(), -Limits::max(), scaled(Limits::max_exponent),
                                     scaled(Limits::max_exponent - Limits::digits + one_of(5))};
            return largest[one_of(4)];
        }
        case Numbers::ties:
            return std::ldexp(static_cast<Value>(one_of(5) - 2), -one_of(4) * Limits::digits / 2);
        case Numbers::cancelling: {
            const Value pairs[] = {1, -1, std::ldexp(Value(1), 60), -std::ldexp(Value(1), 60), scaled(-70), scaled(50)};
            return pairs[one_of(6)];
        }
        case Numbers::zeros:
            return one_of(4) == 0 ? Value(0) : -Value(0);
        case Numbers::special: {
            const Value values[] = {Limits::infinity(), -Limits::infinity(), -Limits::quiet_NaN(),
                                    Limits::signaling_NaN(), sentinel<Value>};
            return values[one_of(5)];
        }
        case Numbers::all:
            break;
    }
    constexpr Numbers kinds[] = {Numbers::normal,     Numbers::normal, Numbers::wide,
                                 Numbers::subnormal,  Numbers::huge,   Numbers::ties,
                                 Numbers::cancelling, Numbers::zeros,  Numbers::special};
    return random_number<Value>(kinds[one_of(9)], random);
}

/// Those that ExactReference takes: not the 113 digits of ARM64.
using TestedTypes = std::conditional_t<std::numeric_limits<long double>::digits <= 64,
                                       testing::Types<float, double, long double>, testing::Types<float, double>>;

/// The bits that mean something; of a long double the first 10 bytes.
template <typename Value>
bool same_bits(Value a, Value b) {
    return std::memcmp(&a, &b, std::numeric_limits<Value>::digits == 64 ? 10 : sizeof a) == 0;
}

template <typename Value>
bool same_bits(const CertifiedSum<Value>& a, const CertifiedSum<Value>& b) {
    if constexpr (!std::is_same_v<Value, float>) {
        if (!same_bits(a.high, b.high)) return false;
    }
    return same_bits(a.low, b.low) && a.bound == b.bound;
}

/// One more number for many partial sums, two of them at random made one, until one is left: any tree.
template <typename Value>
CertifiedSum<Value> summed_at_random(const std::vector<Value>& numbers, std::mt19937_64& random) {
    std::vector<CertifiedSum<Value>> sums;
    for (const Value number : numbers) sums.push_back(CertifiedSum<Value>::plain(number));
    while (sums.size() > 1) {
        std::swap(sums[random() % sums.size()], sums.back());
        const auto last = sums.back();
        sums.pop_back();
        auto& other = sums[random() % sums.size()];
        other = random() % 2 == 0 ? other + last : last + other;
    }
    return sums.front();
}

}  // namespace coll_topo
