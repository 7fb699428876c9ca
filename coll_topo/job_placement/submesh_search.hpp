// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/job_placement/leaf_grid.hpp"
#include "coll_topo/job_placement/submesh_shape.hpp"

#include <optional>
#include <vector>

namespace coll_topo {

/// Columns and rows of a grid of leaves, ascending.
struct Submesh {
    std::vector<int> columns;
    std::vector<int> rows;
};

/// What stands on the leaves of a submesh.
SubmeshSite site_of(const LeafGrid& grid, const Submesh& submesh);

/// The submesh of this shape with the highest value: any columns and rows of which every leaf has hosts_of_leaf free
/// hosts, and enough leaves one more that there are `hosts`. Adjacent columns are tried first, then all choices of
/// columns, up to `most_choices`: all there are up to order 13.
std::optional<Submesh> find_submesh(const LeafGrid& grid, const SubmeshShape& shape, int hosts,
                                    const ValueWeights& weights);

/// So many columns, and as few rows, of those that cross all of them at leaves with free hosts, as have `hosts`
/// together without leaving out a row between.
std::optional<Submesh> grow_submesh(const LeafGrid& grid, int columns, int hosts);

inline constexpr int most_choices = 2'000;

}  // namespace coll_topo
