// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// Whether disjoint_cycles() finds two: on tori whose axes have three places and more, for most sizes.
bool has_disjoint_cycles(const Grid& grid);

/// Two orders of all places of a torus in which each is a neighbour of the next one, and the last one of the first, and
/// no cable lies on both: Hamiltonian cycles without a common edge. Empty if there are none of the kind that is known
/// here.
///
///     of 3 x 3, places counted along rows:  0 1 4 7 8 2 5 3 6  and  0 3 4 5 8 6 7 1 2
///
/// On C_m x C_n with d = gcd(m, n): right where (x + y) mod d < r, else down. That is one cycle if gcd(r, m) and
/// gcd(d - r, n) are 1. Further axes: the first cycle of the axes before, crossed with the next axis.
///
/// Source: Trotter, Erdős, "When the Cartesian product of directed cycles is Hamiltonian", Journal of Graph Theory
/// 2(2), 1978; what the first leaves is the second one by the same theorem.
std::vector<std::vector<std::int32_t>> disjoint_cycles(const Grid& grid);

}  // namespace coll_topo
