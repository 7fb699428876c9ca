// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/reduction/exact_encoding.hpp"
#include "coll_topo/reduction/floating_format.hpp"
#include "coll_topo/reduction/long_integer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace coll_topo {

/// How fixed_point() encodes a format: an operand ± m · 2^E whose exponent is d below the largest of all becomes the
/// integer ± floor(m · 2^(shift - d)). The magnitude is cut, not the number: so the sum of the negated operands is the
/// negated sum, to the bit.
///
/// Accuracy: N operands lose less than N · 2^-shift units in the last place of the largest of them, and then the sum is
/// rounded once. shift is 83 for float, 54 for double, 43 for the x87's long double. Where no operand other than 0 is
/// more than `shift` binades below the largest, nothing is lost, and the result is the exact sum rounded once.
template <class Format>
class FixedPoint {
public:
    /// 2^carry_bits operands can be summed.
    static constexpr int carry_bits = 20;
    /// 128 bits, or more where they do not hold the significand and the carries.
    static constexpr int limb_count = Format::digits <= 64 ? 2 : 4;
    static constexpr int shift = 64 * limb_count - 1 - carry_bits - Format::digits;
    static constexpr std::size_t scaled_bytes = 8 * limb_count;
    static constexpr std::size_t exponent_bytes = sizeof(std::uint16_t);

    static void exponents(const void* values, std::byte* exponents, std::size_t count) {
        auto* value = static_cast<const std::byte*>(values);
        for (; count > 0; --count, value += Format::bytes, exponents += exponent_bytes) {
            store(exponent_of(Format::load(value)), exponents);
        }
    }

    static void combine_exponents(const std::byte* source, std::byte* target, std::size_t count) {
        for (; count > 0; --count, source += exponent_bytes, target += exponent_bytes) {
            const std::uint16_t a = load(source), b = load(target);
            store(std::min(a, b) >= special ? a | b : std::max(a, b), target);
        }
    }

    static void scale(const void* values, const std::byte* exponents, std::byte* scaled, std::size_t count) {
        auto* value = static_cast<const std::byte*>(values);
        for (; count > 0; --count, value += Format::bytes, exponents += exponent_bytes, scaled += scaled_bytes) {
            const std::uint16_t largest = load(exponents);
            const auto parts = Format::parts(Format::load(value));
            Sum sum;
            if (largest > zeros && largest < special) {
                const int up = shift - (largest - not_zero - parts.shift);
                if (up >= 0) {
                    sum = Sum(parts.significand, up);
                } else if (up > -Format::digits) {
                    sum = Sum(parts.significand >> -up, 0);
                }
                if (parts.negative) sum.negate();
            }
            sum.store(scaled);
        }
    }

    static void combine_scaled(const std::byte* source, std::byte* target, std::size_t count) {
        for (; count > 0; --count, source += scaled_bytes, target += scaled_bytes) Sum::add(source, target);
    }

    static void decode(const std::byte* scaled, const std::byte* exponents, void* values, std::size_t count) {
        auto* value = static_cast<std::byte*>(values);
        for (; count > 0; --count, value += Format::bytes, exponents += exponent_bytes, scaled += scaled_bytes) {
            Format::store(decoded(scaled, load(exponents)), value);
        }
    }

private:
    using Sum = LongInteger<limb_count>;

    /// What two bytes say of the operands so far. Of two that are not special the larger counts; special ones are bits.
    enum Exponent : std::uint16_t {
        negative_zeros = 0,  ///< nothing but -0
        zeros = 1,           ///< nothing but zeros
        not_zero = 2,        ///< and above, up to special: the largest exponent, 0 for that of subnormals
        special = 0x8000,
        positive_infinity = special | 1,
        negative_infinity = special | 2,
        not_a_number = special | 3,
    };
    static_assert(not_zero + Format::max_shift < special);

    static std::uint16_t exponent_of(typename Format::Bits bits) {
        const auto parts = Format::parts(bits);
        if (parts.kind == FloatingClass::not_a_number) return not_a_number;
        if (parts.kind == FloatingClass::infinite) return parts.negative ? negative_infinity : positive_infinity;
        if (parts.significand == 0) return parts.negative ? negative_zeros : zeros;
        return static_cast<std::uint16_t>(not_zero + parts.shift);
    }

    static typename Format::Bits decoded(const std::byte* scaled, std::uint16_t largest) {
        switch (largest) {
            case negative_zeros:
                return Format::zero(true);
            case zeros:
                return Format::zero(false);
            case positive_infinity:
                return Format::infinity(false);
            case negative_infinity:
                return Format::infinity(true);
            case not_a_number:
                return Format::quiet_nan();
            default:
                return rounded<Format>(Sum(scaled), largest - not_zero - shift);
        }
    }

    static std::uint16_t load(const std::byte* exponent) {
        std::uint16_t code;
        std::memcpy(&code, exponent, sizeof code);
        return code;
    }
    static void store(std::uint16_t code, std::byte* exponent) { std::memcpy(exponent, &code, sizeof code); }
};

}  // namespace coll_topo
