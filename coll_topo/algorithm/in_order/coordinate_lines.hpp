// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/stages/stages.hpp"
#include "coll_topo/grid/grid.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// The operands of a grid in lines: those of the ranks of each place, then those of the places along one axis after the
/// other, the first axis first. On a skewed grid all hosts of a leaf see the same columns and rows, so that every line
/// of an axis combines the same operands in the same order.
class CoordinateLines {
public:
    explicit CoordinateLines(const Grid& grid) : grid_(grid), stage_order_(StageOrder::of_whole_vectors(grid)) {}

    const Grid& grid() const { return grid_; }

    /// The place of a rank's host, or of its proxy.
    int place(int rank) const;
    /// The ranks of a place: those of its host, then those of its extra host; and the number of a rank among them.
    std::vector<std::int32_t> ranks(int place) const;
    int index(int rank) const;
    int most_ranks() const;

    int coordinate(int place, int axis) const { return stage_order_.member(place, stage(axis)); }
    /// The place with another coordinate on the same line of the axis.
    int along(int place, int axis, int coordinate) const {
        return stage_order_.place_of_member(place, stage(axis), coordinate);
    }

    /// All ranks in the order of their operands: the first axis fastest, but the ranks of a place faster still.
    std::vector<std::int32_t> operands() const;
    /// Whether that is rank order.
    bool in_rank_order() const;

private:
    Stage stage(int axis) const { return {axis, 1, grid_.axes()[axis].size, true}; }

    const Grid& grid_;
    StageOrder stage_order_;
};

}  // namespace coll_topo
