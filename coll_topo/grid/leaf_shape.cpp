// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/leaf_shape.hpp"

#include "coll_topo/fabric/leaf_groups.hpp"
#include "coll_topo/grid/leaf_columns.hpp"
#include "coll_topo/grid/most_equal.hpp"

#include <map>
#include <numeric>

namespace coll_topo {
namespace {

// Groups are cut to equal size only where that leaves out at most one in so many leaves: hosts of the others are
// extra hosts, whose data travel twice.
constexpr int one_in_left_out = 8;

/// Appends the leaves with rows fastest.
void append(const LeafColumns& columns, std::vector<std::int32_t>& leaves) {
    leaves.insert(leaves.end(), columns.leaf_at.begin(), columns.leaf_at.end());
}

LeafShape skewed(const ProjectivePlane& plane, std::span<const std::int32_t> switches, int hosts_per_leaf) {
    LeafShape shape{{{"rows", plane.order}, {"columns", plane.order}}, {}, true};
    for (int number = 0; number < hosts_per_leaf; ++number) {
        const int classes = plane.class_count();
        append(lines_as_columns(plane, switches, number % classes, (number + 1) % classes), shape.leaves);
    }
    return shape;
}

void add_lines(const SwitchGraph& graph, std::span<const std::int32_t> switches, int hosts_per_leaf,
               std::vector<LeafShape>& shapes) {
    const auto plane = find_projective_plane(graph);
    if (!plane) return;
    const LeafColumns columns = lines_as_columns(*plane, switches);
    if (columns.columns < 2 || columns.rows < 2) return;
    if (hosts_per_leaf > 1 && columns.columns == plane->order && columns.rows == plane->order) {
        shapes.push_back(skewed(*plane, switches, hosts_per_leaf));
    }
    shapes.push_back({{{"rows", columns.rows}, {"columns", columns.columns}}, columns.leaf_at});
}

void add_groups(const SwitchGraph& graph, std::span<const std::int32_t> switches, std::vector<LeafShape>& shapes) {
    const auto group_of_switch = leaf_groups(graph);
    std::map<std::int32_t, std::vector<std::int32_t>> groups;
    for (std::size_t leaf = 0; leaf < switches.size(); ++leaf) {
        groups[group_of_switch[switches[leaf]]].push_back(static_cast<std::int32_t>(leaf));
    }
    std::vector<int> sizes;
    for (const auto& [group, leaves] : groups) sizes.push_back(static_cast<int>(leaves.size()));
    const MostEqual most = most_equal(sizes);
    const auto left_out = switches.size() - static_cast<std::size_t>(most.size) * most.parts;
    if (most.size < 2 || most.parts < 2 || left_out * one_in_left_out > switches.size()) return;
    LeafShape shape{{{"leaves", most.size}, {"groups", most.parts}}, {}};
    for (const auto& [group, leaves] : groups) {
        if (static_cast<int>(leaves.size()) < most.size) continue;
        shape.leaves.insert(shape.leaves.end(), leaves.begin(), leaves.begin() + most.size);
    }
    shapes.push_back(std::move(shape));
}

}  // namespace

int LeafShape::size() const {
    int size = 1;
    for (const Side& side : sides) size *= side.size;
    return size;
}

std::vector<LeafShape> leaf_shapes(const SwitchGraph& graph, std::span<const std::int32_t> switches,
                                   int hosts_per_leaf) {
    std::vector<LeafShape> shapes;
    add_lines(graph, switches, hosts_per_leaf, shapes);
    add_groups(graph, switches, shapes);
    LeafShape line;
    if (switches.size() > 1) line.sides.push_back({"leaves", static_cast<int>(switches.size())});
    line.leaves.resize(switches.size());
    std::iota(line.leaves.begin(), line.leaves.end(), 0);
    shapes.push_back(std::move(line));
    return shapes;
}

}  // namespace coll_topo
