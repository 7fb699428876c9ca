// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/catalogue.hpp"
#include "test/algorithm/by_rank/tree_depth.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace coll_topo::test {
namespace {

/// A torus or mesh with 4 ranks a host, and links of so many bytes/s.
Grid grid_with(double bandwidth, int width = 4, int height = 3, bool wrapped = true) {
    Fabric fabric{
        {}, Torus("t", {{width, wrapped, bandwidth, 1e-6}, {height, wrapped, bandwidth, 1e-6}}, Tie::parity), {}};
    for (int host = 0; host < width * height; ++host) fabric.hosts.add("n" + std::to_string(host));
    return Grid::from_torus(fabric, ranks_on_all(fabric, 4)).value();
}

TEST(MultiTree, PassesHostsWhereTheNetworkIsFast) {
    const Algorithm& row = *find_algorithm("multi_tree");
    for (const double bandwidth : {0.1e9, 1e12}) {
        const Grid grid = grid_with(bandwidth);
        int within = 0, all = 0;
        for (int rank = 0; rank < grid.ranks(); ++rank) {
            const Problem problem{.collective = Collective::bcast, .lanes = 4, .segments = 3, .root = 5};
            const Program program = row.build(grid, problem, rank);
            int received = 0;
            for (const Action& action : program.actions) {
                if (!is_receive(action)) continue;
                received += action.count;
                within += grid.host(action.peer) == grid.host(rank) ? action.count : 0;
            }
            EXPECT_EQ(received, rank == 5 ? 0 : program.blocks);
            all += received;
        }
        if (bandwidth == 1e12)
            EXPECT_EQ(within, 0);
        else
            EXPECT_GT(within, all * 7 / 10);
    }
}

TEST(MultiTree, TakesLowTreesUnlessRanksCombine) {
    // A cycle past all hosts of a mesh treats them alike, but is long.
    const Grid grid = grid_with(12.5e9, 8, 4, false);
    const Algorithm& row = *find_algorithm("multi_tree");
    const auto height = [&](Collective collective) {
        const Problem problem{.collective = collective, .lanes = 2, .segments = 1};
        std::vector<std::int32_t> parents(grid.ranks(), -1);  // of the first lane
        for (int rank = 0; rank < grid.ranks(); ++rank) {
            const Program program = row.build(grid, problem, rank);
            for (const Step& step : program.steps_of(program.lanes[0])) {
                for (const Action& action : program.actions_of(step)) {
                    const bool up = collective == Collective::reduce ? is_send(action) : is_receive(action);
                    if (up) parents[rank] = action.peer;
                }
            }
        }
        int highest = 0;
        for (int rank = 0; rank < grid.ranks(); ++rank) highest = std::max(highest, tree_depth(parents, rank));
        return highest;
    };
    EXPECT_LE(height(Collective::bcast), 8 + 4 + 4);
    EXPECT_GE(height(Collective::reduce), grid.hosts() - 1);
}

TEST(MultiTree, IsTheSameWhateverTheGridWasAskedBefore) {
    const Algorithm& row = *find_algorithm("multi_tree");
    const Grid asked = grid_with(12.5e9, 8, 4, false);
    for (const Collective collective : {Collective::reduce, Collective::bcast, Collective::allreduce}) {
        for (const int root : {0, 41}) {
            for (const int lanes : {2, 4, 8}) {
                const Problem problem{.collective = collective, .lanes = lanes, .segments = 2, .root = root};
                EXPECT_EQ(row.build(asked, problem, 7), row.build(grid_with(12.5e9, 8, 4, false), problem, 7))
                    << collective_name(collective) << " from " << root << " in " << lanes << " lanes";
            }
        }
    }
}

TEST(MultiTree, BringsEachRankOperandsAndResultOfAnAllreduce) {
    const Algorithm& row = *find_algorithm("multi_tree");
    const Grid grid = grid_with(12.5e9);
    int combined = 0, received = 0, blocks = 0;
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        const Program program = row.build(grid, {.lanes = 4, .segments = 3}, rank);
        int results = 0;
        for (const Action& action : program.actions) {
            combined += action.kind == ActionKind::receive_reduce ? action.count : 0;
            results += action.kind == ActionKind::receive ? action.count : 0;
        }
        EXPECT_LE(results, program.blocks);
        received += results;
        blocks = program.blocks;
    }
    EXPECT_EQ(combined, (grid.ranks() - 1) * blocks);
    EXPECT_EQ(received, (grid.ranks() - 1) * blocks);
}

TEST(MultiTree, CombinesWhileResultsComeBack) {
    // Links as busy as ranks: less than reduce and bcast one after the other.
    const Grid grid = grid_with(12.5e9);
    const auto seconds = [&](Collective collective) {
        const Problem problem{.collective = collective, .lanes = 8, .segments = 128};
        return find_algorithm("multi_tree")->seconds(grid, problem, 1 << 26);
    };
    EXPECT_LT(seconds(Collective::allreduce), seconds(Collective::reduce) + seconds(Collective::bcast));
    EXPECT_GT(seconds(Collective::allreduce), seconds(Collective::reduce));
}

TEST(MultiTree, NeedsSeveralHostsWithSeveralRanks) {
    const Algorithm& row = *find_algorithm("multi_tree");
    const Fabric fabric = equal_torus({4, 3});
    const Problem problem{.collective = Collective::bcast, .lanes = 4};
    EXPECT_FALSE(row.refusal(Grid::from_torus(fabric, ranks_on({0}, 4)).value(), problem).empty());
    EXPECT_FALSE(row.refusal(full_grid({4, 3}), problem).empty());
    EXPECT_TRUE(row.refusal(full_grid({4, 3}, 2), problem).empty());
}

}  // namespace
}  // namespace coll_topo::test
