// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/job_placement/job_placement.hpp"
#include "coll_topo/job_placement/leaf_grid.hpp"

namespace coll_topo {

// The six ways of JP 6874564 to choose a submesh of a Latin-square fat tree: columns and rows of leaves, adjacent or
// not, but a full product, so that an allreduce along all columns, or all rows, at once meets no contention. Ranks are
// consecutive inside a leaf, then along a column. Each fails, saying what it looked for, if the free hosts do not allow
// it.

/// Of all numbers of columns and rows the ones with the best submesh_value(); leaves differ by one host at most.
Expected<JobPlacement> place_best_value(const LeafGrid& grid, const Job& job);

/// Job::columns columns, and rows added to them until the leaves have enough free hosts; these are used evenly.
Expected<JobPlacement> place_grow(const LeafGrid& grid, const Job& job);

/// One host of each leaf of k x k, k = floor(sqrt(hosts)) + 1. The surplus hosts carry no ranks.
Expected<JobPlacement> place_one_host_per_leaf(const LeafGrid& grid, const Job& job);

/// Columns, rows and hosts of a leaf nearly equal: with k = floor(cbrt(hosts)), k x k leaves, k x (k+1) from k²(k+1)
/// hosts on, and (k+1) x (k+1) from k(k+1)² on, with k or k+1 hosts each.
Expected<JobPlacement> place_cube(const LeafGrid& grid, const Job& job);

/// As best value, but numbers of columns and rows are powers of two, which have the fewest phases.
Expected<JobPlacement> place_powers_of_two(const LeafGrid& grid, const Job& job);

/// Equally many hosts on every leaf: no surplus if the number of hosts can be divided so, else as little as possible;
/// of these the best value.
Expected<JobPlacement> place_equal_hosts(const LeafGrid& grid, const Job& job);

}  // namespace coll_topo
