// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/switch_graph.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace coll_topo {

/// Leaves and spines wired as the points and lines of a projective plane of order n: any two leaves share exactly one
/// spine. One spine is chosen as the line at infinity. The n*n leaves off it are the grid. The other spines fall
/// into n+1 classes of n parallel lines, one class for each leaf at infinity, where its lines meet: every leaf of the
/// grid is on one line of each class, and two lines of different classes share one leaf of the grid. Class 0 is the
/// columns, class 1 the rows.
struct ProjectivePlane {
    int order = 0;
    std::vector<std::int32_t> leaves;          ///< the switches that are points, n*n+n+1, in the order of the file
    std::int32_t spine_at_infinity = -1;       ///< a switch, as spines are below
    std::vector<std::int32_t> meeting_leaf;    ///< by class: the leaf at infinity, an index into `leaves`
    std::vector<std::int32_t> spines;          ///< by class and line, line fastest
    std::vector<std::int32_t> lines;           ///< by class and leaf, leaf fastest; -1 for leaves at infinity
    std::vector<std::int32_t> grid;            ///< by column and row, row fastest: index into `leaves`
    std::vector<std::int32_t> leaf_of_switch;  ///< index into `leaves`, -1 for spines

    int class_count() const { return order + 1; }
    /// Which line of a class a leaf (index into `leaves`) is on, 0 .. n-1; -1 for the leaves at infinity.
    std::int32_t line(int parallel_class, int leaf) const { return lines[parallel_class * leaves.size() + leaf]; }
    /// The switch that is a line of a class.
    std::int32_t spine(int parallel_class, int line) const { return spines[parallel_class * order + line]; }
    std::int32_t column(int leaf) const { return line(0, leaf); }
    std::int32_t row(int leaf) const { return line(1, leaf); }
    /// The leaf (index into `leaves`) where a column and a row meet.
    std::int32_t leaf_at(int column, int row) const { return grid[column * order + row]; }
};

/// The plane, if switches of two levels are wired as one, by the wiring alone: names, the order of the lines and the
/// number of parallel cables do not matter, and no field needs to be behind it. By default the line at infinity is the
/// spine that the first two leaves share. Classes are in the order of their leaves at infinity, the lines of a class in
/// that of their first leaves in the grid: for files in the order of coll-topo.conf(5), columns, rows and slopes
/// are as they are named there. Takes time in proportion to the number of pairs of leaves.
std::optional<ProjectivePlane> find_projective_plane(const SwitchGraph& graph, std::int32_t spine_at_infinity = -1);

}  // namespace coll_topo
