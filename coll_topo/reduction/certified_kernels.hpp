// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace coll_topo {

enum class FloatingType : std::uint8_t {
    single_precision,
    double_precision,
    extended_precision
};  // C: float, double, long double
/// for_type(type, action): action.operator()<Value>() with the type of C that `type` names.
template <typename Action>
decltype(auto) for_type(FloatingType type, Action&& action) {
    switch (type) {
        case FloatingType::single_precision:
            return action.template operator()<float>();
        case FloatingType::double_precision:
            return action.template operator()<double>();
        case FloatingType::extended_precision:
            break;
    }
    return action.template operator()<long double>();
}

enum class InstructionSet : std::uint8_t { scalar, avx2, avx512, neon };

/// What a partial sum has beside its value: an array of low parts and one of bounds of what was lost.
/// A sum is plain where it is a value alone, nothing lost; its shadow is undefined then.
struct Shadow {
    std::byte* low;        ///< CertifiedKernels::low_bytes for each value
    std::uint16_t* bound;  ///< 0: nothing lost; see certified_sum.hpp for the code
};

/// Arithmetic on arrays of certified partial sums: a sum is a value, a low part and a bound of the error. Combining two
/// of them is commutative to the bit, and does not depend on whether a sum without a low part is stored plain or not,
/// or on the instruction set. `values` are float, double or long double; no array overlaps another; any alignment.
/// None of these sets up the floating-point environment: see FloatingEnvironment.
struct CertifiedKernels {
    std::size_t value_bytes;   ///< of an operand and a result: 4, 8, sizeof(long double)
    std::size_t low_bytes;     ///< in Shadow: 8, 8, sizeof(long double)
    std::size_t packed_bytes;  ///< of a sum in a message of packed ones: 10, 18, 2 sizeof(long double) + 2

    /// Gives plain sums a shadow that says the same.
    void (*expand)(const void* values, Shadow shadow, std::size_t count);
    /// target += source, both plain; the shadow of target is written.
    void (*add_plain_to_plain)(const void* source, void* values, Shadow shadow, std::size_t count);
    /// target += source, source plain.
    void (*add_plain)(const void* source, void* values, Shadow shadow, std::size_t count);
    /// target += source as written by pack(); target has a shadow.
    void (*add_packed)(const std::byte* source, void* values, Shadow shadow, std::size_t count);
    /// A message of sums with a shadow: all values (or what stands for them), all low parts, all bounds.
    void (*pack)(const void* values, Shadow shadow, std::byte* packed, std::size_t count);
    void (*unpack)(const std::byte* packed, void* values, Shadow shadow, std::size_t count);
    /// True if all sums are in fact plain; then `values` says it all and the shadow may be dropped.
    bool (*settles)(void* values, Shadow shadow, std::size_t count);
    /// Makes each value the exact sum rounded to nearest, ties to even, or a sentinel where that is not certain.
    /// The shadow is undefined afterwards.
    void (*round)(void* values, Shadow shadow, std::size_t count);
    /// Index of the first sentinel at or after `from`, or count.
    std::size_t (*find_sentinel)(const void* values, std::size_t from, std::size_t count);
};

/// The last bytes of a packed message, which pack() never writes: put there before receiving, they tell whether the
/// message was that long.
inline constexpr std::uint16_t unpacked_mark = 0xffff;

/// Null where this processor, or this build, does not have the instruction set.
const CertifiedKernels* certified_kernels(FloatingType type, InstructionSet set);
/// Those of the best instruction set there is.
const CertifiedKernels& certified_kernels(FloatingType type);

}  // namespace coll_topo
