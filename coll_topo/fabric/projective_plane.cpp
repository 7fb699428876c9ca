// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/projective_plane.hpp"

#include <algorithm>

namespace coll_topo {

namespace {

/// Which leaves are on which spines, both numbered in the order of the file.
struct Incidence {
    std::vector<std::int32_t> leaves;                  // switches
    std::vector<std::int32_t> spines;                  // switches
    std::vector<std::int32_t> leaf_of_switch;          // -1: a spine
    std::vector<std::int32_t> spine_of_switch;         // -1: a leaf
    std::vector<std::vector<std::int32_t>> spines_of;  // by leaf, ascending
    std::vector<std::vector<std::int32_t>> leaves_of;  // by spine, ascending
};

void sort_each(std::vector<std::vector<std::int32_t>>& lists) {
    for (auto& list : lists) std::sort(list.begin(), list.end());
}

/// Nothing if there are not two levels of switches, all hosts below the lower.
std::optional<Incidence> find_incidence(const SwitchGraph& graph) {
    const int switches = graph.switches.size();
    std::vector<char> is_lower(switches, 0);
    for (const SwitchLink& link : graph.links) is_lower[link.from] = 1;
    const bool two_levels =
        std::none_of(graph.links.begin(), graph.links.end(), [&](const SwitchLink& link) { return is_lower[link.to]; });
    const bool hosts_below = std::all_of(graph.leaf_of_host.begin(), graph.leaf_of_host.end(),
                                         [&](std::int32_t leaf) { return is_lower[leaf]; });
    if (!two_levels || !hosts_below) return {};

    Incidence incidence;
    incidence.leaf_of_switch.assign(switches, -1);
    incidence.spine_of_switch.assign(switches, -1);
    for (int index = 0; index < switches; ++index) {
        auto& level = is_lower[index] ? incidence.leaves : incidence.spines;
        auto& number = is_lower[index] ? incidence.leaf_of_switch : incidence.spine_of_switch;
        number[index] = static_cast<std::int32_t>(level.size());
        level.push_back(index);
    }
    incidence.spines_of.resize(incidence.leaves.size());
    incidence.leaves_of.resize(incidence.spines.size());
    for (const SwitchLink& link : graph.links) {
        const std::int32_t leaf = incidence.leaf_of_switch[link.from], spine = incidence.spine_of_switch[link.to];
        incidence.spines_of[leaf].push_back(spine);
        incidence.leaves_of[spine].push_back(leaf);
    }
    sort_each(incidence.spines_of);
    sort_each(incidence.leaves_of);
    return incidence;
}

/// The order n of the plane that the incidence is; 0 if it is none. It is one if there are as many points as lines, n+1
/// of each on each of the other, and no two points share two lines: by their number, any two points then share one.
int order_of(const Incidence& incidence) {
    const std::size_t points = incidence.leaves.size();
    if (points != incidence.spines.size() || points == 0) return 0;
    const std::size_t degree = incidence.spines_of[0].size();
    if (degree < 3 || points != degree * (degree - 1) + 1) return 0;
    const auto has_degree = [degree](const std::vector<std::int32_t>& list) { return list.size() == degree; };
    if (!std::all_of(incidence.spines_of.begin(), incidence.spines_of.end(), has_degree)) return 0;
    if (!std::all_of(incidence.leaves_of.begin(), incidence.leaves_of.end(), has_degree)) return 0;

    std::vector<std::int32_t> met_by(points, -1);
    for (std::size_t leaf = 0; leaf < points; ++leaf) {
        for (const std::int32_t spine : incidence.spines_of[leaf]) {
            for (const std::int32_t other : incidence.leaves_of[spine]) {
                if (other == static_cast<std::int32_t>(leaf)) continue;
                if (met_by[other] == static_cast<std::int32_t>(leaf)) return 0;
                met_by[other] = static_cast<std::int32_t>(leaf);
            }
        }
    }
    return static_cast<int>(degree) - 1;
}

/// The one spine of two leaves.
std::int32_t shared_spine(const Incidence& incidence, std::int32_t a, std::int32_t b) {
    const auto& spines = incidence.spines_of[a];
    return *std::find_first_of(spines.begin(), spines.end(), incidence.spines_of[b].begin(),
                               incidence.spines_of[b].end());
}

/// Numbers the lines through a leaf at infinity, but for the line there, by their first leaves in the grid.
void add_class(ProjectivePlane& plane, const Incidence& incidence, std::int32_t meeting_leaf, std::int32_t infinity) {
    const std::size_t first_line = plane.lines.size();
    plane.lines.resize(first_line + plane.leaves.size(), -1);
    plane.meeting_leaf.push_back(meeting_leaf);
    std::vector<std::pair<std::int32_t, std::int32_t>> by_first_leaf;
    for (const std::int32_t spine : incidence.spines_of[meeting_leaf]) {
        if (spine == infinity) continue;
        const auto& leaves = incidence.leaves_of[spine];  // all but the meeting leaf are in the grid
        by_first_leaf.emplace_back(leaves[leaves[0] == meeting_leaf ? 1 : 0], spine);
    }
    std::sort(by_first_leaf.begin(), by_first_leaf.end());
    for (int line = 0; line < plane.order; ++line) {
        const std::int32_t spine = by_first_leaf[line].second;
        plane.spines.push_back(incidence.spines[spine]);
        for (const std::int32_t leaf : incidence.leaves_of[spine]) {
            if (leaf != meeting_leaf) plane.lines[first_line + leaf] = line;
        }
    }
}

}  // namespace

std::optional<ProjectivePlane> find_projective_plane(const SwitchGraph& graph, std::int32_t spine_at_infinity) {
    auto incidence = find_incidence(graph);
    const int order = incidence ? order_of(*incidence) : 0;
    if (order == 0) return {};
    const std::int32_t infinity =
        spine_at_infinity >= 0 ? incidence->spine_of_switch[spine_at_infinity] : shared_spine(*incidence, 0, 1);
    if (infinity < 0) return {};

    ProjectivePlane plane;
    plane.order = order;
    plane.leaves = incidence->leaves;
    plane.leaf_of_switch = incidence->leaf_of_switch;
    plane.spine_at_infinity = incidence->spines[infinity];
    for (const std::int32_t leaf : incidence->leaves_of[infinity]) add_class(plane, *incidence, leaf, infinity);
    plane.grid.resize(static_cast<std::size_t>(order) * order);
    for (std::int32_t leaf = 0; leaf < static_cast<std::int32_t>(plane.leaves.size()); ++leaf) {
        if (plane.column(leaf) >= 0) plane.grid[plane.column(leaf) * order + plane.row(leaf)] = leaf;
    }
    return plane;
}

}  // namespace coll_topo
