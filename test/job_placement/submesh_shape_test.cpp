// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/job_placement/submesh_shape.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

TEST(SubmeshShape, PhasesOf729Hosts) {
    EXPECT_EQ(submesh_phases({9, 9, 9, false}), 18)
        << "20 in the source, with Allreduce(9) for the trees of leaves too";
    EXPECT_EQ(even_shape(16, 32, 729), (SubmeshShape{16, 32, 1, true}));
    EXPECT_EQ(submesh_phases(even_shape(16, 32, 729)), 11);
}

TEST(SubmeshShape, TheSlowestLeafCounts) {
    EXPECT_EQ(submesh_phases({2, 1, 8, false}), 3 + 1 + 3);
    EXPECT_EQ(submesh_phases({2, 1, 8, true}), 4 + 1 + 4);
}

TEST(SubmeshShape, ASingleLeafTakesOneTable) {
    EXPECT_EQ(submesh_phases({1, 1, 1, false}), 0);
    EXPECT_EQ(submesh_phases({1, 1, 7, false}), 4);
    EXPECT_EQ(submesh_phases({1, 1, 8, false}), 3);
}

TEST(SubmeshShape, ValueIsTheWeightedMeanOfItsShares) {
    const SubmeshShape shape{2, 2, 1, false};  // 2 phases, as few as 4 hosts can have
    EXPECT_DOUBLE_EQ(submesh_value(shape, {4, 2, 2}, 4, {}), 1);
    EXPECT_DOUBLE_EQ(submesh_value(shape, {8, 2, 2}, 4, {0, 1, 0}), 0.5);
    EXPECT_DOUBLE_EQ(submesh_value(shape, {4, 3, 5}, 4, {0, 0, 1}), 0.5);
    EXPECT_DOUBLE_EQ(submesh_value({2, 1, 2, false}, {4, 2, 1}, 4, {1, 0, 0}), 2.0 / 3);
    EXPECT_DOUBLE_EQ(submesh_value(shape, {8, 3, 5}, 4, {2, 1, 1}), 0.75);
    EXPECT_DOUBLE_EQ(submesh_value({1, 1, 1, false}, {1, 1, 1}, 1, {}), 1);
}

}  // namespace
}  // namespace coll_topo::test
