// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/placement.hpp"

#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

namespace coll_topo {
namespace {

RankLocation bound_to(std::uint16_t core, std::uint32_t processors) {
    return {.host = 0, .package = 0, .numa = 0, .l3 = 0, .core = core, .processors = processors};
}

TEST(SharedProcessors, AreThoseThatRanksMayRunOn) {
    const RankLocation anywhere{.host = 0, .processors = 4};
    EXPECT_EQ(shared_processors({anywhere, anywhere, anywhere}), 4);
    EXPECT_EQ(shared_processors({bound_to(0, 2), bound_to(1, 2), bound_to(1, 2)}), 4) << "two cores of two threads";
    EXPECT_EQ(shared_processors({anywhere, {}}), 0) << "not known";
}

TEST(SharedProcessors, AreTakenInTurnsByMoreRanks) {
    Grid grid = test::full_grid({4, 4});
    EXPECT_FALSE(grid.takes_turns());
    grid.set_processors(16);
    EXPECT_FALSE(grid.takes_turns());
    EXPECT_EQ(grid.summary(), "4x4 hosts, 1 rank each");
    grid.set_processors(2);
    EXPECT_TRUE(grid.takes_turns());
    EXPECT_EQ(grid.summary(), "4x4 hosts, 1 rank each, in turns on 2 processors");
    grid.set_processors(1);
    EXPECT_EQ(grid.summary(), "4x4 hosts, 1 rank each, in turns on 1 processor");
}

}  // namespace
}  // namespace coll_topo
