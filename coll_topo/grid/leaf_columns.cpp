// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/leaf_columns.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

/// Numbers the lines of a class that leaves are on: in ascending order.
struct LinesInUse {
    LinesInUse(const ProjectivePlane& plane, std::span<const std::int32_t> switches, int parallel_class) {
        std::vector<std::int32_t> number(plane.order, -1);
        for (const std::int32_t leaf : switches) {
            of_leaf.push_back(plane.line(parallel_class, plane.leaf_of_switch[leaf]));
            if (of_leaf.back() >= 0) number[of_leaf.back()] = 0;
        }
        for (std::int32_t& line : number) {
            if (line == 0) line = count++;
        }
        for (std::int32_t& line : of_leaf) {
            if (line >= 0) line = number[line];
        }
    }

    std::vector<std::int32_t> of_leaf;  // -1: at infinity
    int count = 0;
};

}  // namespace

LeafColumns groups_as_columns(const Partition& leaves_by_group) {
    LeafColumns result;
    if (leaves_by_group.smallest() != leaves_by_group.largest()) return result;
    result.columns = leaves_by_group.parts();
    result.rows = leaves_by_group.smallest();
    for (int group = 0; group < result.columns; ++group) {
        for (const std::int32_t leaf : leaves_by_group[group]) result.leaf_at.push_back(leaf);
    }
    return result;
}

LeafColumns lines_as_columns(const ProjectivePlane& plane, std::span<const std::int32_t> switches, int column_class,
                             int row_class) {
    const LinesInUse columns(plane, switches, column_class), rows(plane, switches, row_class);
    const bool at_infinity = std::ranges::find(columns.of_leaf, -1) != columns.of_leaf.end();
    if (at_infinity || columns.count * rows.count != static_cast<int>(switches.size())) return {};
    // Two lines meet in one leaf only, so that nothing is left out.
    LeafColumns result{columns.count, rows.count, std::vector<std::int32_t>(switches.size())};
    for (std::size_t leaf = 0; leaf < switches.size(); ++leaf) {
        result.leaf_at[columns.of_leaf[leaf] * rows.count + rows.of_leaf[leaf]] = static_cast<std::int32_t>(leaf);
    }
    return result;
}

LeafColumns lines_as_columns(const ProjectivePlane& plane, std::span<const std::int32_t> switches) {
    for (int column_class = 0; column_class < plane.class_count(); ++column_class) {
        for (int row_class = column_class + 1; row_class < plane.class_count(); ++row_class) {
            LeafColumns result = lines_as_columns(plane, switches, column_class, row_class);
            if (result.columns > 0) return result;
        }
    }
    return {};
}

}  // namespace coll_topo
