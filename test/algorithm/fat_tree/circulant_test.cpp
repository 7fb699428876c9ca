// SPDX-License-Identifier: BSD-3-Clause
//
// The circulant rows: as few steps as can be, and nothing moved twice. The proof grid shows that they are right.
#include "test/algorithm/fat_tree.hpp"
#include "test/algorithm/trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

namespace coll_topo::test {
namespace {

/// What a rank sends.
struct Sent {
    int messages = 0;
    int blocks = 0;
};

Sent sent(const Program& program) {
    Sent all;
    for (const Action& action : program.actions) {
        if (!is_send(action)) continue;
        ++all.messages;
        all.blocks += action.count;
    }
    return all;
}

int steps_of(int units) {
    return std::bit_width(static_cast<unsigned>(units - 1));
}

TEST(Circulant, SendsOneMessageForEachBitAndEachPieceOnce) {
    bool some_leaves_unequal = false;
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        const Machine machine = roll_fat_tree(static_cast<int>(2 + seed), seed);
        const Grid grid = Grid::from_fabric(machine.fabric, machine.placement).value();
        some_leaves_unequal = some_leaves_unequal || grid.extra_hosts() > 0;
        SCOPED_TRACE(grid.summary() + ", seed " + std::to_string(seed));
        for (const Collective collective : {Collective::allgather, Collective::reduce_scatter}) {
            for (const Program& program : build_all(*find_algorithm("circulant_of_ranks"), grid, {collective})) {
                EXPECT_EQ(sent(program).messages, steps_of(grid.ranks()));
                EXPECT_EQ(sent(program).blocks, grid.ranks() - 1);
            }
            if (grid.most_ranks_per_host() > 1) continue;
            for (const Program& program : build_all(*find_algorithm("circulant"), grid, {collective})) {
                EXPECT_EQ(sent(program).messages, steps_of(grid.hosts()));
                EXPECT_EQ(sent(program).blocks, grid.hosts() - 1);
            }
        }
    }
    EXPECT_TRUE(some_leaves_unequal);
}

TEST(Circulant, OnlyTheFirstRankOfAHostSendsOutOfIt) {
    bool some_hosts_unequal = false;
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        const Machine machine = roll_fat_tree(static_cast<int>(8 + seed), seed);
        const Grid grid = Grid::from_fabric(machine.fabric, machine.placement).value();
        if (grid.most_ranks_per_host() == 1) continue;
        some_hosts_unequal = some_hosts_unequal || grid.fewest_ranks_per_host() < grid.most_ranks_per_host();
        SCOPED_TRACE(grid.summary() + ", seed " + std::to_string(seed));
        const auto programs = build_all(*find_algorithm("circulant"), grid, {Collective::allgather});
        for (int rank = 0; rank < grid.ranks(); ++rank) {
            const auto leaves_host = [&](const Action& action) {
                return is_send(action) && grid.host(action.peer) != grid.host(rank);
            };
            const auto leaving = std::ranges::count_if(programs[rank].actions, leaves_host);
            EXPECT_EQ(leaving, grid.local_rank(rank) == 0 ? steps_of(grid.hosts()) : 0) << "rank " << rank;
        }
    }
    EXPECT_TRUE(some_hosts_unequal);
}

}  // namespace
}  // namespace coll_topo::test
