// SPDX-License-Identifier: BSD-3-Clause
#include "test/algorithm/fat_tree.hpp"
#include "test/algorithm/trial.hpp"

#include "coll_topo/verify/proof.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

TEST(GroupedRing, NoTwoMessagesMeetOnALinkHoweverFewUplinksThereAre) {
    const Algorithm& ring = *find_algorithm("grouped_ring");
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        const Machine machine = roll_fat_tree(static_cast<int>(5 + seed), seed);
        const Grid grid = Grid::from_fabric(machine.fabric, machine.placement).value();
        if (grid.most_ranks_per_host() > 1) continue;
        const Schedule schedule = build_all(ring, grid, {Collective::allreduce});
        for (const StepLoad& load : link_load(schedule, machine.fabric, machine.placement)) {
            EXPECT_LE(load.messages, 1) << grid.summary() << ", seed " << seed;
        }
    }
}

TEST(GroupedRing, EveryRankSendsAndReceivesNoMoreThanTheBound) {
    const Machine machine = roll_fat_tree(24, 3);
    const Grid grid = Grid::from_fabric(machine.fabric, machine.placement).value();
    for (const Program& program : build_all(*find_algorithm("grouped_ring"), grid, {Collective::allreduce})) {
        int sent = 0;
        for (const Action& action : program.actions) sent += is_send(action) ? action.count : 0;
        EXPECT_EQ(sent, 2 * (program.blocks - 1));
    }
}

}  // namespace
}  // namespace coll_topo::test
