// SPDX-License-Identifier: BSD-3-Clause
//
// Every algorithm of the catalogue, for every collective it serves, run by threads on real data.
#include "test/algorithm/fat_tree.hpp"
#include "test/algorithm/trial.hpp"
#include "test/execute/ranks.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

constexpr std::size_t counts[] = {0, 1, 2, 7, 100};
constexpr std::size_t segment_bytes[] = {0, sizeof(Affine), 5 * sizeof(Affine)};

std::vector<Grid> grids() {
    std::vector<Grid> all;
    for (const std::vector<int>& sizes : std::vector<std::vector<int>>{{1}, {2}, {3}, {2, 2}, {11}}) {
        all.push_back(full_grid(sizes));
    }
    all.push_back(full_grid({3, 2}, 2));
    all.push_back(full_grid({2, 3, 2}));
    for (const std::uint32_t seed : {5u, 6u}) {
        const Machine machine = roll_fat_tree(11, seed);
        all.push_back(Grid::from_fabric(machine.fabric, machine.placement).value());
    }
    for (Grid& grid : all) grid.set_cartesian(cartesian_along_axes(grid));
    return all;
}

void run_trials(const Algorithm& algorithm, Collective collective, const Grid& grid, int& turn, int& not_commutative) {
    for (const Problem& problem : problems(algorithm, collective, grid, 4)) {
        for (const bool commutative : {true, false}) {
            if (!commutative && !algorithm.in_order(grid, problem)) continue;
            not_commutative += commutative ? 0 : 1;
            // One length of messages is enough for each problem, and two of vectors: there are many problems.
            const std::size_t longest = segment_bytes[turn++ % std::size(segment_bytes)];
            SCOPED_TRACE(describe(algorithm, problem) + ", " + grid.summary());
            Ranks ranks(collective, build_all(algorithm, grid, problem), commutative, longest, grid.cartesian());
            for (std::size_t i = 0; i < std::size(counts); ++i) {
                if (full_proof() || (turn + i) % std::size(counts) < 2) run_and_check(ranks, problem.root, counts[i]);
            }
        }
    }
}

TEST(Execution, EveryAlgorithmGivesWhatTheCollectivePromises) {
    int turn = 0, not_commutative = 0;
    for (const Algorithm& algorithm : rows_to_try()) {
        for (int c = 0; c < collective_count; ++c) {
            const auto collective = static_cast<Collective>(c);
            if (!algorithm.serves(collective)) continue;
            for (const Grid& grid : grids()) run_trials(algorithm, collective, grid, turn, not_commutative);
        }
    }
    EXPECT_GT(not_commutative, tries_all_rows() ? 10 : -1);
}

}  // namespace
}  // namespace coll_topo::test
