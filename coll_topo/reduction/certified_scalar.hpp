// SPDX-License-Identifier: BSD-3-Clause
// The kernels of certified sums one by one: the reference, and what vector kernels leave to it.
#pragma once

#include "coll_topo/reduction/certified_kernels.hpp"

#include <cstddef>
#include <cstdint>

namespace coll_topo {

/// The three arrays of a message of packed sums. Of floats there are no values.
struct PackedSums {
    const std::byte* values;
    const std::byte* low;
    const std::byte* bound;
};

template <typename Value>
struct ScalarKernels {
    static constexpr std::size_t low_bytes = sizeof(Value) < sizeof(double) ? sizeof(double) : sizeof(Value);
    static constexpr std::size_t packed_value_bytes = sizeof(Value) < sizeof(double) ? 0 : sizeof(Value);
    static constexpr std::size_t packed_bytes = packed_value_bytes + low_bytes + sizeof(std::uint16_t);

    static PackedSums packed_sums(const std::byte* packed, std::size_t count) {
        return {packed, packed + count * packed_value_bytes, packed + count * (packed_value_bytes + low_bytes)};
    }
    static PackedSums from(PackedSums sums, std::size_t index) {
        return {sums.values + index * packed_value_bytes, sums.low + index * low_bytes, sums.bound + index * 2};
    }
    static Shadow from(Shadow shadow, std::size_t index) {
        return {shadow.low + index * low_bytes, shadow.bound + index};
    }

    // As in CertifiedKernels.
    static void expand(const void* values, Shadow shadow, std::size_t count);
    static void add_plain_to_plain(const void* source, void* values, Shadow shadow, std::size_t count);
    static void add_plain(const void* source, void* values, Shadow shadow, std::size_t count);
    static void add_packed(const std::byte* source, void* values, Shadow shadow, std::size_t count);
    static void add_sums(PackedSums source, void* values, Shadow shadow, std::size_t count);
    static void pack(const void* values, Shadow shadow, std::byte* packed, std::size_t count);
    static void unpack(const std::byte* packed, void* values, Shadow shadow, std::size_t count);
    static bool settles(void* values, Shadow shadow, std::size_t count);
    static void round(void* values, Shadow shadow, std::size_t count);
    static std::size_t find_sentinel(const void* values, std::size_t from, std::size_t count);
};

extern template struct ScalarKernels<float>;
extern template struct ScalarKernels<double>;
extern template struct ScalarKernels<long double>;

}  // namespace coll_topo
