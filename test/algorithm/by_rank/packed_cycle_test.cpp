// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/by_rank/packed_cycle.hpp"

#include "coll_topo/algorithm/by_rank/ring_orders.hpp"
#include "test/algorithm/by_rank/parts_of_tori.hpp"
#include "test/grid/switch_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace coll_topo::test {
namespace {

/// How many messages cross the busiest cable, but those of hosts, in one direction while each host sends to the next
/// one and the one before.
int most_on_a_cable(const Grid& grid, const std::vector<std::int32_t>& cycle) {
    MessageWays ways(grid);
    std::vector<int> way;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
        const std::int32_t next = cycle[(i + 1) % cycle.size()];
        ways.append(cycle[i], next, way);
        ways.append(next, cycle[i], way);
    }
    return most_on_a_link(ways, way, /*first=*/grid.switched() ? 2 * grid.hosts() : 0);
}

TEST(PackedCycle, PassesAllHostsOnCablesOfItsOwn) {
    for (const PartOfTorus& part : parts_of_tori()) {
        const Grid grid = grid_of(part);
        ASSERT_TRUE(cycle_can_be_packed(grid)) << part.what;
        std::vector<std::int32_t> cycle = packed_cycle(grid, first_hosts(grid.hosts()));
        EXPECT_EQ(most_on_a_cable(grid, cycle), 1) << part.what;
        std::ranges::sort(cycle);
        ASSERT_EQ(static_cast<int>(cycle.size()), grid.hosts());
        for (int host = 0; host < grid.hosts(); ++host) EXPECT_EQ(cycle[host], host) << part.what;
    }
}

TEST(PackedCycle, PassesTheGroupsOfADragonflyOnCablesOfItsOwn) {
    const Fabric fabric = dragonfly_fabric(5);
    const Grid grid = Grid::from_switches(fabric, ranks_on_all(fabric)).value();
    ASSERT_TRUE(cycle_can_be_packed(grid));
    const std::vector<std::int32_t> by_switches = hosts_by_switches(grid);
    EXPECT_GT(most_on_a_cable(grid, by_switches), 1);
    EXPECT_EQ(most_on_a_cable(grid, packed_cycle(grid, by_switches)), 1);
}

// Neighbours on a mesh have different colours, as on a chess board, and here there is one place more of one.
TEST(PackedCycle, PassesAnOddMesh) {
    for (const std::vector<int>& sizes : {std::vector{5, 5}, std::vector{3, 3, 3}}) {
        const Grid grid = full_grid(sizes, 1, false);
        ASSERT_TRUE(cycle_can_be_packed(grid));
        EXPECT_EQ(most_on_a_cable(grid, packed_cycle(grid, first_hosts(grid.hosts()))), 1);
    }
}

TEST(PackedCycle, IsNotLookedForWhereTheShapeTells) {
    EXPECT_FALSE(cycle_can_be_packed(full_grid({4, 4})));
    const Fabric tree = leaf_spine_fabric({4, 4}, 2);
    EXPECT_FALSE(cycle_can_be_packed(Grid::from_switches(tree, ranks_on_all(tree)).value()));
    EXPECT_FALSE(cycle_can_be_packed(grid_of({"a box", {8, 8}, {0, 1, 8, 9, 16, 17}})));
}

}  // namespace
}  // namespace coll_topo::test
