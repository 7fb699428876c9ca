// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/schedule/block_map.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace coll_topo {
namespace {

TEST(BlockMap, CutsEvenly) {
    for (const std::size_t n : {0, 1, 2, 7, 1000, 100003}) {
        for (const int blocks : {1, 2, 3, 16, 1000}) {
            const BlockMap map = BlockMap::even(n, blocks);
            for (int k = 0; k <= blocks; ++k) EXPECT_EQ(map.offset(k), k * n / blocks);
            EXPECT_EQ(map.offset(blocks + 1) - n, map.offset(1)) << "the vector repeats behind its end";
        }
    }
}

TEST(BlockMap, DoesNotOverflow) {
    const std::size_t n = std::numeric_limits<std::size_t>::max() / 2;
    const BlockMap map = BlockMap::even(n, 600000);
    EXPECT_EQ(map.offset(600000), n);
    EXPECT_EQ(map.offset(300000), n / 2);
}

TEST(BlockMap, LaysOutPiecesByRankAndByLane) {
    const BlockMap vector = BlockMap::pieces(7, 3), lanes = BlockMap::pieces_by_lane(7, 3, 4);
    // A piece of 7 in 3 lanes: 2, 2, 3.
    EXPECT_EQ(vector.offset(3), 7u);
    EXPECT_EQ(vector.offset(4), 9u);
    EXPECT_EQ(vector.offset(5), 11u);
    EXPECT_EQ(lanes.offset(1), 2u);
    EXPECT_EQ(lanes.offset(4), 8u);
    EXPECT_EQ(lanes.offset(8), 16u);
    EXPECT_EQ(lanes.offset(9), 19u);
    EXPECT_EQ(lanes.offset(12), 28u);
}

}  // namespace
}  // namespace coll_topo
