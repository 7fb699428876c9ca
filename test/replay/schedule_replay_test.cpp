// SPDX-License-Identifier: BSD-3-Clause
//
// Times that can be told by hand, on hosts in a ring: 1 us a message, 1 us a hop, 1 byte/ns on links, and combining,
// copying and moving within a host as MachineCosts has it.
#include "coll_topo/replay/schedule_replay.hpp"

#include "test/grid/torus_fixture.hpp"
#include "test/replay/replayed.hpp"
#include "test/verify/program_writer.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace coll_topo::test {
namespace {

constexpr double us = 1e-6, ns = 1e-9;
constexpr std::uint64_t bytes = 40000;

double seconds(std::vector<Program> programs, int hosts = 4, Collective collective = Collective::bcast) {
    const Grid grid = full_grid({hosts}, static_cast<int>(programs.size()) / hosts);
    const auto found = replayed_seconds(grid, collective, std::move(programs), bytes);
    EXPECT_TRUE(found);
    return found.value_or(0);
}

Program idle() {
    return ProgramWriter(1);
}

TEST(ScheduleReplay, AMessageTakesStartLatencyAndTransfer) {
    std::vector<Program> programs(4, idle());
    programs[0] = ProgramWriter(1).step().send(1, output(0));
    programs[1] = ProgramWriter(1).step().receive(0, output(0));
    EXPECT_NEAR(seconds(programs), 1 * us + 1 * us + bytes * ns, 1e-12);
}

TEST(ScheduleReplay, MessagesThatMeetShareALink) {
    std::vector<Program> programs(4, idle());
    programs[0] = ProgramWriter(1).step().send(2, output(0));  // by 1
    programs[1] = ProgramWriter(1).step().send(2, output(0));
    programs[2] = ProgramWriter(1).step().receive(0, output(0)).receive(1, output(0));
    // The one from 1 is alone for a microsecond, in which 1000 bytes pass; in the end the other one is.
    EXPECT_NEAR(seconds(programs), 1 * us + 1 * us + 2 * bytes * ns, 1e-12);
}

TEST(ScheduleReplay, ASendOfAStepStartsAfterTheOneBefore) {
    std::vector<Program> programs(4, idle());
    programs[0] = ProgramWriter(1).step().send(1, output(0)).send(3, output(0));
    programs[1] = programs[3] = ProgramWriter(1).step().receive(0, output(0));
    EXPECT_NEAR(seconds(programs), 2 * us + 1 * us + bytes * ns, 1e-12);
}

TEST(ScheduleReplay, WhatComesIsCombined) {
    std::vector<Program> programs(4, idle());
    programs[0] = ProgramWriter(1).step().send(1, output(0));
    programs[1] = ProgramWriter(1).step().receive_reduce(0, output(0));
    const double combined = bytes / MachineCosts().reduce_bandwidth;
    EXPECT_NEAR(seconds(programs, 4, Collective::reduce), 2 * us + bytes * ns + combined, 1e-12);
}

TEST(ScheduleReplay, TheReceiverMovesWhatComesFromItsHost) {
    std::vector<Program> programs(8, idle());
    programs[0] = ProgramWriter(1).step().send(1, output(0));
    programs[1] = ProgramWriter(1).step().receive(0, output(0));
    EXPECT_NEAR(seconds(programs), 1 * us + bytes / MachineCosts().local_bandwidth, 1e-12);
}

double seconds_of_passing_on(const std::vector<int>& copied, int passed_on) {
    return replayed_seconds(full_grid({4}, 2), Collective::bcast, passing_on(copied, passed_on), 100 * 20000)
        .value_or(0);
}

TEST(ScheduleReplay, WhatCameOverTheNetworkIsSentOnBeforeAnotherCopy) {
    const double copy = 10 * 20000 / MachineCosts().local_bandwidth;
    EXPECT_NEAR(seconds_of_passing_on({10, 10}, 1), 1 * us + 2 * copy + 1 * us, 1e-12) << "sent between the two";
}

TEST(ScheduleReplay, WhatCameOverTheNetworkIsSentOnWithinALongCopy) {
    const double part = 256 * 1024 / MachineCosts().local_bandwidth, network = 10 * 20000 * ns;
    ASSERT_LT(1 * us + 4 * part, 2 * us + network);
    ASSERT_GT(1 * us + 5 * part, 2 * us + network);
    EXPECT_NEAR(seconds_of_passing_on({80}, 10), 1 * us + 5 * part + 2 * us + network, 1e-12) << "after five parts";
}

TEST(ScheduleReplay, ANextStepWaitsForItsMessage) {
    std::vector<Program> programs(4, idle());
    programs[0] = ProgramWriter(1).step().send(1, output(0));
    programs[1] = ProgramWriter(1).step().receive(0, output(0)).step().send(2, output(0));
    programs[2] = ProgramWriter(1).step().receive(1, output(0));
    EXPECT_NEAR(seconds(programs), 2 * (2 * us + bytes * ns), 1e-12);
}

TEST(ScheduleReplay, LanesAreInProgressAtOnce) {
    std::vector<Program> programs(4, idle());
    programs[0] = ProgramWriter(2).lane().step().send(1, output(0)).lane().step().send(3, output(1));
    programs[1] = ProgramWriter(2).lane().step().receive(0, output(0)).lane();
    programs[3] = ProgramWriter(2).lane().lane().step().receive(0, output(1));
    EXPECT_NEAR(seconds(programs), 2 * us + 1 * us + bytes / 2 * ns, 1e-12);
}

// Of hosts that share their processors; what they wait with one rank each is in the latency of their links.
TEST(ScheduleReplay, ARankThatHasWaitedGoesOnAtItsTurn) {
    Fabric fabric = equal_torus({4});
    fabric.costs.shared_message_time = 4 * us;
    const auto passed_on = [&](int ranks_per_host) {
        std::vector<Program> programs(4 * ranks_per_host, idle());
        const int next = ranks_per_host;  // the first rank of the next host
        programs[0] = ProgramWriter(1).step().send(next, output(0));
        programs[next] = ProgramWriter(2).step().receive(0, output(0)).step().send(2 * next, output(0));
        programs[2 * next] = ProgramWriter(1).step().receive(next, output(0));
        const Grid grid = Grid::from_torus(fabric, ranks_on_all(fabric, ranks_per_host)).value();
        return replayed_seconds(grid, Collective::bcast, std::move(programs), bytes).value_or(0);
    };
    const double turn = 4 * us * (12 * 12 - 4 * 4) / 92;
    EXPECT_NEAR(passed_on(3) - passed_on(1), 2 * turn, 1e-12);
    const double shared = passed_on(1);
    fabric.costs.shared_message_time = 0;
    EXPECT_NEAR(shared - passed_on(1), 2 * (4 * us + 2 * 4 * us), 1e-12) << "a message, and both of its ends wake";
}

TEST(ScheduleReplay, OfSendsThatAreLimitedOneBeginsWhenAnotherIsDone) {
    std::vector<Program> programs(4, idle());
    programs[0] = ProgramWriter(1).lane(1, 1).step().send(1, output(0)).send(3, output(0));
    programs[1] = programs[3] = ProgramWriter(1).step().receive(0, output(0));
    EXPECT_NEAR(seconds(programs), 2 * (2 * us + bytes * ns), 1e-12);
}

/// A ring of 4 hosts where messages of up to so many bytes are eager.
std::optional<double> seconds_with_limit(double eager_limit, std::vector<Program> programs) {
    Fabric fabric = equal_torus({4});
    fabric.costs.eager_limit = eager_limit;
    const Grid grid = Grid::from_torus(fabric, ranks_on_all(fabric)).value();
    return replayed_seconds(grid, Collective::reduce, std::move(programs), bytes);
}

TEST(ScheduleReplay, WhatIsEagerDoesNotWaitForItsReceiver) {
    std::vector<Program> programs(4, idle());
    programs[0] = ProgramWriter(1).step().receive(1, output(0)).step().receive(3, output(0));
    programs[1] = programs[3] = ProgramWriter(1).step().send(0, output(0));
    const double one = 2 * us + bytes * ns;
    EXPECT_NEAR(seconds_with_limit(bytes, programs).value(), one, 1e-12);
    EXPECT_NEAR(seconds_with_limit(bytes - 1, programs).value(), 2 * one - 1 * us, 1e-12) << "both ranks have begun";
}

TEST(ScheduleReplay, NothingIsToldOfProgramsThatGetStuck) {
    std::vector<Program> programs(4, idle());
    programs[1] = ProgramWriter(1).step().receive(0, output(0));
    EXPECT_FALSE(replayed_seconds(full_grid({4}), Collective::bcast, programs, bytes));
}

TEST(ScheduleReplay, EndsSoonAfterItsLimit) {
    std::vector<Program> programs(4, idle());
    programs[0] = ProgramWriter(1).step().send(1, output(0));
    programs[1] = ProgramWriter(1).step().receive(0, output(0)).step().send(2, output(0));
    programs[2] = ProgramWriter(1).step().receive(1, output(0)).step().send(3, output(0));
    programs[3] = ProgramWriter(1).step().receive(2, output(0));
    const double message = 2 * us + bytes * ns, all = 3 * message;
    const Grid grid = full_grid({4});
    const auto sized = sized_all(Collective::bcast, programs, bytes);
    ScheduleReplay replay(grid);
    for (const double limit : {0.5 * message, 1.5 * message, 2.5 * message}) {
        const double given_up = replay.seconds(sized, limit).value();
        EXPECT_GT(given_up, limit);
        EXPECT_LT(given_up, limit + message);
    }
    EXPECT_NEAR(replay.seconds(sized, all + 1 * ns).value(), all, 1e-12);
}

}  // namespace
}  // namespace coll_topo::test
