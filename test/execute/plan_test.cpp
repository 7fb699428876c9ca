// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/plan.hpp"

#include "coll_topo/execute/data.hpp"
#include "test/algorithm/fat_tree.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace coll_topo::test {
namespace {

/// Elements of the longest message that a plan has for `elements` in a vector or a piece.
std::size_t longest_message(Plan& plan, std::size_t elements) {
    coll_topo_transport transport{};
    transport.extent = transport.element_bytes = 1;
    const Data data(plan, plan.tables, transport, {nullptr, nullptr, elements, {}, nullptr});
    std::size_t longest = 0;
    for (const Action& action : plan.program.actions) {
        if (is_transfer(action)) longest = std::max(longest, data.elements(action));
    }
    return longest;
}

std::vector<Grid> grids() {
    std::vector<Grid> all = {full_grid({3, 2}), full_grid({4, 4}), full_grid({3}, 3)};
    const Machine machine = roll_fat_tree(13, 5);
    all.push_back(Grid::from_fabric(machine.fabric, machine.placement).value());
    return all;
}

void check_messages(const Algorithm& algorithm, Collective collective, const Grid& grid, const Problem& problem) {
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        Plan plan(algorithm.build(grid, problem, rank), collective, grid.ranks(), rank, 0);
        for (const std::size_t elements : {1, 7}) {
            ASSERT_LE(longest_message(plan, elements), plan.longest_message_elements(elements))
                << describe(algorithm, problem) << ", " << grid.summary() << ", rank " << rank;
        }
    }
}

// Ranks decide by it whether they cut messages: where one takes a message for shorter than it is, its peer may cut it.
TEST(Plan, NoMessageIsLongerThanItSays) {
    for (const Algorithm& algorithm : rows_to_try()) {
        for (int c = 0; c < collective_count; ++c) {
            const auto collective = static_cast<Collective>(c);
            if (!algorithm.serves(collective)) continue;
            for (const Grid& grid : grids()) {
                for (const Problem& problem : problems(algorithm, collective, grid, 2)) {
                    ASSERT_NO_FATAL_FAILURE(check_messages(algorithm, collective, grid, problem));
                }
            }
        }
    }
}

}  // namespace
}  // namespace coll_topo::test
