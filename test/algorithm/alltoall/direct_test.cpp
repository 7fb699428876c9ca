// SPDX-License-Identifier: BSD-3-Clause
//
// Whether an alltoall is direct decides what serves alltoallv and alltoallw: the programs must be what their row says.

#include "test/algorithm/machine.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/switch_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

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

std::vector<Grid> tori_and_a_tree() {
    std::vector<Grid> all;
    for (const int ranks_per_host : {1, 3}) {
        for (const Shape& shape : {Shape{{4, 4}}, Shape{{5, 3}}, Shape{{3, 4}, 0}, Shape{{2, 3, 4}}, Shape{{7}}}) {
            const Machine machine =
                make_machine(shape, equal_ranks_per_host(shape, ranks_per_host), RankOrder::shuffled);
            all.push_back(Grid::from_torus(machine.fabric, machine.placement).value());
        }
        const Fabric tree = leaf_spine_fabric({5, 7, 4}, 4);
        all.push_back(Grid::from_switches(tree, ranks_on_all(tree, ranks_per_host)).value());
    }
    return all;
}

TEST(Direct, ProgramsAreWhatTheirRowSays) {
    int direct_rows = 0;
    for (const Algorithm& algorithm : catalogue()) {
        if (!algorithm.serves(Collective::alltoall)) {
            // What is sent to neighbours alone has numbers of its own; its proof tells where it comes from.
            EXPECT_EQ(algorithm.direct, algorithm.serves(Collective::neighbor_alltoall)) << algorithm.name;
            continue;
        }
        bool always = true;
        for (const Grid& grid : tori_and_a_tree()) {
            for (const Problem& problem : problems(algorithm, Collective::alltoall, grid)) {
                const bool direct = is_direct(build_all(algorithm, grid, problem));
                always = always && direct;
                EXPECT_TRUE(direct || !algorithm.direct) << describe(algorithm, problem) << " on " << grid.summary();
            }
        }
        EXPECT_EQ(always, algorithm.direct) << algorithm.name;
        direct_rows += algorithm.direct ? 1 : 0;
    }
    EXPECT_GE(direct_rows, 2);
}

// In place, a piece needs a copy from the time its place may be received over until it is sent. A receive is posted up
// to most_receives_ahead() steps before its own, and a send ends at most a window after it.
int most_copies(const Program& program) {
    const Lane& lane = program.lanes.at(0);
    const auto steps = program.steps_of(lane);
    std::map<std::int32_t, int> sent, received;
    for (int step = 0; step < static_cast<int>(steps.size()); ++step) {
        for (const Action& action : program.actions_of(steps[step])) {
            if (is_send(action)) sent[action.peer] = step;
            if (is_receive(action)) received[action.peer] = step;
        }
    }
    std::vector<int> copies(steps.size() + lane.window);
    for (const auto& [peer, step] : sent) {
        const int begin = std::clamp(received.at(peer) - lane.most_receives_ahead(), 0, step);
        for (int now = begin; now < step + lane.window; ++now) ++copies[now];
    }
    return std::ranges::max(copies);
}

TEST(Direct, OnToriA2atNeedsFewCopiesInPlaceHoweverManyRanksThereAre) {
    for (const Shape& shape : {Shape{{4, 4}}, Shape{{9, 5}}, Shape{{12, 12}}, Shape{{5, 5, 5}}, Shape{{6, 4, 4}}}) {
        const Machine machine = make_machine(shape, equal_ranks_per_host(shape, 1), RankOrder::shuffled);
        const Grid grid = Grid::from_torus(machine.fabric, machine.placement).value();
        for (const int rank : {0, grid.ranks() / 2}) {
            const Program program = find_algorithm("a2at")->build(grid, {Collective::alltoall}, rank);
            EXPECT_LT(most_copies(program), 3 * program.lanes.at(0).window) << machine.description;
        }
    }
    // Not every order does.
    const Shape line{{64}};
    const Machine machine = make_machine(line, equal_ranks_per_host(line, 1), RankOrder::by_host);
    const Grid grid = Grid::from_torus(machine.fabric, machine.placement).value();
    EXPECT_GT(most_copies(find_algorithm("pairwise")->build(grid, {Collective::alltoall}, 0)), 32);
}

}  // namespace
}  // namespace coll_topo::test
