// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/tree/rooted_tree.hpp"

#include <functional>

/// Bcast and reduce of whole vectors (of other collectives the tree alone) along one axis after the other, the last one
/// first, and last within hosts; in reduce everything runs backwards. Each algorithm chooses the tree on a line. An
/// extra host gets the vector from its proxy; a root on one hands it to its proxy. A ring is a line with the root in
/// the middle, but one that starts at its first place if operands are to stay in rank order.
namespace coll_topo::dimension_tree {

/// The parent and the children of a position on a line; those in a tree over all its positions.
using TreeOnLine = std::function<TreeOfRank(int own)>;
/// Makes the tree on the lines of an axis, positions 0 .. size-1, from position `root`.
using Cut = TreeOnLine (*)(const MachineCosts& costs, const Axis& axis, int root);

/// A line is cut into halves, and the one that has the vector sends it to the nearest one of the other half.
TreeOfRank halves(int size, int root, int own);

/// What sets a row apart from others of its kind: which tree, and how its messages start.
struct Shape {
    Cut cut;
    int sends_at_once;  ///< as Lane says: 1, or 0 for no limit
};

/// Where a rank is in the tree over all ranks.
TreeOfRank tree_of(const Grid& grid, const Problem& problem, int rank, Cut cut);

Program build(const Grid& grid, const Problem& problem, int rank, Shape shape);
bool in_order(const Grid& grid, const Problem& problem);
double seconds(const Grid& grid, const Problem& problem, double bytes, Shape shape);

}  // namespace coll_topo::dimension_tree
