// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/tree/disjoint_cycles.hpp"

#include <algorithm>
#include <utility>

namespace coll_topo {
namespace {

/// Places of a cycle crossed with an axis, as rows: which of the two cycles has the cable to the right and down.
class Crossing {
public:
    Crossing(int columns, int rows)
        : columns_(columns), rows_(rows), right_(columns * rows, 0), down_(columns * rows, 1) {
        const bool by_rows = rows > columns;
        const int more = std::max(columns, rows), fewer = std::min(columns, rows);
        // Cables that lead round an odd number of rows or columns make up for sizes that are not both odd or both even.
        const bool mixed = (columns + rows) % 2 == 1;
        const int squares = more - (mixed && more % 2 == 1 ? 0 : 1),
                  joining = fewer - (mixed && fewer % 2 == 1 ? 0 : 1);
        for (int i = 0; i < squares; ++i) {
            const int across = i < joining ? i : (i - joining) % 2;
            if (by_rows)
                exchange(across, i);
            else
                exchange(i, across);
        }
    }

    /// Visits the places of one cycle, as (column, row).
    template <typename Visit>
    void walk(int cycle, Visit&& visit) const {
        int x = 0, y = 0, back = -1;
        for (int i = 0; i < columns_ * rows_; ++i) {
            visit(x, y);
            const bool ways[] = {right_[at(x, y)] == cycle, down_[at(x, y)] == cycle, right_[at(x - 1, y)] == cycle,
                                 down_[at(x, y - 1)] == cycle};
            int way = 0;
            while (!ways[way] || way == back) ++way;
            x = (x + columns_ + (way == 0) - (way == 2)) % columns_;
            y = (y + rows_ + (way == 1) - (way == 3)) % rows_;
            back = (way + 2) % 4;
        }
    }

private:
    int at(int x, int y) const { return (y + rows_) % rows_ * columns_ + (x + columns_) % columns_; }

    /// The four cables of the square to the right of a place and below it.
    void exchange(int x, int y) {
        std::swap(right_[at(x, y)], down_[at(x, y)]);
        std::swap(right_[at(x, y + 1)], down_[at(x + 1, y)]);
    }

    int columns_, rows_;
    std::vector<std::int8_t> right_, down_;  // by place
};

/// One of the two cycles of a cycle of places crossed with an axis.
std::vector<std::int32_t> crossed(const Grid& grid, const std::vector<std::int32_t>& cycle, int axis,
                                  const Crossing& crossing, int number) {
    std::vector<std::int32_t> order;
    crossing.walk(number, [&](int x, int y) { order.push_back(grid.along(cycle[x], axis, y)); });
    return order;
}

}  // namespace

bool has_disjoint_cycles(const Grid& grid) {
    // With two places an axis has one cable, which would be used both ways by one cycle.
    constexpr int least_size = 3;
    return !grid.switched() && grid.axes().size() >= 2 &&
           std::ranges::all_of(grid.axes(), [](const Axis& axis) { return axis.wrapped && axis.size >= least_size; });
}

std::vector<std::vector<std::int32_t>> disjoint_cycles(const Grid& grid) {
    if (!has_disjoint_cycles(grid)) return {};
    std::vector<std::int32_t> before;
    for (int x = 0; x < grid.axes()[0].size; ++x) before.push_back(grid.along(0, 0, x));
    for (int axis = 1;; ++axis) {
        const Crossing crossing(static_cast<int>(before.size()), grid.axes()[axis].size);
        std::vector<std::int32_t> first = crossed(grid, before, axis, crossing, 0);
        if (axis + 1 == static_cast<int>(grid.axes().size())) {
            return {std::move(first), crossed(grid, before, axis, crossing, 1)};
        }
        before = std::move(first);
    }
}

}  // namespace coll_topo
