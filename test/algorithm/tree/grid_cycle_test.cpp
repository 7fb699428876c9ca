// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/tree/grid_cycle.hpp"

#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <vector>

namespace coll_topo::test {
namespace {

/// How many cables are between two places; on a ring of 0 and size - 1 there is one.
int cables_between(const Grid& grid, int place, int other) {
    int cables = 0;
    for (int axis = 0; axis < static_cast<int>(grid.axes().size()); ++axis) {
        const int size = grid.axes()[axis].size;
        const int apart = std::abs(grid.coordinate(place, axis) - grid.coordinate(other, axis));
        cables += grid.axes()[axis].wrapped ? std::min(apart, size - apart) : apart;
    }
    return cables;
}

Grid grid_of(const std::vector<int>& sizes, bool wrapped) {
    const Fabric fabric = equal_torus(sizes, wrapped);
    return Grid::from_fabric(fabric, ranks_on_all(fabric)).value();
}

TEST(GridCycle, GoesFromNeighbourToNeighbourPastAll) {
    const std::vector<std::vector<int>> shapes = {{1},    {2},    {5},       {6},       {2, 2},       {4, 3},
                                                  {3, 4}, {3, 5}, {3, 3, 2}, {4, 3, 5}, {2, 3, 4, 3}, {8, 4}};
    for (const auto& sizes : shapes) {
        for (const bool wrapped : {false, true}) {
            const Grid grid = grid_of(sizes, wrapped);
            const GridCycle cycle(grid);
            std::set<int> places;
            for (int position = 0; position < grid.places(); ++position) {
                const int place = cycle.place(position);
                places.insert(place);
                EXPECT_EQ(cycle.position(place), position);
                const int before = position > 0 ? cables_between(grid, cycle.place(position - 1), place) : 1;
                EXPECT_EQ(before, 1);
            }
            EXPECT_EQ(static_cast<int>(places.size()), grid.places());
            const int back = cables_between(grid, cycle.place(grid.places() - 1), cycle.place(0));
            EXPECT_EQ(cycle.closed(), back <= 1) << grid.places();
        }
    }
}

TEST(GridCycle, ClosesWhereAnAxisHasAnEvenSize) {
    EXPECT_TRUE(GridCycle(grid_of({4, 3}, false)).closed());
    EXPECT_TRUE(GridCycle(grid_of({3, 5, 2}, false)).closed());
    EXPECT_TRUE(GridCycle(grid_of({5}, true)).closed());
    EXPECT_FALSE(GridCycle(grid_of({4}, false)).closed());
    EXPECT_FALSE(GridCycle(grid_of({3, 5}, false)).closed());
}

}  // namespace
}  // namespace coll_topo::test
