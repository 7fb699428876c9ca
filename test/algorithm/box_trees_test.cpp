// SPDX-License-Identifier: BSD-3-Clause
//
// Edge-disjoint spanning trees: how many there are, how deep they are, and that they share no link.

#include "coll_topo/algorithm/box_trees.hpp"

#include "test/placement/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace coll_topo::test {
namespace {

struct Case {
    std::vector<int> sizes;
    bool wrapped;
};

const std::vector<Case> cases = {{{7}, true},          {{4, 4}, true}, {{3, 5}, true},   {{8, 3, 4}, true},
                                 {{3, 3, 3, 3}, true}, {{6}, false},   {{3, 3}, false},  {{5, 2}, false},
                                 {{4, 3, 2}, false},   {{2, 4}, true}, {{2, 2, 2}, true}};

/// Links from a place to the root, or -1 if the way never gets there.
int depth(const BoxTrees& trees, int tree, int place, int places) {
    int links = 0;
    for (; trees.parent(tree, place) >= 0; ++links) {
        if (links > places) return -1;
        place = trees.parent(tree, place);
    }
    return links;
}

int deepest(const Grid& grid, const BoxTrees& trees) {
    int most = 0;
    for (int tree = 0; tree < trees.trees(); ++tree) {
        for (int place = 0; place < grid.places(); ++place) {
            const int links = depth(trees, tree, place, grid.places());
            EXPECT_GE(links, 0) << "place " << place << " hangs on no root";
            most = std::max(most, links);
        }
    }
    return most;
}

bool are_neighbours(const Grid& grid, int one, int other) {
    int apart = 0;
    for (int axis = 0; axis < static_cast<int>(grid.axes().size()); ++axis) {
        const Axis& line = grid.axes()[axis];
        const int ahead = std::abs(grid.coordinate(one, axis) - grid.coordinate(other, axis));
        apart += line.wrapped ? std::min(ahead, line.size - ahead) : ahead;
    }
    return apart == 1;
}

// A ring of two has two cables, and so two links each way.
int cables(const Grid& grid, int one, int other) {
    for (int axis = 0; axis < static_cast<int>(grid.axes().size()); ++axis) {
        if (grid.coordinate(one, axis) == grid.coordinate(other, axis)) continue;
        return grid.axes()[axis].wrapped && grid.axes()[axis].size == 2 ? 2 : 1;
    }
    return 0;
}

TEST(BoxTrees, SpanAllPlacesAndShareNoLink) {
    for (const Case& box : cases) {
        const Grid grid = full_grid(box.sizes, 1, box.wrapped);
        const int axes = static_cast<int>(box.sizes.size());
        for (const int root : {0, grid.places() / 2, grid.places() - 1}) {
            for (int wanted = 1; wanted <= 2 * axes; ++wanted) {
                const BoxTrees trees(grid, root, wanted);
                EXPECT_EQ(trees.trees(), std::min(wanted, box.wrapped ? 2 * axes : axes));
                std::multiset<std::pair<int, int>> links;
                for (int tree = 0; tree < trees.trees(); ++tree) {
                    EXPECT_EQ(trees.parent(tree, root), -1);
                    for (int place = 0; place < grid.places(); ++place) {
                        if (place == root) continue;
                        const int parent = trees.parent(tree, place);
                        EXPECT_TRUE(are_neighbours(grid, parent, place));
                        links.insert({parent, place});
                    }
                }
                for (const auto& [from, to] : links) {
                    ASSERT_LE(static_cast<int>(links.count({from, to})), cables(grid, from, to))
                        << grid.summary() << ", root " << root << ", " << wanted << " trees, " << from << " > " << to;
                }
            }
        }
    }
}

TEST(BoxTrees, AreAsDeepAsTheySay) {
    for (const Case& box : cases) {
        const Grid grid = full_grid(box.sizes, 1, box.wrapped);
        const int axes = static_cast<int>(box.sizes.size());
        for (const int root : {0, grid.places() / 2}) {
            for (const int wanted : {1, axes, 2 * axes}) {
                const BoxTrees trees(grid, root, wanted);
                const std::vector<int> way = trees.longest_way();
                EXPECT_EQ(deepest(grid, trees), std::accumulate(way.begin(), way.end(), 0))
                    << grid.summary() << ", root " << root << ", " << wanted << " trees";
            }
        }
    }
    const Grid torus = full_grid({8, 8});
    EXPECT_EQ(deepest(torus, {torus, 9, 4}), 15) << "sum of d - 1, and one more";
    EXPECT_EQ(deepest(torus, {torus, 9, 2}), 8) << "half as many are half as deep";
    EXPECT_EQ(deepest(torus, {torus, 9, 1}), 8);
}

TEST(BoxTrees, ChildrenAreThoseWhoseParentItIs) {
    for (const Case& box : cases) {
        const Grid grid = full_grid(box.sizes, 1, box.wrapped);
        for (const int wanted : {1, static_cast<int>(box.sizes.size()), 8}) {
            const BoxTrees trees(grid, 1, wanted);
            for (int tree = 0; tree < trees.trees(); ++tree) {
                for (int place = 0; place < grid.places(); ++place) {
                    std::vector<int> expected, found;
                    for (int other = 0; other < grid.places(); ++other) {
                        if (trees.parent(tree, other) == place) expected.push_back(other);
                    }
                    trees.add_children(tree, place, found);
                    std::ranges::sort(found);
                    EXPECT_EQ(found, expected) << grid.summary() << ", tree " << tree << ", place " << place;
                }
            }
        }
    }
}

}  // namespace
}  // namespace coll_topo::test
