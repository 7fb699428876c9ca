// SPDX-License-Identifier: BSD-3-Clause
// What vector kernels share, in vectors of GCC and clang. A file that includes this has included certified_scalar.hpp
// and <immintrin.h> or the like, then chosen its instruction set and defined `lanes`, doubles in a vector, and `Bits`
// and any(). From there on nothing has a name outside that file, and no template or library function is used: the
// linker must never use code for one processor on all of them.
//
// A group of `lanes` sums follows the very steps of certified_sum.hpp. What can hardly happen (something not finite, an
// overflow) is left to the scalar kernels, before anything is stored.
#pragma once

namespace coll_topo {
namespace {

using Doubles [[gnu::vector_size(lanes * 8)]] = double;
using Floats [[gnu::vector_size(lanes * 4)]] = float;
using Codes [[gnu::vector_size(lanes * 2)]] = std::uint16_t;

inline Doubles load_doubles(const void* from) {
    Doubles numbers;
    __builtin_memcpy(&numbers, from, sizeof numbers);
    return numbers;
}
inline Doubles load_floats(const void* from) {
    Floats numbers;
    __builtin_memcpy(&numbers, from, sizeof numbers);
    return __builtin_convertvector(numbers, Doubles);
}
inline Codes load_codes(const void* from) {
    Codes codes;
    __builtin_memcpy(&codes, from, sizeof codes);
    return codes;
}
inline void store(void* to, Doubles numbers) {
    __builtin_memcpy(to, &numbers, sizeof numbers);
}
inline void store(void* to, Floats numbers) {
    __builtin_memcpy(to, &numbers, sizeof numbers);
}
inline void store(void* to, Codes codes) {
    __builtin_memcpy(to, &codes, sizeof codes);
}

inline bool any_code(Codes codes) {
    std::uint64_t words[2] = {0, 0};
    __builtin_memcpy(words, &codes, sizeof codes);
    return (words[0] | words[1]) != 0;
}

/// Not 0 in a lane whose number is not finite.
inline Bits not_finite(Doubles numbers) {
    return (Bits)(numbers - numbers);
}
/// Not 0 in a lane that is neither 0 nor -0.
inline Bits magnitude(Doubles numbers) {
    return (Bits)numbers & ~(Bits{} + (std::uint64_t{1} << 63));
}

struct VectorTwoSum {
    Doubles sum, error;
};
inline VectorTwoSum two_sum(Doubles a, Doubles b) {
    const Doubles sum = a + b, of_b = sum - a;
    return {sum, (a - (sum - of_b)) + (b - of_b)};
}

/// The codes of added_bounds() widened; `unbounded` and above where that or a bound is not finite.
inline Bits added_bounds(Codes a, Codes b, Doubles lost, Doubles lost_too) {
    const Doubles bound_a = (Doubles)(__builtin_convertvector(a, Bits) << 47);
    const Doubles bound_b = (Doubles)(__builtin_convertvector(b, Bits) << 47);
    const VectorTwoSum bounds = two_sum(bound_a, bound_b);
    const VectorTwoSum losses = two_sum((Doubles)magnitude(lost), (Doubles)magnitude(lost_too));
    const VectorTwoSum total = two_sum(bounds.sum, losses.sum);
    const auto rounded = (bounds.error != 0) | (losses.error != 0) | (total.error != 0);
    const Doubles raised = rounded ? total.sum * (1 + 8 * __DBL_EPSILON__) : total.sum;
    return ((Bits)raised + ((std::uint64_t{1} << 47) - 1)) >> 47;
}

/// Stores the bounds of a group whose source has the bounds `source` and that lost two numbers. False, with nothing
/// stored, if the scalar kernels must do it: if `sums` or a bound are not finite.
inline bool stored_bounds(std::uint16_t* target, Codes source, Doubles lost, Doubles lost_too, Doubles sums) {
    const Codes own = load_codes(target);
    const Bits wrong = not_finite(sums);
    if (!any(wrong | magnitude(lost) | magnitude(lost_too)) && !any_code(own | source)) return true;
    const Bits codes = added_bounds(own, source, lost, lost_too);
    if (any(wrong | (Bits)(codes >= std::uint64_t{bound_code::unbounded}))) return false;
    store(target, __builtin_convertvector(codes, Codes));
    return true;
}

}  // namespace
}  // namespace coll_topo
