// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/mpi_run/pattern.hpp"

namespace coll_topo::bench {

namespace {

/// The finaliser of MurmurHash3: a bijection in which every bit of the argument changes half of the result.
constexpr std::uint32_t mix(std::uint32_t value) {
    value ^= value >> 16;
    value *= 0x85ebca6bU;
    value ^= value >> 13;
    value *= 0xc2b2ae35U;
    return value ^ value >> 16;
}

}  // namespace

Element Pattern::scrambled(std::size_t index) {
    return mix(static_cast<std::uint32_t>(index)) | 1U;
}

Element weight_of(int rank, std::uint32_t call) {
    return mix(mix(static_cast<std::uint32_t>(rank) + 1) + call) | 1U;
}

void fill(std::span<Element> elements, const Pattern& pattern) {
    for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = pattern[i];
}

std::optional<std::size_t> first_difference(std::span<const Element> elements, const Pattern& pattern) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (elements[i] != pattern[i]) return i;
    }
    return std::nullopt;
}

}  // namespace coll_topo::bench
