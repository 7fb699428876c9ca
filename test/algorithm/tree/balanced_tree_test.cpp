// SPDX-License-Identifier: BSD-3-Clause
//
// Gather and scatter over all ports of the root: how equal the branches are, and what links carry.

#include "coll_topo/algorithm/tree/balanced_branches.hpp"

#include "coll_topo/select/decision.hpp"
#include "test/algorithm/machine.hpp"
#include "test/algorithm/rounds.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace coll_topo::test {
namespace {

constexpr Collective both[] = {Collective::gather, Collective::scatter};

int ranks_of_longest(const BalancedBranches& branches) {
    return std::ranges::max_element(branches.all(), {}, &BalancedBranches::Branch::ranks)->ranks;
}

/// The ranks in the longest branch, for each root the same on a torus of equal links.
int longest(const std::vector<int>& sizes, int root = 0, bool wrapped = true) {
    const Grid grid = full_grid(sizes, 1, wrapped);
    return ranks_of_longest(BalancedBranches(grid, root));
}

TEST(BalancedBranches, HaveAsManyRanksBehindEachPortAsCanBe) {
    EXPECT_EQ(longest({4, 4}), 4) << "15 over 4 ports";
    EXPECT_EQ(longest({8}), 4) << "7 over 2 ports";
    EXPECT_EQ(longest({8, 8}), 16) << "63 over 4 ports";
    EXPECT_EQ(longest({5, 7}, 17), 9) << "34 over 4 ports";
    EXPECT_EQ(longest({4, 4, 4}), 11) << "63 over 6 ports";
    EXPECT_EQ(longest({8, 8, 8}), 86) << "511 over 6 ports";
    EXPECT_EQ(longest({4, 4}, 0, false), 8) << "15 over the 2 ports of a corner";
}

TEST(BalancedBranches, CountTheRanksOfHosts) {
    const Fabric fabric = equal_torus({4, 4});
    const Grid grid = Grid::from_torus(fabric, ranks_on_all(fabric, 3)).value();
    const BalancedBranches branches(grid, 5);
    EXPECT_EQ(branches.all().size(), 4u);
    EXPECT_EQ(ranks_of_longest(branches), 12);
    EXPECT_EQ(branches.parent(5), -1);
}

TEST(BalancedTree, HasNoTwoMessagesOfAStepOnALink) {
    const Fabric fabric = equal_torus({4, 5});
    const Placement placement = ranks_on_all(fabric);
    const Grid grid = Grid::from_torus(fabric, placement).value();
    for (const Collective collective : both) {
        for (const int root : {0, 7, 19}) {
            const Problem problem{.collective = collective, .root = root};
            const Schedule schedule = build_all(*find_algorithm("balanced_tree"), grid, problem);
            LinkGraph network(fabric);
            std::map<int, int> load;
            std::vector<int> route;
            for (int rank = 0; rank < grid.ranks(); ++rank) {
                for (const Action& action : schedule[rank].actions) {
                    if (action.kind != ActionKind::send) continue;
                    route.clear();
                    network.route(rank, action.peer, route);
                    ASSERT_EQ(route.size(), 1u) << "from neighbour to neighbour";
                    EXPECT_EQ(action.count, 1) << "piece by piece";
                    ++load[route[0]];
                }
            }
            const int most = ranks_of_longest(BalancedBranches(grid, root));
            EXPECT_EQ(std::ranges::max_element(load, {}, [](const auto& link) { return link.second; })->second, most);
            EXPECT_EQ(static_cast<int>(load.size()), grid.ranks() - 1) << "a link for each rank but the root";
            EXPECT_EQ(rounds(schedule), most) << "without a pause";
        }
    }
}

TEST(BalancedTree, IsChosenForLongPieces) {
    const Fabric fabric = equal_torus({8, 8});
    const Grid grid = Grid::from_torus(fabric, ranks_on_all(fabric)).value();
    for (const Collective collective : both) {
        const auto chosen = [&](double bytes) {
            const Decision decision = decide(grid, {call_of(collective), bytes}, {});
            return decision.candidates[decision.chosen].algorithm->name;
        };
        EXPECT_EQ(chosen(64), "dimension_binomial");
        EXPECT_EQ(chosen(64.0 * (1 << 20)), "balanced_tree");
    }
}

}  // namespace
}  // namespace coll_topo::test
