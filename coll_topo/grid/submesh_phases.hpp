// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>

/// How many phases the tables of the submesh algorithm take among n >= 1 members: what the algorithm does, and what the
/// choice of hosts counts.
namespace coll_topo::submesh {

/// A binomial tree to or from one member: ceil(log2 n). No allreduce has fewer: the number of members
/// that know of another can at most double in a phase.
constexpr int tree_phases(int members) {
    return std::bit_width(static_cast<unsigned>(members) - 1);
}

/// Allreduce(n) of algorithm/submesh_table.hpp: log2 n for powers of two, else floor(log2 n) + 2.
constexpr int allreduce_phases(int members) {
    const int doublings = std::bit_width(static_cast<unsigned>(members)) - 1;
    return std::has_single_bit(static_cast<unsigned>(members)) ? doublings : doublings + 2;
}

}  // namespace coll_topo::submesh
