// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/tree/grid_cycle.hpp"

namespace coll_topo {

GridCycle::GridCycle(const Grid& grid) : grid_(grid), columns_(grid.places()) {
    const int axes = static_cast<int>(grid.axes().size());
    for (int axis = 0; axis < axes && axes > 1 && row_axis_ < 0; ++axis) {
        if (grid.axes()[axis].size % 2 == 0) row_axis_ = axis;
    }
    if (row_axis_ >= 0) {
        rows_ = grid.axes()[row_axis_].size;
        columns_ /= rows_;
    }
    closed_ = row_axis_ >= 0 || columns_ <= 2 || (axes == 1 && grid.axes()[0].wrapped);
}

/// The snake goes back along an axis after every step along the next one: a Gray code.
int GridCycle::column_place(int column) const {
    int place = 0, block = columns_;
    for (int axis = static_cast<int>(grid_.axes().size()) - 1; axis >= 0; --axis) {
        if (axis == row_axis_) continue;
        block /= grid_.axes()[axis].size;
        const int coordinate = column / block;
        place = grid_.along(place, axis, coordinate);
        column %= block;
        if (coordinate % 2 == 1) column = block - 1 - column;
    }
    return place;
}

int GridCycle::column_of(int place) const {
    int column = 0, block = 1;
    for (int axis = 0; axis < static_cast<int>(grid_.axes().size()); ++axis) {
        if (axis == row_axis_) continue;
        const int coordinate = grid_.coordinate(place, axis);
        column = coordinate * block + (coordinate % 2 == 1 ? block - 1 - column : column);
        block *= grid_.axes()[axis].size;
    }
    return column;
}

int GridCycle::place(int position) const {
    if (row_axis_ < 0 || position < columns_) return column_place(position);
    const int all = rows_ * columns_;
    if (position > all - rows_) return grid_.along(column_place(0), row_axis_, all - position);
    const int row = 1 + (position - columns_) / (columns_ - 1), step = (position - columns_) % (columns_ - 1);
    return grid_.along(column_place(row % 2 == 1 ? columns_ - 1 - step : 1 + step), row_axis_, row);
}

int GridCycle::position(int place) const {
    const int column = column_of(place);
    const int row = row_axis_ < 0 ? 0 : grid_.coordinate(place, row_axis_);
    if (row == 0) return column;
    if (column == 0) return rows_ * columns_ - row;
    return columns_ + (row - 1) * (columns_ - 1) + (row % 2 == 1 ? columns_ - 1 - column : column - 1);
}

}  // namespace coll_topo
