// SPDX-License-Identifier: BSD-3-Clause
//
// What comes to each rank, and leaves it, in a bcast or reduce of the rows that halve and double.
#include "coll_topo/algorithm/catalogue.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace coll_topo {
namespace {

using test::full_grid;

/// Rows, each on a grid of as many ranks a host as it is for.
struct RootedRow {
    const char* name;
    int ranks_per_host;
    std::vector<std::vector<int>> grids;
};
const RootedRow rooted_rows[] = {{"halving_doubling", 1, {{4, 2}, {3, 5}, {11}, {2, 9}}},
                                 {"doubling_of_ranks", 3, {{4, 2}, {3, 5}, {7}}}};

/// `check(program, rank, root)` of all of them.
template <typename Check>
void for_rooted_programs(Collective collective, Check check) {
    for (const RootedRow& row : rooted_rows) {
        for (const std::vector<int>& sizes : row.grids) {
            const Grid grid = full_grid(sizes, row.ranks_per_host);
            SCOPED_TRACE(row.name + std::string(" on ") + grid.summary());
            for (int root = 0; root < grid.ranks(); ++root) {
                for (int rank = 0; rank < grid.ranks(); ++rank) {
                    check(find_algorithm(row.name)->build(grid, {.collective = collective, .root = root}, rank), rank,
                          root);
                }
            }
        }
    }
}

TEST(RootedStages, ABcastBringsEachRankEveryBlockOnce) {
    for_rooted_programs(Collective::bcast, [](const Program& program, int rank, int root) {
        std::vector<int> received(program.blocks, 0);
        for (const Action& action : program.actions) {
            if (!is_receive(action)) continue;
            for (int block = 0; block < action.count; ++block) ++received[action.first + block];
        }
        EXPECT_EQ(received, std::vector<int>(program.blocks, rank == root ? 0 : 1)) << "root " << root;
    });
}

/// Transfers of a kind, in steps that combine nothing.
std::vector<Action> without_combining(const Program& program, ActionKind kind) {
    std::vector<Action> found;
    for (const Step& step : program.steps) {
        const auto actions = program.actions_of(step);
        const auto combines = [](const Action& action) { return action.kind == ActionKind::receive_reduce; };
        if (std::ranges::any_of(actions, combines)) continue;
        std::ranges::copy_if(actions, std::back_inserter(found), [&](const Action& a) { return a.kind == kind; });
    }
    return found;
}

TEST(RootedStages, AReduceSendsEachRanksShareOnceTowardsTheRoot) {
    for_rooted_programs(Collective::reduce, [](const Program& program, int rank, int root) {
        EXPECT_EQ(without_combining(program, ActionKind::send).size(), rank == root ? 0u : 1u) << "root " << root;
        if (rank != root) return;
        int received = 0;
        for (const Action& action : without_combining(program, ActionKind::receive)) received += action.count;
        EXPECT_EQ(received, program.blocks - 1) << "all but the root's own";
    });
}

}  // namespace
}  // namespace coll_topo
