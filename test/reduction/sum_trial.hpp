// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/reduction/certified_kernels.hpp"
#include "test/reduction/distribution.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

namespace coll_topo::test {

/// A vector of a few elements on each of some ranks, and the exact sums.
template <class Value>
struct SumTrial {
    std::vector<Distribution> distributions;   ///< of each element
    std::vector<std::vector<Value>> operands;  ///< of each rank
    std::vector<Value> sums;                   ///< by the oracle

    std::size_t ranks() const { return operands.size(); }
    std::size_t count() const { return sums.size(); }
    /// What all ranks have of one element.
    std::vector<Value> operands_of(std::size_t element) const;
};

/// Up to `most_ranks` ranks and `most_count` elements; half of the trials with one distribution for all elements. -0
/// stands where an element has fewer operands than there are ranks.
template <class Value>
SumTrial<Value> draw_trial(std::span<const Distribution> distributions, std::size_t most_ranks, std::size_t most_count,
                           Random& random);

template <class Value>
constexpr FloatingType floating_type = std::is_same_v<Value, float>    ? FloatingType::single_precision
                                       : std::is_same_v<Value, double> ? FloatingType::double_precision
                                                                       : FloatingType::extended_precision;

using Bytes = std::vector<std::byte>;

/// Combines parts in a random tree, in random order: combine(source, target) puts source + target into target.
Bytes merge_at_random(std::vector<Bytes> parts, const std::function<void(const Bytes& source, Bytes& target)>& combine,
                      Random& random);

}  // namespace coll_topo::test
