// SPDX-License-Identifier: BSD-3-Clause
//
// Whether an alltoall is direct decides what serves alltoallv and alltoallw: the programs must be what their row says.

#include "test/algorithm/machine.hpp"
#include "test/algorithm/trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace coll_topo::test {
namespace {

bool is_direct(const Action& action, int rank) {
    switch (action.kind) {
        case ActionKind::send:
            return action.buffer == Buffer::input && action.first == action.peer && action.count == 1;
        case ActionKind::receive:
            return action.buffer == Buffer::output && action.first == action.peer && action.count == 1;
        case ActionKind::copy:
            return action.buffer == Buffer::input && action.target == Buffer::output && action.first == rank &&
                   action.at == rank && action.count == 1;
        default:
            return false;
    }
}

bool is_direct(const Schedule& schedule) {
    for (std::size_t rank = 0; rank < schedule.size(); ++rank) {
        const auto direct = [&](const Action& action) { return is_direct(action, static_cast<int>(rank)); };
        if (!std::ranges::all_of(schedule[rank].actions, direct)) return false;
    }
    return true;
}

TEST(Direct, ProgramsAreWhatTheirRowSays) {
    int direct_rows = 0;
    for (const Algorithm& algorithm : catalogue()) {
        if (!algorithm.serves(Collective::alltoall)) {
            EXPECT_FALSE(algorithm.direct) << algorithm.name << " serves no alltoall";
            continue;
        }
        bool always = true;
        for (const Shape& shape : {Shape{{4, 4}}, Shape{{5, 3}}, Shape{{3, 4}, 0}, Shape{{2, 3, 4}}, Shape{{7}}}) {
            for (const int ranks_per_host : {1, 3}) {
                const Machine machine = make_machine(shape, equal_boards(shape, ranks_per_host), RankOrder::shuffled);
                const Grid grid = Grid::from_torus(machine.fabric, machine.placement).value();
                for (const Problem& problem : problems(algorithm, Collective::alltoall, grid)) {
                    const bool direct = is_direct(build_all(algorithm, grid, problem));
                    always = always && direct;
                    EXPECT_TRUE(direct || !algorithm.direct)
                        << describe(algorithm, problem) << " on " << machine.description;
                }
            }
        }
        EXPECT_EQ(always, algorithm.direct) << algorithm.name;
        direct_rows += algorithm.direct ? 1 : 0;
    }
    EXPECT_GE(direct_rows, 2);
}

}  // namespace
}  // namespace coll_topo::test
