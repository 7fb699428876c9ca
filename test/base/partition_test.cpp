// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace coll_topo {
namespace {

TEST(Partition, ListsThePartsInAscendingOrder) {
    const Partition partition({1, 0, 1, 2, 1}, 3);
    ASSERT_EQ(partition.parts(), 3);
    EXPECT_TRUE(std::ranges::equal(partition[0], std::vector{1}));
    EXPECT_TRUE(std::ranges::equal(partition[1], std::vector{0, 2, 4}));
    EXPECT_TRUE(std::ranges::equal(partition[2], std::vector{3}));
    EXPECT_EQ(partition.part_of(4), 1);
    EXPECT_EQ(partition.index(4), 2);
    EXPECT_EQ(partition.smallest(), 1);
    EXPECT_EQ(partition.largest(), 3);
}

TEST(Partition, MayBeEmptyOrHaveEmptyParts) {
    EXPECT_EQ(Partition().parts(), 0);
    EXPECT_EQ(Partition({}, 0).largest(), 0);
    const Partition partition({1}, 3);
    EXPECT_TRUE(partition[0].empty());
    EXPECT_TRUE(partition[2].empty());
    EXPECT_EQ(partition.smallest(), 0);
}

}  // namespace
}  // namespace coll_topo
