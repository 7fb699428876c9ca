// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/switch_graph.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace coll_topo {

/// How leaves can stand on axes.
struct LeafShape {
    struct Side {
        const char* name;
        int size;
    };
    std::vector<Side> sides;           ///< axes with more than one leaf
    std::vector<std::int32_t> leaves;  ///< indices into the leaves asked about, first side fastest; skewed: one such
                                       ///< list after the other for each host of a leaf
    bool skewed = false;               ///< Grid::skewed()

    /// How many leaves are in it.
    int size() const;
    /// The leaf where host `number` of a leaf has the place `position` among the leaves.
    std::int32_t leaf(int number, int position) const { return leaves[(skewed ? number * size() : 0) + position]; }
};

/// The shapes worth a look for leaves (given as switches) with so many hosts each, those with the shortest axes first:
/// columns and rows of a projective plane, of other classes of parallels for each host if all of the grid is in use;
/// leaves of a group and groups, without those left over if these are few; all leaves on one axis.
std::vector<LeafShape> leaf_shapes(const SwitchGraph& graph, std::span<const std::int32_t> switches,
                                   int hosts_per_leaf);

}  // namespace coll_topo
