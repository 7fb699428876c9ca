// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/catalogue.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <bit>

namespace coll_topo {
namespace {

using test::full_grid;

const Algorithm& recursive_doubling = *find_algorithm("recursive_doubling");

constexpr Problem allreduce{Collective::allreduce, 1, 1};

TEST(RecursiveDoubling, TakesAtMostLog2StepsWithoutLargePrimes) {
    for (const std::vector<int>& sizes :
         std::vector<std::vector<int>>{{2}, {4}, {3}, {5}, {6}, {7}, {4, 4}, {3, 3, 3}, {6, 5, 2}, {8, 8}, {7, 9}}) {
        for (const int ranks_per_host : {1, 2, 3, 4}) {
            const Grid grid = full_grid(sizes, ranks_per_host);
            const Program program = recursive_doubling.build(grid, allreduce, 0);
            const int log2 = std::bit_width(static_cast<unsigned>(grid.ranks() - 1));
            EXPECT_LE(static_cast<int>(program.steps.size()), log2) << grid.summary();
        }
    }
}

TEST(RecursiveDoubling, PairsOffInGroupsOfLargePrimes) {
    const Grid grid = full_grid({11});
    std::size_t longest = 0;
    for (int rank = 0; rank < 11; ++rank) {
        longest = std::max(longest, recursive_doubling.build(grid, allreduce, rank).steps.size());
    }
    EXPECT_EQ(longest, 5u) << "floor(log2 11) + 2";
}

TEST(RecursiveDoubling, CombinesInRankOrderWhereRanksFollowTheGrid) {
    EXPECT_TRUE(recursive_doubling.in_order(full_grid({4, 11}, 3), allreduce));
    const Fabric fabric = test::equal_torus({4});
    const Grid turned = Grid::from_torus(fabric, test::ranks_on({0, 1, 2, 3, 0, 1, 2, 3})).value();
    EXPECT_FALSE(recursive_doubling.in_order(turned, allreduce));
}

}  // namespace
}  // namespace coll_topo
