// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// Whether disjoint_cycles() finds two: on tori of two axes and more that have three places and more each.
bool has_disjoint_cycles(const Grid& grid);

/// Two orders of all places of a torus in which each is a neighbour of the next one, and the last one of the first, and
/// no cable lies on both: Hamiltonian cycles without a common edge. Empty if there are none.
///
///     -- o == o -- o --     first all rows (--) and all columns (|); then squares exchange their cables: each joins
///        |    |    |        two rows and two columns (==, ||), until both are one cycle. The squares of a longer axis
///     -- o == o -- o --     that are left over stand in two rows in turn, where each pair changes neither number.
///        |    ||   ||
///     -- o -- o == o --
///
/// Further axes: the first cycle of the axes before, crossed with the next axis.
///
/// Source: that there are two is due to A. Kotzig, "Every Cartesian product of two circuits is decomposable into two
/// Hamiltonian circuits", Université de Montréal, 1973; this construction is our own.
std::vector<std::vector<std::int32_t>> disjoint_cycles(const Grid& grid);

}  // namespace coll_topo
