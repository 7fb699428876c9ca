// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/torus.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// A full box of occupied cells: every combination of the chosen coordinates is among the cells it was made of.
struct Box {
    std::vector<std::vector<int>> coordinates;  ///< by dimension, the chosen coordinates in ascending order
    std::vector<std::int32_t> members;          ///< indices of the cells in the box, first dimension fastest
    std::vector<std::int32_t> other_cells;      ///< indices of the other cells
};

/// A large box among `cells` (distinct): slices across a dimension are taken away, emptiest first, until what is left
/// is full. If it would not keep more than half of the cells, the box is empty and all cells are others.
Box find_box(const Torus& torus, const std::vector<std::int64_t>& cells);

}  // namespace coll_topo
