// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/projective_plane.hpp"

#include "coll_topo/fabric/finite_field.hpp"
#include "coll_topo/fabric/latin_square.hpp"
#include "test/fabric/shuffled_switches.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <set>
#include <string>

namespace coll_topo {
namespace {

using test::shuffled;

std::set<std::int32_t> leaves_of(const SwitchGraph& graph, std::int32_t spine) {
    std::set<std::int32_t> leaves;
    for (const SwitchLink& link : graph.links) {
        if (link.to == spine) leaves.insert(link.from);
    }
    return leaves;
}

/// What is promised of a plane, checked against the links.
void expect_classes_of_parallels(const SwitchGraph& graph, const ProjectivePlane& plane) {
    const int n = plane.order;
    ASSERT_EQ(static_cast<std::size_t>(n * n + n + 1), plane.leaves.size());
    const auto at_infinity = leaves_of(graph, plane.spine_at_infinity);
    std::set<std::int32_t> spines = {plane.spine_at_infinity};
    for (int k = 0; k < plane.class_count(); ++k) {
        EXPECT_EQ(1u, at_infinity.count(plane.leaves[plane.meeting_leaf[k]]));
        for (int line = 0; line < n; ++line) {
            EXPECT_TRUE(spines.insert(plane.spine(k, line)).second) << "a spine in two places";
            std::set<std::int32_t> leaves = {plane.leaves[plane.meeting_leaf[k]]};
            for (std::size_t leaf = 0; leaf < plane.leaves.size(); ++leaf) {
                if (plane.line(k, static_cast<int>(leaf)) == line) leaves.insert(plane.leaves[leaf]);
            }
            EXPECT_EQ(leaves_of(graph, plane.spine(k, line)), leaves);
        }
    }
    for (std::size_t leaf = 0; leaf < plane.leaves.size(); ++leaf) {
        const auto index = static_cast<int>(leaf);
        EXPECT_EQ(index, plane.leaf_of_switch[plane.leaves[leaf]]);
        const bool in_grid = at_infinity.count(plane.leaves[leaf]) == 0;
        for (int k = 0; k < plane.class_count(); ++k) EXPECT_EQ(in_grid, plane.line(k, index) >= 0);
        if (in_grid) {
            EXPECT_EQ(index, plane.leaf_at(plane.column(index), plane.row(index)));
        }
    }
}

/// The plane over the nearfield of order 9, in which Desargues' theorem does not hold: y = x o m + b, where x o m is
/// x m if m is a square and x^3 m if not.
SwitchGraph nearfield_plane() {
    const FiniteField field = *FiniteField::of_order(9);
    const auto multiply = [&field](int x, int m) {
        bool square = false;
        for (int root = 0; root < 9; ++root) square = square || field.multiply(root, root) == m;
        return field.multiply(square ? x : field.multiply(x, field.multiply(x, x)), m);
    };
    SwitchGraph graph = latin_square(9, 1, {});
    graph.links.clear();
    const auto pair = [](int c, int r) { return 10 + 9 * c + r; };
    const auto connect = [&graph](int point, int line) { graph.links.push_back({point, 91 + line, 1, 0, 0}); };
    connect(0, 0);
    for (int c = 0; c < 9; ++c) {
        connect(0, 1 + c);
        connect(1 + c, 0);
        for (int r = 0; r < 9; ++r) {
            connect(pair(c, r), 1 + c);
            connect(1 + c, pair(c, r));
            for (int x = 0; x < 9; ++x) connect(pair(x, field.add(multiply(x, c), r)), pair(c, r));
        }
    }
    return graph;
}

TEST(ProjectivePlane, OfAFileInCanonicalOrderIsTheCanonicalOne) {
    for (const int n : {2, 3, 5, 7}) {
        const auto plane = find_projective_plane(latin_square(n, n + 1, {}));
        ASSERT_TRUE(plane);
        EXPECT_EQ(n, plane->order);
        const auto leaves = static_cast<int>(plane->leaves.size());
        EXPECT_EQ(leaves, plane->spine_at_infinity) << "L is the first spine";
        for (int k = 0; k <= n; ++k) EXPECT_EQ(k, plane->meeting_leaf[k]);
        for (int leaf = 0; leaf <= n; ++leaf) EXPECT_EQ(-1, plane->column(leaf));
        for (int c = 0; c < n; ++c) {
            for (int r = 0; r < n; ++r) {
                const int leaf = 1 + n + c * n + r;
                EXPECT_EQ(c, plane->column(leaf));
                EXPECT_EQ(r, plane->row(leaf));
                EXPECT_EQ(leaf, plane->leaf_at(c, r));
                for (int slope = 0; slope < n; ++slope) {
                    const int line = plane->line(1 + slope, leaf);
                    EXPECT_EQ(r, (line + slope * c) % n);
                    EXPECT_EQ(leaves + 1 + n + slope * n + line, plane->spine(1 + slope, line));
                }
                EXPECT_EQ(leaves + 1 + c, plane->spine(0, c));
            }
        }
    }
}

TEST(ProjectivePlane, IsFoundUnderOtherNamesInAnyOrder) {
    for (const int n : {2, 3, 4, 5, 7, 8, 9}) {
        const SwitchGraph graph = shuffled(latin_square(n, 2, {}), static_cast<unsigned>(n));
        const auto plane = find_projective_plane(graph);
        ASSERT_TRUE(plane) << n;
        EXPECT_EQ(n, plane->order);
        expect_classes_of_parallels(graph, *plane);
    }
}

TEST(ProjectivePlane, NeedsNoField) {
    for (const SwitchGraph& graph : {nearfield_plane(), shuffled(nearfield_plane(), 1)}) {
        const auto plane = find_projective_plane(graph);
        ASSERT_TRUE(plane);
        EXPECT_EQ(9, plane->order);
        expect_classes_of_parallels(graph, *plane);
    }
}

TEST(ProjectivePlane, AnySpineCanBeTheLineAtInfinity) {
    const SwitchGraph graph = shuffled(latin_square(4, 1, {}), 5);
    int planes = 0;
    for (int index = 0; index < graph.switches.size(); ++index) {
        const auto plane = find_projective_plane(graph, index);
        EXPECT_EQ(!leaves_of(graph, index).empty(), plane.has_value()) << "spines only";
        if (!plane) continue;
        ++planes;
        EXPECT_EQ(index, plane->spine_at_infinity);
        expect_classes_of_parallels(graph, *plane);
    }
    EXPECT_EQ(21, planes);
}

TEST(ProjectivePlane, OfOrder31IsFound) {
    const auto plane = find_projective_plane(latin_square(31, 1, {}));
    ASSERT_TRUE(plane);
    EXPECT_EQ(993u, plane->leaves.size());
}

TEST(ProjectivePlane, NothingElseIsTakenForOne) {
    const SwitchGraph plane = latin_square(3, 1, {});
    SwitchGraph graph = plane;
    graph.links.pop_back();
    EXPECT_FALSE(find_projective_plane(graph)) << "a link is missing";

    graph = plane;
    std::swap(graph.links[0].to, graph.links[20].to);
    ASSERT_NE(graph.links[0].to, plane.links[0].to);
    EXPECT_FALSE(find_projective_plane(graph)) << "two links are exchanged";

    graph = plane;
    graph.leaf_of_host.push_back(plane.switches.size() - 1);
    EXPECT_FALSE(find_projective_plane(graph)) << "a host at a spine";

    graph = plane;
    graph.links.push_back({plane.switches.size() - 1, graph.switches.add("top"), 1, 0, 0});
    EXPECT_FALSE(find_projective_plane(graph)) << "a third level";

    EXPECT_FALSE(find_projective_plane(SwitchGraph{}));
    SwitchGraph triangle;
    for (const char* name : {"a", "b", "c", "x", "y", "z"}) triangle.switches.add(name);
    triangle.links = {{0, 3}, {1, 3}, {1, 4}, {2, 4}, {2, 5}, {0, 5}};
    EXPECT_FALSE(find_projective_plane(triangle)) << "order 1 has no grid";
}

}  // namespace
}  // namespace coll_topo
