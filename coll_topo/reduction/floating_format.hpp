// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace coll_topo {

__extension__ typedef unsigned __int128 WideInteger;

/// Bits up to the highest 1.
constexpr int width_of(WideInteger integer) {
    const auto high = static_cast<std::uint64_t>(integer >> 64);
    return high != 0 ? 64 + std::bit_width(high) : std::bit_width(static_cast<std::uint64_t>(integer));
}

enum class FloatingClass : std::uint8_t { finite, infinite, not_a_number };

/// A binary format of IEEE 754, or the 80 bits of the x87, whose leading bit is stored. `digits` and `max_exponent` are
/// as in std::numeric_limits; `bytes` is sizeof, with padding. Integers only: the floating-point environment of the
/// caller, flushing of subnormals and traps of signalling NaNs have no effect.
template <int digits_, int max_exponent, std::size_t bytes_>
struct FloatingFormat {
    static constexpr int digits = digits_;
    static constexpr std::size_t bytes = bytes_;
    static constexpr bool stores_leading_bit = digits == 64;
    static constexpr int fraction_bits = stores_leading_bit ? digits : digits - 1;
    /// The exponent field of infinities and NaNs.
    static constexpr int special_exponent = 2 * max_exponent - 1;
    static constexpr int stored_bits = 1 + std::bit_width(static_cast<unsigned>(special_exponent)) + fraction_bits;
    static_assert(digits == 24 || digits == 53 || digits == 64 || digits == 113, "an unknown floating-point format");
    static_assert(stored_bits % 8 == 0 && stored_bits <= 8 * static_cast<int>(bytes));
    /// The largest shift of a finite value.
    static constexpr int max_shift = special_exponent - 2;

    using Bits = std::conditional_t<stored_bits == 32, std::uint32_t,
                                    std::conditional_t<stored_bits == 64, std::uint64_t, WideInteger>>;
    static constexpr Bits sign_bit = Bits{1} << (stored_bits - 1);
    static constexpr Bits leading_bit = Bits{1} << (digits - 1);
    static constexpr Bits fraction_mask = (Bits{1} << fraction_bits) - 1;

    /// Finite: ± significand · 2^shift in units of the smallest subnormal.
    struct Parts {
        Bits significand;
        int shift;
        bool negative;
        FloatingClass kind;
    };

    static Bits load(const std::byte* value) {
        Bits bits = 0;
        std::memcpy(&bits, value, stored_bits / 8);
        return bits;
    }

    /// Padding becomes 0.
    static void store(Bits bits, std::byte* value) {
        if constexpr (stored_bits / 8 != bytes) std::memset(value, 0, bytes);
        std::memcpy(value, &bits, stored_bits / 8);
    }

    static constexpr Parts parts(Bits bits) {
        const int exponent = static_cast<int>(bits >> fraction_bits) & special_exponent;
        const Bits fraction = bits & fraction_mask;
        const bool negative = (bits & sign_bit) != 0;
        const Bits significand = stores_leading_bit || exponent == 0 ? fraction : fraction | leading_bit;
        FloatingClass kind = FloatingClass::finite;
        if (exponent == special_exponent) {
            kind = significand == leading_bit ? FloatingClass::infinite : FloatingClass::not_a_number;
        } else if (exponent != 0 && (significand & leading_bit) == 0) {
            kind = FloatingClass::not_a_number;  // an x87 encoding without meaning, invalid to the processor
        }
        return {significand, std::max(exponent, 1) - 1, negative, kind};
    }

    static constexpr Bits compose(bool negative, int exponent, Bits significand) {
        return (negative ? sign_bit : Bits{0}) | static_cast<Bits>(exponent) << fraction_bits |
               (significand & fraction_mask);
    }
    static constexpr Bits zero(bool negative) { return compose(negative, 0, 0); }
    static constexpr Bits infinity(bool negative) { return compose(negative, special_exponent, leading_bit); }
    static constexpr Bits quiet_nan() { return compose(false, special_exponent, leading_bit | leading_bit >> 1); }

    /// ± magnitude · 2^shift in units of the smallest subnormal, rounded to nearest, ties to even, to infinity where
    /// it overflows; magnitude not 0, shift > -128.
    static constexpr Bits rounded(bool negative, WideInteger magnitude, int shift) {
        const int dropped = std::max(width_of(magnitude) - digits, -shift);
        WideInteger kept = dropped > 0 ? magnitude >> dropped : magnitude << -dropped;
        if (dropped > 0) {
            constexpr WideInteger half = WideInteger{1} << 127;
            const WideInteger rest = magnitude << (128 - dropped);
            if (rest > half || (rest == half && kept % 2 == 1)) ++kept;
        }
        int exponent = shift + dropped + 1;
        if (kept >> digits != 0) {
            kept /= 2;
            ++exponent;
        }
        if (kept >> (digits - 1) == 0) exponent = 0;
        if (exponent >= special_exponent) return infinity(negative);
        return compose(negative, exponent, static_cast<Bits>(kept));
    }
};

template <class Value>
using FormatOf =
    FloatingFormat<std::numeric_limits<Value>::digits, std::numeric_limits<Value>::max_exponent, sizeof(Value)>;

}  // namespace coll_topo
