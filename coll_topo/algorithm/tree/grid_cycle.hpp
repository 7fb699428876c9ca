// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"

namespace coll_topo {

/// An order of all places of a box of a torus or mesh in which each is a neighbour of the next one, and the last one of
/// the first if that can be: a Hamiltonian cycle or path.
///
///     0  1  2  3        rows are of an axis of even size, columns of all the others, in snake order; without such an
///     11 6  5  4        axis there is only the snake
///     10 7  8  9
class GridCycle {
public:
    explicit GridCycle(const Grid& grid);

    /// Whether the last place is a neighbour of the first.
    bool closed() const { return closed_; }

    int place(int position) const;
    int position(int place) const;

private:
    int column_place(int column) const;
    int column_of(int place) const;

    const Grid& grid_;
    int row_axis_ = -1;  // -1: a snake through all
    int rows_ = 1;
    int columns_ = 1;
    bool closed_ = false;
};

}  // namespace coll_topo
