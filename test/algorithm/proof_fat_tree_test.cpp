// SPDX-License-Identifier: BSD-3-Clause
//
// Every algorithm of the catalogue that knows the network, proved on fat trees with 1 to 200 ranks in 1 to 12 groups of
// unequal size. COLL_TOPO_PROOF=full in the environment proves all numbers of ranks with all roots.

#include "test/algorithm/fat_tree.hpp"
#include "test/algorithm/trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>

namespace coll_topo::test {
namespace {

std::vector<int> roots(Collective collective, int ranks, Dice& dice) {
    if (!is_rooted(collective)) return {0};
    if (!full_proof()) return {0, dice.roll(0, ranks - 1)};
    std::vector<int> all;
    for (int root = 0; root < ranks; ++root) all.push_back(root);
    return all;
}

// A step of an algorithm in steps of two colours sends one message at most and receives one at most.
bool keeps_one_each_way(const Schedule& schedule) {
    const auto count = [](std::span<const Action> actions, bool sends) {
        return std::ranges::count_if(actions, [&](const Action& a) { return (a.kind == ActionKind::send) == sends; });
    };
    for (const Program& program : schedule) {
        for (const Step& step : program.steps) {
            const auto actions = program.actions_of(step);
            if (count(actions, true) > 1 || count(actions, false) > 1) return false;
        }
    }
    return true;
}

void prove_algorithm(const Algorithm& algorithm, Collective collective, const Grid& grid, Dice& dice) {
    constexpr int lane_choices[] = {1, 2, 3, 8, most_lanes}, segment_choices[] = {1, 2, 5};
    const auto one_of = [&](std::span<const int> choices) {
        return choices[dice.roll(0, static_cast<int>(choices.size()) - 1)];
    };
    for (const int root : roots(collective, grid.ranks(), dice)) {
        Problem problem{.collective = collective, .root = root};
        if (algorithm.uses_lanes) problem.lanes = one_of(lane_choices);
        if (algorithm.uses_aggregators) problem.aggregators = dice.roll(1, grid.fewest_ranks_per_host());
        if (algorithm.uses_segments) problem.segments = one_of(segment_choices);
        if (!algorithm.refusal(grid, problem).empty()) continue;
        if (is_done_as_another(algorithm, grid, problem, grid.summary())) continue;
        SCOPED_TRACE(describe(algorithm, problem));
        const Schedule schedule = build_all(algorithm, grid, problem);
        const auto proved = prove(collective, schedule, algorithm.in_order(grid, problem), root);
        ASSERT_TRUE(proved) << proved.error().text();
        if (algorithm.name == "grouped_two_tree" || algorithm.name == "grouped_chain") {
            ASSERT_TRUE(keeps_one_each_way(schedule));
        }
    }
}

TEST(ProofGridFatTree, EveryNumberOfRanksInUnequalGroups) {
    for (int ranks = 1; ranks <= 200; ++ranks) {
        if (!full_proof() && ranks > 24 && ranks % 82 != 46) continue;
        const Machine machine = roll_fat_tree(ranks, static_cast<std::uint32_t>(ranks));
        const auto grid = Grid::from_fabric(machine.fabric, machine.placement);
        ASSERT_TRUE(grid) << grid.error().text();
        SCOPED_TRACE(machine.description);
        Dice dice(static_cast<std::uint32_t>(ranks));
        for (const Algorithm& algorithm : rows_to_try()) {
            for (int c = 0; c < collective_count && !algorithm.reference; ++c) {
                const auto collective = static_cast<Collective>(c);
                if (algorithm.serves(collective)) prove_algorithm(algorithm, collective, *grid, dice);
                if (testing::Test::HasFatalFailure()) return;
            }
        }
    }
}

}  // namespace
}  // namespace coll_topo::test
