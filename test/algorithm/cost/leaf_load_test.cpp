// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/cost/leaf_load.hpp"
#include "test/grid/switch_fixture.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace coll_topo::test {
namespace {

Grid below_leaves(const std::vector<int>& hosts, int spines, int ranks_per_host) {
    const Fabric fabric = leaf_spine_fabric(hosts, spines);
    return Grid::from_switches(fabric, ranks_on_all(fabric, ranks_per_host)).value();
}

/// Seconds of the busiest cable under a byte from every rank to each on another host, message by message.
double counted(const Grid& grid) {
    LeafLoad load(grid);
    for (int from = 0; from < grid.ranks(); ++from) {
        for (int to = 0; to < grid.ranks(); ++to) {
            if (grid.host(from) != grid.host(to)) load.add(grid.host(from), grid.host(to), 1);
        }
    }
    return load.take();
}

// A leaf with one host has a single cable in use, others have all of theirs.
TEST(LeafLoad, CountsEveryCableOfAllMessagesAtOnce) {
    for (const int ranks_per_host : {1, 3}) {
        for (const int spines : {1, 4, 8}) {
            for (const std::vector<int>& hosts : {std::vector{8, 8, 3, 1}, std::vector{5, 7, 4}, std::vector{4, 4}}) {
                const Grid grid = below_leaves(hosts, spines, ranks_per_host);
                EXPECT_NEAR(LeafLoad(grid).all_at_once(1) / counted(grid), 1, 1e-9) << grid.summary();
            }
        }
    }
}

TEST(LeafLoad, KnowsWhatEvenLoadsWouldBe) {
    for (const int spines : {1, 2, 4}) {
        const Grid full = below_leaves({4, 4, 4}, spines, 2);
        EXPECT_DOUBLE_EQ(LeafLoad(full).all_at_once_evenly(1), counted(full)) << spines;
    }
    // Pairs of 5, 7 and 4 hosts: 7 times 9 cross four cables up from the second leaf, at 1e9 bytes/s.
    EXPECT_DOUBLE_EQ(LeafLoad(below_leaves({5, 7, 4}, 4, 1)).all_at_once_evenly(1), 7 * 9 / 4.0 * 1e-9);
}

}  // namespace
}  // namespace coll_topo::test
