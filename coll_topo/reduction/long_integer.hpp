// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/reduction/floating_format.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace coll_topo {

/// A two's complement integer of limbs of 64 bits, the lowest first; in messages in the byte order of the machine.
template <int limb_count>
class LongInteger {
public:
    static constexpr std::size_t bytes = 8 * limb_count;

    LongInteger() = default;

    /// integer · 2^shift, both not negative, which must fit.
    LongInteger(WideInteger integer, int shift) {
        const int first = shift / 64, within = shift % 64;
        const WideInteger low = integer << within;
        put(first, static_cast<std::uint64_t>(low));
        put(first + 1, static_cast<std::uint64_t>(low >> 64));
        if (within != 0) put(first + 2, static_cast<std::uint64_t>(integer >> (128 - within)));
    }

    explicit LongInteger(const std::byte* message) { std::memcpy(limbs_.data(), message, bytes); }
    void store(std::byte* message) const { std::memcpy(message, limbs_.data(), bytes); }

    /// target += source, in messages, modulo 2^(64 · limb_count).
    static void add(const std::byte* source, std::byte* target) {
        std::uint64_t carry = 0;
        for (std::size_t at = 0; at < bytes; at += 8) {
            std::uint64_t a, b;
            std::memcpy(&a, source + at, 8);
            std::memcpy(&b, target + at, 8);
            const std::uint64_t partial = a + b, sum = partial + carry;
            carry = static_cast<std::uint64_t>(partial < a) | static_cast<std::uint64_t>(sum < carry);
            std::memcpy(target + at, &sum, 8);
        }
    }

    bool negative() const { return limbs_.back() >> 63 != 0; }

    void negate() {
        std::uint64_t carry = 1;
        for (std::uint64_t& limb : limbs_) {
            limb = ~limb + carry;
            carry &= static_cast<std::uint64_t>(limb == 0);
        }
    }

    /// Of an integer that is not negative: bits up to the highest 1.
    int width() const {
        for (int i = limb_count - 1; i >= 0; --i) {
            if (limbs_[i] != 0) return 64 * i + std::bit_width(limbs_[i]);
        }
        return 0;
    }

    /// The 128 bits from a bit on; beyond the highest limb there are zeros.
    WideInteger bits_from(int bit) const {
        const int first = bit / 64, within = bit % 64;
        const WideInteger low = limb(first) | static_cast<WideInteger>(limb(first + 1)) << 64;
        return within == 0 ? low : low >> within | static_cast<WideInteger>(limb(first + 2)) << (128 - within);
    }

    bool has_bits_below(int bit) const {
        for (int i = 0; i < bit / 64; ++i) {
            if (limbs_[i] != 0) return true;
        }
        return bit % 64 != 0 && limb(bit / 64) << (64 - bit % 64) != 0;
    }

private:
    std::uint64_t limb(int index) const { return index < limb_count ? limbs_[index] : 0; }
    void put(int index, std::uint64_t limb) {
        if (index < limb_count) limbs_[index] = limb;
    }

    std::array<std::uint64_t, limb_count> limbs_{};
};

/// An integer in units of 2^shift smallest subnormals, rounded to nearest, ties to even; 0 becomes +0. shift > -128.
template <class Format, int limb_count>
typename Format::Bits rounded(LongInteger<limb_count> integer, int shift) {
    const bool negative = integer.negative();
    if (negative) integer.negate();
    const int width = integer.width();
    if (width == 0) return Format::zero(false);
    // Below the 128 highest bits it only matters whether any bit is set.
    const int below = std::max(width - 128, 0);
    const WideInteger highest =
        integer.bits_from(below) | static_cast<WideInteger>(integer.has_bits_below(below) ? 1 : 0);
    return Format::rounded(negative, highest, shift + below);
}

}  // namespace coll_topo
