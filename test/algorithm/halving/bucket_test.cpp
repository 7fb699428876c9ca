// SPDX-License-Identifier: BSD-3-Clause
//
// The neighbours and link loads that bucket claims.
#include "coll_topo/algorithm/catalogue.hpp"
#include "coll_topo/verify/proof.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace coll_topo {
namespace {

using test::build_all;
using test::equal_torus;
using test::full_grid;
using test::ranks_on_all;

const Algorithm& bucket = *find_algorithm("bucket");

std::set<int> receivers(const Program& program) {
    std::set<int> peers;
    for (const Action& action : program.actions) {
        if (action.kind == ActionKind::send) peers.insert(action.peer);
    }
    return peers;
}

TEST(Bucket, SendsToTheNeighboursOfARing) {
    const Grid ring = full_grid({7});
    EXPECT_EQ(receivers(bucket.build(ring, {Collective::allgather}, 3)), (std::set<int>{4}));
    EXPECT_EQ(receivers(bucket.build(ring, {Collective::allgather, 1, 2}, 3)), (std::set<int>{2, 4}));
    const Grid torus = full_grid({5, 4});
    EXPECT_EQ(receivers(bucket.build(torus, {Collective::allreduce, 1, 4}, 6)), (std::set<int>{1, 5, 7, 11}));
}

TEST(Bucket, NeighboursOnALineAreAtMostTwoApart) {
    for (int size = 2; size <= 9; ++size) {
        const Fabric fabric = equal_torus({size}, false);
        const Grid line = Grid::from_torus(fabric, ranks_on_all(fabric)).value();
        for (int rank = 0; rank < size; ++rank) {
            for (const int lanes : {1, 2}) {
                for (const int peer : receivers(bucket.build(line, {Collective::allreduce, 1, lanes}, rank))) {
                    EXPECT_LE(std::abs(peer - rank), 2) << size << " places";
                }
            }
        }
    }
}

TEST(Bucket, SendsTwiceTheVectorLessItsOwnShare) {
    for (const std::vector<int>& sizes :
         std::vector<std::vector<int>>{{2}, {16}, {8, 8}, {4, 3, 2}, {6, 5}, {11}, {32, 2}}) {
        const Grid grid = full_grid(sizes);
        for (const int lanes : {1, static_cast<int>(2 * grid.axes().size())}) {
            const Program program = bucket.build(grid, {Collective::allreduce, 1, lanes}, grid.ranks() / 2);
            EXPECT_EQ(blocks_sent(program) * grid.ranks(), std::int64_t{2} * program.blocks * (grid.ranks() - 1));
        }
    }
}

// And as many as there are more lanes than ways.
TEST(Bucket, EveryLinkCarriesOneMessageInEveryStep) {
    for (const bool wrapped : {true, false}) {
        for (const std::vector<int>& sizes :
             std::vector<std::vector<int>>{{5}, {8}, {3, 3}, {4, 4}, {7, 7}, {3, 3, 3}, {4, 4, 4}}) {
            const Fabric fabric = equal_torus(sizes, wrapped);
            const Placement placement = ranks_on_all(fabric);
            const Grid grid = Grid::from_torus(fabric, placement).value();
            const int ways = static_cast<int>(sizes.size()) * (wrapped ? 2 : 1);
            for (const int lanes : bucket.lane_counts(grid, Collective::allreduce)) {
                const auto loads =
                    link_load(build_all(bucket, grid, {Collective::allreduce, 1, lanes}), fabric, placement);
                EXPECT_EQ(loads.size(), 2 * sizes.size() * (sizes[0] - 1));
                for (const StepLoad& load : loads)
                    EXPECT_EQ(load.messages, std::max(1, lanes / ways)) << grid.summary();
            }
        }
    }
}

}  // namespace
}  // namespace coll_topo
