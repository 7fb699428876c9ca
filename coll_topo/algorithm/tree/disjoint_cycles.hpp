// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// How many disjoint_cycles() finds on tori of two axes and more that have three places and more each: one for each
/// axis on up to 128 places, two on more. Elsewhere none.
int disjoint_cycle_count(const Grid& grid);

/// Orders of all places of a torus in which each is a neighbour of the next one, and the last one of the first, and no
/// cable lies on two: Hamiltonian cycles without a common edge. Empty if there are none.
///
///     -- o == o -- o --     first all rows (--) and all columns (|); then squares exchange their cables: each joins
///        |    |    |        two rows and two columns (==, ||), until both are one cycle. The squares of a longer axis
///     -- o == o -- o --     that are left over stand in two rows in turn, where each pair changes neither number.
///        |    ||   ||
///     -- o -- o == o --
///
/// Further axes: the first cycle of the axes before, crossed with the next axis, gives two. Each of the others has a
/// copy on every floor, which upright squares join: two cables of a square lie on two floors, and those between the
/// floors on one of the two cycles, which passes both in the same direction, and so stays one when it gives them for
/// the other two. Where no such square stands on a floor, pairs of squares of the two cycles exchange cables until
/// there is one.
///
/// Source: that there are two is due to A. Kotzig, "Every Cartesian product of two circuits is decomposable into two
/// Hamiltonian circuits", Université de Montréal, 1973, three to M. F. Foregger, "Hamiltonian decompositions of
/// products of cycles", Discrete Mathematics 24, 1978; these constructions are our own.
std::vector<std::vector<std::int32_t>> disjoint_cycles(const Grid& grid);

}  // namespace coll_topo
