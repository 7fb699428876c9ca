// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/network/fat_tree_text.hpp"

#include "coll_topo/fabric/leaf_groups.hpp"
#include "coll_topo/fabric/projective_plane.hpp"
#include "coll_topo/tool/network/name_lines.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <string>
#include <vector>

namespace coll_topo::tool {

namespace {

constexpr std::size_t most_leaves_of_plane = 100;  // a row of ten fits a line

void write_grid(std::ostream& out, const SwitchGraph& graph, const ProjectivePlane& plane) {
    const auto name = [&](int column, int row) {
        return graph.switches.name(plane.leaves[plane.leaf_at(column, row)]);
    };
    std::vector<std::size_t> width(plane.order, 0);
    for (int column = 0; column < plane.order; ++column) {
        for (int row = 0; row < plane.order; ++row) width[column] = std::max(width[column], name(column, row).size());
    }
    out << "  grid of leaves, columns to the right, rows down:\n";
    for (int row = 0; row < plane.order; ++row) {
        std::string line = "   ";
        for (int column = 0; column < plane.order; ++column) {
            line += fmt::format(" {:{}}", name(column, row), width[column]);
        }
        out << line.substr(0, line.find_last_not_of(' ') + 1) << "\n";
    }
}

void write_classes(std::ostream& out, const SwitchGraph& graph, const ProjectivePlane& plane) {
    std::vector<std::string> at_infinity;
    for (const std::int32_t leaf : plane.meeting_leaf)
        at_infinity.emplace_back(graph.switches.name(plane.leaves[leaf]));
    write_names(out, fmt::format("  leaves off the grid, on {}:", graph.switches.name(plane.spine_at_infinity)),
                at_infinity);
    out << "  spines that share no leaf of the grid:\n";
    for (int k = 0; k < plane.class_count(); ++k) {
        std::vector<std::string> spines;
        for (int line = 0; line < plane.order; ++line) spines.emplace_back(graph.switches.name(plane.spine(k, line)));
        const std::string kind = k == 0 ? "columns" : k == 1 ? "rows" : fmt::format("slope {}", k - 1);
        write_names(out, fmt::format("    {}, all on {}:", kind, at_infinity[k]), spines);
    }
}

void write_groups(std::ostream& out, const SwitchGraph& graph) {
    const std::vector<std::int32_t> group_of = leaf_groups(graph);
    std::vector<std::vector<std::string>> groups;
    for (int index = 0; index < graph.switches.size(); ++index) {
        if (group_of[index] < 0) continue;
        groups.resize(std::max<std::size_t>(groups.size(), group_of[index] + 1));
        groups[group_of[index]].emplace_back(graph.switches.name(index));
    }
    if (groups.size() < 2) return;
    // Where every leaf is alone, as in a tree, there is nothing to say.
    if (std::all_of(groups.begin(), groups.end(), [](const auto& group) { return group.size() == 1; })) return;
    out << "  groups of leaves with the same spines:\n";
    for (std::size_t group = 0; group < groups.size(); ++group) {
        write_names(out, fmt::format("    {}:", group + 1), groups[group]);
    }
}

}  // namespace

void write_fat_tree(std::ostream& out, const SwitchGraph& graph) {
    const auto plane = find_projective_plane(graph);
    if (!plane) {
        write_groups(out, graph);
    } else if (plane->leaves.size() <= most_leaves_of_plane) {
        write_grid(out, graph, *plane);
        write_classes(out, graph, *plane);
    }
}

}  // namespace coll_topo::tool
