// SPDX-License-Identifier: BSD-3-Clause
//
// Reference algorithms see nothing but the number of ranks, so one proof for each number of ranks is enough.
#include "test/algorithm/machine.hpp"
#include "test/algorithm/trial.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

Grid grid_of(const Machine& machine) {
    return Grid::from_torus(machine.fabric, machine.placement).value();
}

void expect_same_programs(const Algorithm& algorithm, const Problem& problem, const Grid& one, const Grid& other) {
    for (int rank = 0; rank < one.ranks(); ++rank) {
        ASSERT_EQ(algorithm.build(one, problem, rank).actions, algorithm.build(other, problem, rank).actions)
            << describe(algorithm, problem) << ", rank " << rank << ", " << other.summary();
    }
}

TEST(IgnoresNetwork, ReferenceAlgorithmsDo) {
    const Shape line{{24}}, torus{{3, 4}}, mesh{{2, 2, 2}, 0};
    const Grid first = grid_of(make_machine(line, equal_ranks_per_host(line, 1), RankOrder::by_host));
    const Grid others[] = {
        grid_of(make_machine(torus, equal_ranks_per_host(torus, 2), RankOrder::in_turn)),
        grid_of(make_machine(mesh, equal_ranks_per_host(mesh, 3), RankOrder::shuffled)),
        grid_of(make_machine(torus, {1, 3, 0, 2, 2, 4, 1, 3, 2, 2, 2, 2}, RankOrder::by_host)),
    };
    int compared = 0;
    for (const Algorithm& algorithm : catalogue()) {
        for (int c = 0; c < collective_count; ++c) {
            const auto collective = static_cast<Collective>(c);
            if (!ignores_network(algorithm) || !algorithm.serves(collective)) continue;
            for (const Problem& problem : problems(algorithm, collective, first)) {
                for (const Grid& other : others) expect_same_programs(algorithm, problem, first, other);
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 10);
}

}  // namespace
}  // namespace coll_topo::test
