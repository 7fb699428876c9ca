// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace coll_topo::test {

/// What operands of a sum look like.
enum class Distribution : std::uint8_t {
    gaussian,
    lognormal,           ///< all positive, over some 20 binades
    wide_range,          ///< any exponent of the middle third, any sign
    subnormal,           ///< subnormal and the smallest normal numbers
    total_cancellation,  ///< over 160 binades, each with its negative but one tiny one, or none
    ties,                ///< the sum is half-way between two numbers, or a little beside that
    near_overflow,       ///< partial sums overflow, sums are near the limit on both sides
    mixed_signs,         ///< Gaussian, most with their negatives
    specials,            ///< zeros, infinities, NaNs and ordinary numbers
};
inline constexpr Distribution all_distributions[] = {
    Distribution::gaussian,           Distribution::lognormal, Distribution::wide_range,
    Distribution::subnormal,          Distribution::ties,      Distribution::near_overflow,
    Distribution::total_cancellation, Distribution::specials,  Distribution::mixed_signs,
};

std::string name(Distribution distribution);

using Random = std::mt19937_64;

/// About `count` >= 1 operands, float, double or long double, in random order.
template <class Value>
std::vector<Value> draw(Distribution distribution, std::size_t count, Random& random);

/// A number of operands: few most of the time, up to `most`.
std::size_t draw_count(std::size_t most, Random& random);

}  // namespace coll_topo::test
