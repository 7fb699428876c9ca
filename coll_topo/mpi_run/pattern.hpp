// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace coll_topo::bench {

/// What is sent, reduced and received: integers modulo 2^32, whose sums are exact in any order.
using Element = std::uint32_t;

/// The elements of a vector from index `first` on: element i is scrambled(i) * weight + shift. A sum over ranks keeps
/// the form: weights and shifts add up. With a weight of its own for each rank and call, a contribution that is
/// missing, counted twice, from an earlier call or at another index changes the result.
struct Pattern {
    std::size_t first = 0;
    Element weight = 0;
    Element shift = 0;

    Element operator[](std::size_t offset) const { return scrambled(first + offset) * weight + shift; }

    /// An odd number for every index; neighbours have nothing in common.
    static Element scrambled(std::size_t index);
};

/// The weight of a rank's contribution to the call with this number; odd, hence never lost in a product.
Element weight_of(int rank, std::uint32_t call);

void fill(std::span<Element> elements, const Pattern& pattern);

/// The first element that is not as the pattern says.
std::optional<std::size_t> first_difference(std::span<const Element> elements, const Pattern& pattern);

}  // namespace coll_topo::bench
