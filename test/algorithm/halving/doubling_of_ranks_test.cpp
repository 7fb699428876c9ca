// SPDX-License-Identifier: BSD-3-Clause
//
// The steps of doubling_of_ranks, and what it needs.
#include "coll_topo/algorithm/catalogue.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace coll_topo {
namespace {

using test::equal_torus;
using test::full_grid;
using test::ranks_on;

const Algorithm& doubling_of_ranks = *find_algorithm("doubling_of_ranks");

/// Blocks that a rank sends in each step with messages.
std::vector<int> blocks_by_step(const Grid& grid, Collective collective, int rank) {
    const Program program = doubling_of_ranks.build(grid, {collective}, rank);
    std::vector<int> blocks;
    for (const Step& step : program.steps) {
        int sent = 0;
        for (const Action& action : program.actions_of(step))
            sent += action.kind == ActionKind::send ? action.count : 0;
        if (sent > 0) blocks.push_back(sent);
    }
    return blocks;
}

TEST(DoublingOfRanks, TheHostPassesSinglePiecesAndTheNetworkTheRest) {
    const Grid grid = full_grid({4, 3}, 2);
    EXPECT_EQ(blocks_by_step(grid, Collective::allgather, 5), (std::vector<int>{1, 2, 4, 2 * 8}));
    EXPECT_EQ(blocks_by_step(grid, Collective::reduce_scatter, 5), (std::vector<int>{2 * 8, 4, 2, 1}));
}

TEST(DoublingOfRanks, EverybodySendsAllOthersPiecesOnce) {
    const Grid grid = full_grid({5, 2}, 6);
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        int sent = 0;
        for (const int blocks : blocks_by_step(grid, Collective::allgather, rank)) sent += blocks;
        EXPECT_EQ(sent, grid.ranks() - 1) << rank;
    }
}

TEST(DoublingOfRanks, NeedsSeveralRanksOnEachHostNumberedAlongTheGrid) {
    const auto refusal = [](const Grid& grid) {
        return doubling_of_ranks.further_refusal(grid, {Collective::allgather});
    };
    EXPECT_EQ(refusal(full_grid({4, 4}, 3)), "");
    EXPECT_EQ(refusal(full_grid({4, 4}, 1)), "one rank on each host");
    EXPECT_EQ(refusal(full_grid({11}, 2)), "a ring of a prime number of hosts above 7");
    const Fabric fabric = equal_torus({2, 2});
    const auto on_hosts = [&](const std::vector<int>& hosts) {
        return Grid::from_torus(fabric, ranks_on(hosts)).value();
    };
    EXPECT_EQ(refusal(on_hosts({0, 0, 1, 1, 2, 2, 3, 3})), "");
    EXPECT_EQ(refusal(on_hosts({0, 1, 2, 3, 0, 1, 2, 3})), "ranks are not numbered along the grid");
    EXPECT_EQ(refusal(on_hosts({0, 0, 1, 1, 2, 2, 3})), "hosts do not make a full grid");
}

}  // namespace
}  // namespace coll_topo
