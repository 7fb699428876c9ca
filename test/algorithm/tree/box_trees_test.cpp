// SPDX-License-Identifier: BSD-3-Clause
//
// Edge-disjoint spanning trees: how many there are, how deep they are, and that they share no link.

#include "coll_topo/algorithm/tree/box_trees.hpp"

#include "test/algorithm/machine.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace coll_topo::test {
namespace {

// Rings, lines, both, and rings of two.
const std::vector<Shape> shapes = {{{7}},          {{4, 4}},       {{3, 5}},    {{8, 3, 4}},    {{3, 3, 3, 3}},
                                   {{6}, 0},       {{3, 3}, 0},    {{5, 2}, 0}, {{4, 3, 2}, 0}, {{4, 4}, 1},
                                   {{4, 5, 3}, 5}, {{3, 6, 2}, 2}, {{2, 4}},    {{2, 2, 2}},    {{3, 2, 5}, 3}};

Grid grid_of(const Shape& shape) {
    const Machine machine = make_machine(shape, equal_ranks_per_host(shape, 1), RankOrder::by_host);
    return Grid::from_torus(machine.fabric, machine.placement).value();
}

int most_trees(const Shape& shape) {
    int trees = 0;
    for (std::size_t axis = 0; axis < shape.sizes.size(); ++axis) {
        trees += (shape.wrapped >> axis & 1u) != 0 && shape.sizes[axis] > 2 ? 2 : 1;
    }
    return trees;
}

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

TEST(BoxTrees, SpanAllPlacesAndShareNoLink) {
    for (const Shape& shape : shapes) {
        const Grid grid = grid_of(shape);
        const int axes = static_cast<int>(shape.sizes.size());
        for (const int root : {0, grid.places() / 2, grid.places() - 1}) {
            for (int wanted = 1; wanted <= 2 * axes; ++wanted) {
                const BoxTrees trees(grid, root, wanted);
                EXPECT_EQ(trees.trees(), std::min(wanted, most_trees(shape)));
                std::set<std::pair<int, int>> links;
                for (int tree = 0; tree < trees.trees(); ++tree) {
                    EXPECT_EQ(trees.parent(tree, root), -1);
                    for (int place = 0; place < grid.places(); ++place) {
                        if (place == root) continue;
                        const int parent = trees.parent(tree, place);
                        EXPECT_TRUE(are_neighbours(grid, parent, place));
                        EXPECT_TRUE(links.insert({parent, place}).second)
                            << grid.summary() << ", root " << root << ", " << wanted << " trees, " << parent << " > "
                            << place;
                    }
                }
            }
        }
    }
}

TEST(BoxTrees, AreAsDeepAsTheySay) {
    for (const Shape& shape : shapes) {
        const Grid grid = grid_of(shape);
        const int axes = static_cast<int>(shape.sizes.size());
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
    EXPECT_EQ(deepest(torus, {torus, 9, 4}), 11) << "one ring the long way round";
    EXPECT_EQ(deepest(torus, {torus, 9, 2}), 8) << "half as many go no further than to the farthest place";
    EXPECT_EQ(deepest(torus, {torus, 9, 1}), 8);
}

TEST(BoxTrees, NoPlaceHasMoreChildrenThanTheySay) {
    for (const Shape& shape : shapes) {
        const Grid grid = grid_of(shape);
        for (int root = 0; root < grid.places(); ++root) {
            for (const int wanted : {1, 8}) {
                const BoxTrees trees(grid, root, wanted);
                int of_root = 0, of_others = 0;
                for (int place = 0; place < grid.places(); ++place) {
                    std::vector<int> children;
                    for (int tree = 0; tree < trees.trees(); ++tree) trees.add_children(tree, place, children);
                    int& most = place == root ? of_root : of_others;
                    most = std::max(most, static_cast<int>(children.size()));
                }
                const BoxTrees::Children said = trees.children();
                EXPECT_EQ(said.of_root, of_root) << grid.summary() << ", root " << root;
                EXPECT_GE(said.of_others, of_others) << grid.summary() << ", root " << root;
                if (trees.trees() == 1) {
                    EXPECT_EQ(said.of_others, of_others) << grid.summary() << ", root " << root;
                }
            }
        }
    }
}

TEST(BoxTrees, ChildrenAreThoseWhoseParentItIs) {
    for (const Shape& shape : shapes) {
        const Grid grid = grid_of(shape);
        for (const int wanted : {1, static_cast<int>(shape.sizes.size()), 8}) {
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
