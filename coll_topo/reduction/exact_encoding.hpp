// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/reduction/certified_kernels.hpp"

#include <cstddef>

namespace coll_topo {

/// Operands of one size that can be combined in any order with the same result, to the bit: what a value becomes before
/// a schedule carries it, and how a result becomes a value again. Any alignment; no array overlaps another.
struct ExactEncoding {
    std::size_t value_bytes;
    std::size_t encoded_bytes;
    void (*encode)(const void* values, std::byte* encoded, std::size_t count);
    void (*combine)(const std::byte* source, std::byte* target, std::size_t count);  ///< target = source + target
    void (*decode)(const std::byte* encoded, void* values, std::size_t count);
};

/// The whole sum as one long integer, wide enough for 2^31 operands of any size, with notes of NaN, infinities and of
/// operands other than -0; decode() rounds once, to nearest, ties to even.
const ExactEncoding& superaccumulator(FloatingType type);

/// The fixed-point scheme in two passes (source 5.2, with a fixed shift): the maximum of exponents of each element over
/// all ranks, then the sum of 128-bit integers scaled by it. 2^20 operands at most. Its accuracy: see fixed_point.hpp.
struct FixedPointEncoding {
    std::size_t value_bytes;
    std::size_t exponent_bytes;
    std::size_t scaled_bytes;
    void (*exponents)(const void* values, std::byte* exponents, std::size_t count);
    void (*combine_exponents)(const std::byte* source, std::byte* target, std::size_t count);
    void (*scale)(const void* values, const std::byte* exponents, std::byte* scaled, std::size_t count);
    void (*combine_scaled)(const std::byte* source, std::byte* target, std::size_t count);
    void (*decode)(const std::byte* scaled, const std::byte* exponents, void* values, std::size_t count);
};
const FixedPointEncoding& fixed_point(FloatingType type);

}  // namespace coll_topo
