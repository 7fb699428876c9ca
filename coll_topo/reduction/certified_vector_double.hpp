// SPDX-License-Identifier: BSD-3-Clause
// Kernels of double sums; see certified_vector.hpp.
#pragma once

namespace coll_topo {
namespace {

struct DoubleKernels {
    using Scalar = ScalarKernels<double>;

    struct Merged {
        Doubles high, low, lost, lost_too;
    };

    /// -0 where the sum of the high parts is; no other step gives one.
    static Doubles with_sign_of_zero(Doubles high, Doubles sum_of_high) {
        const Bits negative_zero = Bits{} + (std::uint64_t{1} << 63);
        return (Doubles)((Bits)high | ((Bits)((Bits)sum_of_high == negative_zero) & negative_zero));
    }

    /// What operator+ does where b has no low part.
    static Merged merged(Doubles a_high, Doubles a_low, Doubles b) {
        const VectorTwoSum s = two_sum(a_high, b), u = two_sum(s.error, a_low), p = two_sum(s.sum, u.sum);
        const VectorTwoSum q = two_sum(p.error, u.error), result = two_sum(p.sum, q.sum);
        return {with_sign_of_zero(result.sum, s.sum), result.error, q.error, Doubles{}};
    }

    static Merged merged(Doubles a_high, Doubles a_low, Doubles b_high, Doubles b_low) {
        const VectorTwoSum s = two_sum(a_high, b_high), t = two_sum(a_low, b_low), u = two_sum(s.error, t.sum);
        const VectorTwoSum p = two_sum(s.sum, u.sum), w = two_sum(u.error, t.error), q = two_sum(p.error, w.sum);
        const VectorTwoSum result = two_sum(p.sum, q.sum);
        return {with_sign_of_zero(result.sum, s.sum), result.error, q.error, w.error};
    }

    static bool stored(const Merged& sums, Codes source_bounds, std::byte* values, std::byte* low,
                       std::uint16_t* bound) {
        if (!stored_bounds(bound, source_bounds, sums.lost, sums.lost_too, sums.low)) return false;
        store(values, sums.high);
        store(low, sums.low);
        return true;
    }

    static void expand(const void* values, Shadow shadow, std::size_t count) {
        const auto* value = static_cast<const std::byte*>(values);
        std::size_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            const Shadow group = Scalar::from(shadow, i);
            if (any(not_finite(load_doubles(value + i * 8)))) {
                Scalar::expand(value + i * 8, group, lanes);
                continue;
            }
            store(group.low, Doubles{});
            store(group.bound, Codes{});
        }
        Scalar::expand(value + i * 8, Scalar::from(shadow, i), count - i);
    }

    // Out of cache this takes the time of its memory traffic: 44 bytes an element, as lines of low parts and bounds are
    // read before they are written, against 24 of plain addition. Stores past the cache were slower (test/reduction/
    // kernel_speed), 1.5 to 1.9 ns an element instead of 1.5.
    static void add_plain_to_plain(const void* source, void* values, Shadow shadow, std::size_t count) {
        const auto* from = static_cast<const std::byte*>(source);
        auto* value = static_cast<std::byte*>(values);
        std::byte* const low = shadow.low;
        std::uint16_t* const bound = shadow.bound;
        std::size_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            const VectorTwoSum sum = two_sum(load_doubles(value + i * 8), load_doubles(from + i * 8));
            if (any(not_finite(sum.error))) {
                Scalar::add_plain_to_plain(from + i * 8, value + i * 8, {low + i * 8, bound + i}, lanes);
                continue;
            }
            store(value + i * 8, sum.sum);
            store(low + i * 8, sum.error);
            store(bound + i, Codes{});
        }
        Scalar::add_plain_to_plain(from + i * 8, value + i * 8, {low + i * 8, bound + i}, count - i);
    }

    static void add_plain(const void* source, void* values, Shadow shadow, std::size_t count) {
        const auto* from = static_cast<const std::byte*>(source);
        auto* value = static_cast<std::byte*>(values);
        std::byte* const low = shadow.low;
        std::uint16_t* const bound = shadow.bound;
        std::size_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            const Merged sums =
                merged(load_doubles(value + i * 8), load_doubles(low + i * 8), load_doubles(from + i * 8));
            if (!stored(sums, Codes{}, value + i * 8, low + i * 8, bound + i))
                Scalar::add_plain(from + i * 8, value + i * 8, {low + i * 8, bound + i}, lanes);
        }
        Scalar::add_plain(from + i * 8, value + i * 8, {low + i * 8, bound + i}, count - i);
    }

    static void add_packed(const std::byte* source, void* values, Shadow shadow, std::size_t count) {
        const PackedSums from = Scalar::packed_sums(source, count);
        const std::byte *const from_value = from.values, *const from_low = from.low, *const from_bound = from.bound;
        auto* value = static_cast<std::byte*>(values);
        std::byte* const low = shadow.low;
        std::uint16_t* const bound = shadow.bound;
        std::size_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            const Merged sums = merged(load_doubles(value + i * 8), load_doubles(low + i * 8),
                                       load_doubles(from_value + i * 8), load_doubles(from_low + i * 8));
            if (!stored(sums, load_codes(from_bound + i * 2), value + i * 8, low + i * 8, bound + i))
                Scalar::add_sums(Scalar::from(from, i), value + i * 8, {low + i * 8, bound + i}, lanes);
        }
        Scalar::add_sums(Scalar::from(from, i), value + i * 8, {low + i * 8, bound + i}, count - i);
    }

    static bool settles(void* values, Shadow shadow, std::size_t count) {
        std::size_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            const Shadow group = Scalar::from(shadow, i);
            if (any(magnitude(load_doubles(group.low))) || any_code(load_codes(group.bound))) return false;
        }
        return Scalar::settles(static_cast<std::byte*>(values) + i * 8, Scalar::from(shadow, i), count - i);
    }

    /// A value already is its sum rounded where nothing was lost.
    static void round(void* values, Shadow shadow, std::size_t count) {
        auto* value = static_cast<std::byte*>(values);
        std::size_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            const Shadow group = Scalar::from(shadow, i);
            if (any_code(load_codes(group.bound))) Scalar::round(value + i * 8, group, lanes);
        }
        Scalar::round(value + i * 8, Scalar::from(shadow, i), count - i);
    }

    static std::size_t find_sentinel(const void* values, std::size_t from, std::size_t count) {
        constexpr std::uint64_t wanted = std::bit_cast<std::uint64_t>(sentinel<double>);
        for (; from + lanes <= count; from += lanes) {
            const Doubles group = load_doubles(static_cast<const std::byte*>(values) + from * 8);
            if (any((Bits)((Bits)group == wanted))) break;
        }
        return Scalar::find_sentinel(values, from, count);
    }
};

}  // namespace
}  // namespace coll_topo
