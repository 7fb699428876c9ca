// SPDX-License-Identifier: BSD-3-Clause
// Kernels of float sums, which are doubles; see certified_vector.hpp.
#pragma once

namespace coll_topo {
namespace {

struct FloatKernels {
    using Scalar = ScalarKernels<float>;

    static bool stored(const VectorTwoSum& sums, Codes source_bounds, Shadow shadow) {
        if (!stored_bounds(shadow.bound, source_bounds, sums.error, Doubles{}, sums.sum)) return false;
        store(shadow.low, sums.sum);
        return true;
    }

    static void expand(const void* values, Shadow shadow, std::size_t count) {
        const auto* value = static_cast<const std::byte*>(values);
        std::size_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            const Shadow group = Scalar::from(shadow, i);
            const Doubles sums = load_floats(value + i * 4);
            if (any(not_finite(sums))) {
                Scalar::expand(value + i * 4, group, lanes);
                continue;
            }
            store(group.low, sums);
            store(group.bound, Codes{});
        }
        Scalar::expand(value + i * 4, Scalar::from(shadow, i), count - i);
    }

    static void add_plain_to_plain(const void* source, void* values, Shadow shadow, std::size_t count) {
        const auto* from = static_cast<const std::byte*>(source);
        auto* value = static_cast<std::byte*>(values);
        std::size_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            const Shadow group = Scalar::from(shadow, i);
            const VectorTwoSum sums = two_sum(load_floats(value + i * 4), load_floats(from + i * 4));
            if (any(magnitude(sums.error))) {
                Scalar::add_plain_to_plain(from + i * 4, value + i * 4, group, lanes);
                continue;
            }
            store(group.low, sums.sum);
            store(group.bound, Codes{});
        }
        Scalar::add_plain_to_plain(from + i * 4, value + i * 4, Scalar::from(shadow, i), count - i);
    }

    static void add_plain(const void* source, void* values, Shadow shadow, std::size_t count) {
        const auto* from = static_cast<const std::byte*>(source);
        std::size_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            const Shadow group = Scalar::from(shadow, i);
            const VectorTwoSum sums = two_sum(load_doubles(group.low), load_floats(from + i * 4));
            if (stored(sums, Codes{}, group)) continue;
            Scalar::add_plain(from + i * 4, values, group, lanes);
        }
        Scalar::add_plain(from + i * 4, values, Scalar::from(shadow, i), count - i);
    }

    static void add_packed(const std::byte* source, void* values, Shadow shadow, std::size_t count) {
        const PackedSums packed = Scalar::packed_sums(source, count);
        std::size_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            const Shadow group = Scalar::from(shadow, i);
            const PackedSums from = Scalar::from(packed, i);
            const VectorTwoSum sums = two_sum(load_doubles(group.low), load_doubles(from.low));
            if (stored(sums, load_codes(from.bound), group)) continue;
            Scalar::add_sums(from, values, group, lanes);
        }
        Scalar::add_sums(Scalar::from(packed, i), values, Scalar::from(shadow, i), count - i);
    }

    static bool settles(void* values, Shadow shadow, std::size_t count) {
        auto* value = static_cast<std::byte*>(values);
        std::size_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            const Shadow group = Scalar::from(shadow, i);
            if (any_code(load_codes(group.bound))) return false;
            const Doubles sums = load_doubles(group.low);
            const Floats results = __builtin_convertvector(sums, Floats);
            if (any((Bits)(__builtin_convertvector(results, Doubles) != sums))) return false;
            store(value + i * 4, results);
        }
        return Scalar::settles(value + i * 4, Scalar::from(shadow, i), count - i);
    }

    static void round(void* values, Shadow shadow, std::size_t count) {
        auto* value = static_cast<std::byte*>(values);
        std::size_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            const Shadow group = Scalar::from(shadow, i);
            if (any_code(load_codes(group.bound)))
                Scalar::round(value + i * 4, group, lanes);
            else
                store(value + i * 4, __builtin_convertvector(load_doubles(group.low), Floats));
        }
        Scalar::round(value + i * 4, Scalar::from(shadow, i), count - i);
    }

    static std::size_t find_sentinel(const void* values, std::size_t from, std::size_t count) {
        // As doubles: only a NaN is not equal to itself, and there are hardly any.
        for (; from < count; from += lanes) {
            if (from + lanes <= count &&
                !any(not_finite(load_floats(static_cast<const std::byte*>(values) + from * 4))))
                continue;
            const std::size_t end = from + lanes < count ? from + lanes : count;
            if (const std::size_t found = Scalar::find_sentinel(values, from, end); found != end) return found;
        }
        return count;
    }
};

}  // namespace
}  // namespace coll_topo
