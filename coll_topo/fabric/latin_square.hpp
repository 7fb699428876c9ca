// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/switch_graph.hpp"

#include <cstdint>

namespace coll_topo {

/// Leaves of a Latin-square fat tree of an order, and as many spines.
constexpr std::int64_t latin_square_leaves(std::int64_t order) {
    return order * order + order + 1;
}

/// A Latin-square fat tree: leaves and spines are the points and lines of the projective plane over the field with
/// `order` elements, a prime power. Leaves P, P(c), P(c,r) with r fastest, hosts leaf by leaf; spines L = {P, P(*)},
/// L(c) = {P, P(c,*)} and L(c,r) = {P(c)} and all P(i, r + c*i); for a prime order the arithmetic is modulo the order.
/// `cable` is that between every leaf and each of its spines.
SwitchGraph latin_square(int order, int hosts_per_leaf, SwitchLink cable);

}  // namespace coll_topo
