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

TEST(DisjointCycles, PassAllPlacesAndShareNoCable) {
    std::vector<Sizes> all = {{16, 12}, {3, 3, 3}, {4, 4, 4}, {4, 4, 8}, {3, 4, 5}};
    for (int x = 3; x < 14; ++x) {
        for (int y = 3; y < 14; ++y) all.push_back({x, y});
    }
    for (const Sizes& sizes : all) {
        const Grid grid = torus(sizes);
        ASSERT_TRUE(has_disjoint_cycles(grid)) << grid.summary();
        std::set<std::pair<int, int>> cables;
        for (const std::vector<std::int32_t>& cycle : disjoint_cycles(grid)) {
            EXPECT_EQ(std::set(cycle.begin(), cycle.end()).size(), static_cast<std::size_t>(grid.places()));
            for (std::size_t i = 0; i < cycle.size(); ++i) {
                const auto [least, most] = std::minmax(cycle[i], cycle[(i + 1) % cycle.size()]);
                EXPECT_EQ(hops(grid, least, most), 1);
                EXPECT_TRUE(cables.insert({least, most}).second) << grid.summary();
            }
        }
        EXPECT_EQ(cables.size(), 2 * static_cast<std::size_t>(grid.places()));
    }
}

TEST(DisjointCycles, NeedTwoAxesOfThreePlaces) {
    for (const Sizes& sizes : {Sizes{5}, {2, 4}, {4, 2}, {4, 4, 2}}) {
        EXPECT_FALSE(has_disjoint_cycles(torus(sizes)));
        EXPECT_TRUE(disjoint_cycles(torus(sizes)).empty());
    }
    EXPECT_FALSE(has_disjoint_cycles(torus({4, 4}, false)));
}

}  // namespace
}  // namespace coll_topo::test
