// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/reduction/certified_scalar.hpp"
#include "coll_topo/reduction/certified_sum.hpp"

#include <cstring>
#include <type_traits>

namespace coll_topo {
namespace {

template <typename Number>
Number load(const void* numbers, std::size_t index) {
    Number number;
    std::memcpy(&number, static_cast<const std::byte*>(numbers) + index * sizeof number, sizeof number);
    return number;
}

/// Bytes of a number that mean something: a long double of x86 has 10, and padding.
template <typename Number>
constexpr std::size_t significant_bytes = std::numeric_limits<Number>::digits == 64 ? 10 : sizeof(Number);

/// Padding becomes 0, for a result is the same on every rank to the last byte.
template <typename Number>
void store(void* numbers, std::size_t index, Number number) {
    std::byte bytes[sizeof number] = {};
    std::memcpy(bytes, &number, significant_bytes<Number>);
    std::memcpy(static_cast<std::byte*>(numbers) + index * sizeof number, bytes, sizeof number);
}

template <typename Value>
CertifiedSum<Value> load_sum(const void* values, const void* low, const void* bounds, std::size_t index) {
    const auto bound = load<std::uint16_t>(bounds, index);
    // The values of an expanded array stay as they are, infinities too.
    if (bound >= bound_code::unbounded) return {0, 0, bound};
    return {load<Value>(values, index), load<Value>(low, index), bound};
}
template <>
CertifiedSum<float> load_sum<float>(const void*, const void* low, const void* bounds, std::size_t index) {
    return {load<double>(low, index), load<std::uint16_t>(bounds, index)};
}

/// A shadowed float is in its shadow alone.
template <typename Value>
void store_sum(void* values, Shadow shadow, std::size_t index, const CertifiedSum<Value>& sum) {
    if constexpr (!std::is_same_v<Value, float>) store(values, index, sum.high);
    store(shadow.low, index, sum.low);
    store(shadow.bound, index, sum.bound);
}

template <typename Value>
CertifiedSum<Value> load_plain(const void* values, std::size_t index) {
    return CertifiedSum<Value>::plain(load<Value>(values, index));
}

}  // namespace

template <typename Value>
void ScalarKernels<Value>::expand(const void* values, Shadow shadow, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const auto sum = load_plain<Value>(values, i);
        store(shadow.low, i, sum.low);
        store(shadow.bound, i, sum.bound);
    }
}

template <typename Value>
void ScalarKernels<Value>::add_plain_to_plain(const void* source, void* values, Shadow shadow, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        store_sum(values, shadow, i, load_plain<Value>(values, i) + load_plain<Value>(source, i));
}

template <typename Value>
void ScalarKernels<Value>::add_plain(const void* source, void* values, Shadow shadow, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const auto target = load_sum<Value>(values, shadow.low, shadow.bound, i);
        store_sum(values, shadow, i, target + load_plain<Value>(source, i));
    }
}

template <typename Value>
void ScalarKernels<Value>::add_packed(const std::byte* source, void* values, Shadow shadow, std::size_t count) {
    add_sums(packed_sums(source, count), values, shadow, count);
}

template <typename Value>
void ScalarKernels<Value>::add_sums(PackedSums source, void* values, Shadow shadow, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const auto target = load_sum<Value>(values, shadow.low, shadow.bound, i);
        store_sum(values, shadow, i, target + load_sum<Value>(source.values, source.low, source.bound, i));
    }
}

template <typename Value>
void ScalarKernels<Value>::pack(const void* values, Shadow shadow, std::byte* packed, std::size_t count) {
    if (count == 0) return;
    if constexpr (packed_value_bytes > 0) std::memcpy(packed, values, count * packed_value_bytes);
    packed += count * packed_value_bytes;
    std::memcpy(packed, shadow.low, count * low_bytes);
    std::memcpy(packed + count * low_bytes, shadow.bound, count * sizeof(std::uint16_t));
}

template <typename Value>
void ScalarKernels<Value>::unpack(const std::byte* packed, void* values, Shadow shadow, std::size_t count) {
    if (count == 0) return;
    const PackedSums sums = packed_sums(packed, count);
    if constexpr (packed_value_bytes > 0) std::memcpy(values, sums.values, count * packed_value_bytes);
    std::memcpy(shadow.low, sums.low, count * low_bytes);
    std::memcpy(static_cast<void*>(shadow.bound), sums.bound, count * sizeof(std::uint16_t));
}

template <typename Value>
bool ScalarKernels<Value>::settles(void* values, Shadow shadow, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const auto sum = load_sum<Value>(values, shadow.low, shadow.bound, i);
        if (!sum.is_plain()) return false;
        store(values, i, rounded(sum));
    }
    return true;
}

template <typename Value>
void ScalarKernels<Value>::round(void* values, Shadow shadow, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        store(values, i, rounded(load_sum<Value>(values, shadow.low, shadow.bound, i)));
}

template <typename Value>
std::size_t ScalarKernels<Value>::find_sentinel(const void* values, std::size_t from, std::size_t count) {
    const Value wanted = sentinel<Value>;
    for (; from < count; ++from) {
        const std::byte* value = static_cast<const std::byte*>(values) + from * sizeof(Value);
        if (std::memcmp(value, &wanted, significant_bytes<Value>) == 0) return from;
    }
    return count;
}

template struct ScalarKernels<float>;
template struct ScalarKernels<double>;
template struct ScalarKernels<long double>;

}  // namespace coll_topo
