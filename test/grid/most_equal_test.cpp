// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/most_equal.hpp"

#include <gtest/gtest.h>

namespace coll_topo {
namespace {

void expect(std::vector<int> sizes, int size, int parts) {
    const MostEqual most = most_equal(std::move(sizes));
    EXPECT_EQ(most.size, size);
    EXPECT_EQ(most.parts, parts);
}

TEST(MostEqual, KeepsAsMuchAsItCan) {
    expect({4, 4, 4}, 4, 3);
    expect({4, 3, 4}, 3, 3);
    expect({8, 1, 8, 1}, 8, 2);
    expect({4, 2}, 4, 1);
    expect({7}, 7, 1);
    expect({}, 0, 0);
}

}  // namespace
}  // namespace coll_topo
