// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/reduction/exact_encoding.hpp"
#include "coll_topo/reduction/floating_format.hpp"
#include "coll_topo/reduction/long_integer.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace coll_topo {

/// How superaccumulator() encodes a format: the sum in units of the smallest subnormal, then a word of notes. All bytes
/// 0 stand for no operands, and change nothing where they are combined.
template <class Format>
class Superaccumulator {
public:
    /// 2^carry_bits operands of any size can be summed.
    static constexpr int carry_bits = 32;
    static constexpr int limb_count = (Format::max_shift + Format::digits + carry_bits + 1 + 63) / 64;
    static constexpr std::size_t encoded_bytes = 8 * (limb_count + 1);

    static void encode(const void* values, std::byte* encoded, std::size_t count) {
        auto* value = static_cast<const std::byte*>(values);
        for (std::size_t i = 0; i < count; ++i, value += Format::bytes, encoded += encoded_bytes) {
            const typename Format::Bits bits = Format::load(value);
            const auto parts = Format::parts(bits);
            Sum sum;
            std::uint64_t notes = bits == Format::zero(true) ? 0 : std::uint64_t{not_negative_zero};
            if (parts.kind == FloatingClass::not_a_number) {
                notes |= not_a_number;
            } else if (parts.kind == FloatingClass::infinite) {
                notes |= parts.negative ? negative_infinity : positive_infinity;
            } else {
                sum = Sum(parts.significand, parts.shift);
                if (parts.negative) sum.negate();
            }
            sum.store(encoded);
            std::memcpy(encoded + Sum::bytes, &notes, sizeof notes);
        }
    }

    static void combine(const std::byte* source, std::byte* target, std::size_t count) {
        for (; count > 0; --count, source += encoded_bytes, target += encoded_bytes) {
            Sum::add(source, target);
            const std::uint64_t notes = notes_of(source) | notes_of(target);
            std::memcpy(target + Sum::bytes, &notes, sizeof notes);
        }
    }

    static void decode(const std::byte* encoded, void* values, std::size_t count) {
        auto* value = static_cast<std::byte*>(values);
        for (; count > 0; --count, value += Format::bytes, encoded += encoded_bytes) {
            Format::store(decoded(encoded), value);
        }
    }

private:
    using Sum = LongInteger<limb_count>;
    enum Note : std::uint64_t {
        not_a_number = 1,
        positive_infinity = 2,
        negative_infinity = 4,
        not_negative_zero = 8,
    };

    static std::uint64_t notes_of(const std::byte* encoded) {
        std::uint64_t notes;
        std::memcpy(&notes, encoded + Sum::bytes, sizeof notes);
        return notes;
    }

    static typename Format::Bits decoded(const std::byte* encoded) {
        constexpr std::uint64_t both_infinities = positive_infinity | negative_infinity;
        const std::uint64_t notes = notes_of(encoded);
        if ((notes & not_a_number) != 0 || (notes & both_infinities) == both_infinities) return Format::quiet_nan();
        if ((notes & both_infinities) != 0) return Format::infinity((notes & negative_infinity) != 0);
        if ((notes & not_negative_zero) == 0) return Format::zero(true);
        return rounded<Format>(Sum(encoded), 0);
    }
};

}  // namespace coll_topo
