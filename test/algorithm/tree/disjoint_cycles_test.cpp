// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/tree/disjoint_cycles.hpp"

#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>
#include <vector>

namespace coll_topo::test {
namespace {

using Sizes = std::vector<int>;

Grid torus(const Sizes& sizes, bool wrapped = true) {
    const Fabric fabric = equal_torus(sizes, wrapped);
    return Grid::from_fabric(fabric, ranks_on_all(fabric)).value();
}

int hops(const Grid& grid, int place, int other) {
    int sum = 0;
    for (int axis = 0; axis < static_cast<int>(grid.axes().size()); ++axis) {
        const int apart = std::abs(grid.coordinate(place, axis) - grid.coordinate(other, axis));
        sum += std::min(apart, grid.axes()[axis].size - apart);
    }
    return sum;
}

/// Puts the cables of a cycle into a set in which they must not be yet.
void expect_new_cables(const Grid& grid, const std::vector<std::int32_t>& cycle,
                       std::set<std::pair<int, int>>& cables) {
    EXPECT_EQ(std::set(cycle.begin(), cycle.end()).size(), static_cast<std::size_t>(grid.places())) << grid.summary();
    for (std::size_t i = 0; i < cycle.size(); ++i) {
        const auto [least, most] = std::minmax(cycle[i], cycle[(i + 1) % cycle.size()]);
        EXPECT_EQ(hops(grid, least, most), 1);
        EXPECT_TRUE(cables.insert({least, most}).second) << grid.summary();
    }
}

void expect_disjoint_cycles(const Sizes& sizes, std::size_t count) {
    const Grid grid = torus(sizes);
    const auto cycles = disjoint_cycles(grid);
    EXPECT_EQ(cycles.size(), count) << grid.summary();
    EXPECT_EQ(disjoint_cycle_count(grid), static_cast<int>(count)) << grid.summary();
    std::set<std::pair<int, int>> cables;
    for (const std::vector<std::int32_t>& cycle : cycles) expect_new_cables(grid, cycle, cables);
    EXPECT_EQ(cables.size(), count * static_cast<std::size_t>(grid.places())) << grid.summary();
}

TEST(DisjointCycles, PassAllPlacesAndAllCablesOnce) {
    for (int x = 3; x < 14; ++x) {
        for (int y = 3; y < 14; ++y) expect_disjoint_cycles({x, y}, 2);
    }
    for (int x = 3; x <= 14; ++x) {
        for (int y = 3; x * y <= 42; ++y) {
            for (int z = 3; x * y * z <= 128; ++z) expect_disjoint_cycles({x, y, z}, 3);
        }
    }
    expect_disjoint_cycles({3, 3, 3, 3}, 4);
    expect_disjoint_cycles({4, 3, 3, 3}, 4);
}

TEST(DisjointCycles, AreTwoOnLargeTori) {
    for (const Sizes& sizes : {Sizes{16, 12}, {5, 5, 6}, {8, 4, 8}, {3, 3, 3, 5}}) expect_disjoint_cycles(sizes, 2);
}

TEST(DisjointCycles, NeedTwoAxesOfThreePlaces) {
    for (const Sizes& sizes : {Sizes{5}, {2, 4}, {4, 2}, {4, 4, 2}}) {
        EXPECT_EQ(disjoint_cycle_count(torus(sizes)), 0);
        EXPECT_TRUE(disjoint_cycles(torus(sizes)).empty());
    }
    EXPECT_EQ(disjoint_cycle_count(torus({4, 4}, false)), 0);
}

}  // namespace
}  // namespace coll_topo::test
