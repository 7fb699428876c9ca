// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/host_cells.hpp"

#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

Torus torus(const std::vector<int>& sizes, bool wrapped = true) {
    return *equal_torus(sizes, wrapped).torus();
}

std::vector<int> sizes(const HostCells& cells) {
    std::vector<int> sizes;
    for (const TorusDimension& dimension : cells.part().dimensions()) sizes.push_back(dimension.size);
    return sizes;
}

TEST(HostCells, OfAWholeTorusAreItsCells) {
    std::vector<std::int64_t> all;
    for (int cell = 0; cell < 12; ++cell) all.push_back(cell);
    const HostCells cells(torus({4, 3}), all);
    EXPECT_EQ(sizes(cells), (std::vector{4, 3}));
    EXPECT_TRUE(cells.part().dimensions()[0].wrapped);
    for (int host = 0; host < 12; ++host) {
        EXPECT_EQ(cells.cell(host), host);
        EXPECT_EQ(cells.host_at(host), host);
    }
}

TEST(HostCells, MayBeInAnyOrderWithHoles) {
    const HostCells cells(torus({4, 3}), {11, 0, 6, 1});
    EXPECT_EQ(sizes(cells), (std::vector{4, 3}));
    EXPECT_EQ(cells.cell(2), 6);
    EXPECT_EQ(cells.host_at(11), 0);
    EXPECT_EQ(cells.host_at(1), 3);
    EXPECT_EQ(cells.host_at(5), -1);
}

// Ways between cells less than half a ring apart stay between them.
TEST(HostCells, SpanAMeshWhereTheyLeaveOutHalfARing) {
    const HostCells cells(torus({8, 4}), {1, 3 + 8, 4});
    EXPECT_EQ(sizes(cells), (std::vector{4, 2}));
    EXPECT_FALSE(cells.part().dimensions()[0].wrapped);
    EXPECT_EQ(cells.cell(0), 0);
    EXPECT_EQ(cells.cell(1), 2 + 4);
    EXPECT_EQ(cells.cell(2), 3);
}

TEST(HostCells, SpanTheShortWayRoundARing) {
    const HostCells cells(torus({8}), {7, 1});
    EXPECT_EQ(sizes(cells), (std::vector{3}));
    EXPECT_EQ(cells.cell(0), 0);
    EXPECT_EQ(cells.cell(1), 2);
}

TEST(HostCells, KeepTheRingIfAWayGoesHalfRound) {
    EXPECT_EQ(sizes(HostCells(torus({8}), {0, 4})), (std::vector{8}));
    EXPECT_EQ(sizes(HostCells(torus({8}), {0, 3})), (std::vector{4}));
    EXPECT_EQ(sizes(HostCells(torus({2}), {0, 1})), (std::vector{2}));
    EXPECT_TRUE(HostCells(torus({2}), {0, 1}).part().dimensions()[0].wrapped);
}

TEST(HostCells, SpanAPartOfAMesh) {
    const HostCells cells(torus({8, 3}, false), {2, 6 + 8});
    EXPECT_EQ(sizes(cells), (std::vector{5, 2}));
    EXPECT_EQ(cells.cell(1), 4 + 5);
}

TEST(HostCells, GoAnOffsetModuloTheSizes) {
    const HostCells cells(torus({4, 3}), {11, 0, 6, 1});
    for (std::int64_t cell = 0; cell < 12; ++cell) {
        for (std::int64_t offset = 0; offset < 12; ++offset) {
            const std::int64_t target = (cell % 4 + offset % 4) % 4 + (cell / 4 + offset / 4) % 3 * 4;
            EXPECT_EQ(cells.ahead(cell, offset), target);
            EXPECT_EQ(cells.behind(target, offset), cell);
        }
    }
}

TEST(HostCells, AreThoseOfAllHostsOfAGrid) {
    const Fabric fabric = equal_torus({4, 3});
    const Grid grid = Grid::from_torus(fabric, ranks_on({10, 0, 1, 3, 9, 8, 11, 5})).value();
    ASSERT_NE(grid.cells(), nullptr);
    const std::vector<int> host_of_rank = {10, 0, 1, 3, 9, 8, 11, 5};
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        EXPECT_EQ(grid.cells()->cell(grid.host(rank)), host_of_rank[rank]);
        EXPECT_EQ(grid.cells()->host_at(host_of_rank[rank]), grid.host(rank));
    }
}

}  // namespace
}  // namespace coll_topo::test
