// SPDX-License-Identifier: BSD-3-Clause
//
// What network_first claims of what goes through the memory of hosts.
#include "test/algorithm/received_blocks.hpp"
#include "test/algorithm/trial.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace coll_topo::test {
namespace {

TEST(NetworkFirst, MovesOnlyTheShareOfItsHostWithinIt) {
    const Grid grid = grid_with(fast, 4);
    for (const int lanes : {1, 4}) {
        for (int rank = 0; rank < grid.ranks(); ++rank) {
            const Program program =
                find_algorithm("network_first")->build(grid, {Collective::allreduce, 1, lanes}, rank);
            const Received blocks = received(grid, program, rank);
            EXPECT_EQ(blocks.within_host * 4 * grid.hosts(), std::int64_t{2} * program.blocks * 3);
            const std::int64_t between_hosts = blocks.in_all - blocks.within_host;
            EXPECT_EQ(between_hosts * grid.hosts(), std::int64_t{2} * program.blocks * (grid.hosts() - 1));
        }
    }
}

TEST(NetworkFirst, MovesPiecesOnlyOnce) {
    const Grid grid = grid_with(fast, 4);
    for (const Collective collective : {Collective::reduce_scatter, Collective::allgather}) {
        for (int rank = 0; rank < grid.ranks(); ++rank) {
            const Program program = find_algorithm("network_first")->build(grid, {collective, 1, 4}, rank);
            const Received blocks = received(grid, program, rank);
            EXPECT_EQ(blocks.within_host * 4 * grid.hosts(), std::int64_t{program.blocks} * 3);
            const std::int64_t between_hosts = blocks.in_all - blocks.within_host;
            EXPECT_EQ(between_hosts * grid.hosts(), std::int64_t{program.blocks} * (grid.hosts() - 1));
        }
    }
}

TEST(NetworkFirst, GathersAmongRanksWithTheRootsNumber) {
    const Grid grid = grid_with(fast, 4);
    for (const int root : {0, 6}) {
        std::int64_t gathered = 0;
        for (int rank = 0; rank < grid.ranks(); ++rank) {
            const Problem problem{.collective = Collective::reduce, .lanes = 4, .root = root};
            const Received halved = received(
                grid, find_algorithm("network_first")->build(grid, {Collective::reduce_scatter, 1, 4}, rank), rank);
            const Program program = find_algorithm("network_first")->build(grid, problem, rank);
            const std::int64_t further = received(grid, program, rank).in_all - halved.in_all;
            if (grid.local_rank(rank) != grid.local_rank(root)) {
                EXPECT_EQ(further, 0);
            } else if (rank == root) {
                EXPECT_EQ(further * grid.ranks(), std::int64_t{program.blocks} * (grid.ranks() - 1));
            }
            gathered += further;
        }
        EXPECT_GT(gathered, 0);
    }
}

}  // namespace
}  // namespace coll_topo::test
