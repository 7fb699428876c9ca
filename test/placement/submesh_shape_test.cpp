// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/placement/submesh_shape.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

TEST(SubmeshShape, AllreducePhasesAreThoseOfTheSource) {
    EXPECT_EQ(allreduce_phases(1), 0);
    EXPECT_EQ(allreduce_phases(2), 1);
    EXPECT_EQ(allreduce_phases(4), 2);
    EXPECT_EQ(allreduce_phases(5), 4);  // N4-N5; N1-N2, N3-N4; N1-N3, N2-N4; N4-N5
    EXPECT_EQ(allreduce_phases(6), 4);
    EXPECT_EQ(allreduce_phases(9), 5);
    EXPECT_EQ(allreduce_phases(32), 5);
}

TEST(SubmeshShape, PhasesOf729Hosts) {
    EXPECT_EQ(submesh_phases({9, 9, 9, false}), 20);
    EXPECT_EQ(even_shape(16, 32, 729), (SubmeshShape{16, 32, 1, true}));
    EXPECT_EQ(submesh_phases(even_shape(16, 32, 729)), 11);
}

TEST(SubmeshShape, TheSlowestLeafCounts) {
    // 7 hosts of a leaf take 6 phases, 8 take 3.
    EXPECT_EQ(submesh_phases({1, 1, 7, true}), 12);
    EXPECT_EQ(submesh_phases({1, 1, 8, false}), 6);
    EXPECT_EQ(submesh_phases({1, 1, 8, true}), 10);
}

TEST(SubmeshShape, ValueIsTheWeightedMeanOfItsShares) {
    const SubmeshShape shape{2, 2, 1, false};  // 2 phases, as few as 4 hosts can have
    EXPECT_DOUBLE_EQ(submesh_value(shape, {4, 2, 2}, 4, {}), 1);
    EXPECT_DOUBLE_EQ(submesh_value(shape, {8, 2, 2}, 4, {0, 1, 0}), 0.5);
    EXPECT_DOUBLE_EQ(submesh_value(shape, {4, 3, 5}, 4, {0, 0, 1}), 0.5);
    EXPECT_DOUBLE_EQ(submesh_value({1, 1, 4, false}, {4, 1, 1}, 4, {1, 0, 0}), 0.5);
    EXPECT_DOUBLE_EQ(submesh_value(shape, {8, 3, 5}, 4, {2, 1, 1}), 0.75);
    EXPECT_DOUBLE_EQ(submesh_value({1, 1, 1, false}, {1, 1, 1}, 1, {}), 1);
}

}  // namespace
}  // namespace coll_topo::test
