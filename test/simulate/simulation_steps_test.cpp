// SPDX-License-Identifier: BSD-3-Clause
//
// What the ranks do besides the network: their costs, steps and lanes, and what goes wrong there.
#include "test/simulate/simulation_fixture.hpp"

namespace coll_topo::test {
namespace {

TEST(Simulation, SoftwareTakesItsTime) {
    constexpr MachineCosts costs;
    const double transfer = millisecond + microsecond;
    const double reduction = static_cast<double>(megabyte) / costs.reduce_bandwidth;
    EXPECT_NEAR(seconds(exchange(), megabyte, ring(2, microsecond), {}), costs.message_time + transfer + reduction,
                precision);
    const Schedule copying = {ProgramWriter(1, 1).step().copy(output(0), scratch(0)).reduce(scratch(0), output(0)),
                              ProgramWriter(1, 1).step()};
    EXPECT_NEAR(seconds(copying, megabyte, ring(2, 0), {}),
                static_cast<double>(megabyte) / costs.copy_bandwidth + reduction, precision);
    EXPECT_EQ(seconds(copying, megabyte, ring(2, 0)), 0);
}

TEST(Simulation, ARankStartsItsMessagesOneAfterTheOther) {
    const auto two =
        simulate(one_step(8, 1, {{0, 1, 1}, {0, 7, 1}}), megabyte, ring(8, 0), ranks_on_all(ring(8, 0)), {});
    EXPECT_NEAR(two.steps[1][0].end, MachineCosts{}.message_time + millisecond, precision);
    EXPECT_NEAR(two.steps[7][0].end, 2 * MachineCosts{}.message_time + millisecond, precision);
}

TEST(Simulation, RanksOfAHostReceiveOneAfterTheOther) {
    const Fabric fabric = ring(2, microsecond);
    const double local = static_cast<double>(megabyte) / MachineCosts{}.local_bandwidth;
    const Placement placement = ranks_on({0}, 4);
    const auto overhead = MachineCosts{}.message_time;
    const auto apart = simulate(one_step(4, 1, {{0, 1, 1}, {2, 3, 1}}), megabyte, fabric, placement, {});
    EXPECT_NEAR(apart.seconds, overhead + local, precision);
    const auto together = simulate(one_step(4, 1, {{0, 1, 1}, {2, 1, 1}}), megabyte, fabric, placement, {});
    EXPECT_NEAR(together.seconds, overhead + 2 * local, precision);
    const auto free = simulate(one_step(4, 1, {{0, 1, 1}, {2, 1, 1}}), megabyte, fabric, placement, links_only);
    EXPECT_NEAR(free.seconds, 0, precision);
}

// What the receiver has to do takes its processor, message by message; the sender of a long one waits for it.
TEST(Simulation, RanksOfAHostMoveWhatTheyReceiveThemselves) {
    const Fabric fabric = ring(2, microsecond);
    const Placement placement = ranks_on({0}, 2);
    const auto message = MachineCosts{}.message_time;
    const double local = static_cast<double>(megabyte) / MachineCosts{}.local_bandwidth;
    const double combining = static_cast<double>(megabyte) / MachineCosts{}.reduce_bandwidth;
    const Schedule combined = {
        ProgramWriter(1).step().send(1, output(0)),
        ProgramWriter(1).step().receive_reduce(0, output(0), Operand::left),
    };
    const auto slow = simulate(combined, megabyte, fabric, placement, {});
    EXPECT_NEAR(slow.seconds, message + local + combining, precision);
    EXPECT_NEAR(slow.steps[0][0].end, message + local, precision);
    const auto exchanged = simulate(one_step(2, 1, {{0, 1, 1}, {1, 0, 1}}), megabyte, fabric, placement, {});
    EXPECT_NEAR(exchanged.seconds, message + local, precision);
    const auto buffered = simulate(one_step(2, 1, {{0, 1, 1}}), 600, fabric, placement, {});
    EXPECT_NEAR(buffered.steps[0][0].end, message, precision);
    EXPECT_NEAR(buffered.steps[1][0].end, message + 600 / MachineCosts{}.local_bandwidth, precision);
}

TEST(Simulation, MessagesWithinAHostMayBeginSooner) {
    Fabric fabric = ring(2, 0);
    fabric.costs.local_message_time = microsecond / 10;
    const Schedule both = one_step(3, 1, {{0, 1, 1}, {0, 2, 1}});
    const Placement placement = {{0, {}}, {0, {}}, {1, {}}};
    const auto end = simulate(both, 8, fabric, placement, {}).steps[0][0].end;
    EXPECT_NEAR(end, 1.1 * microsecond + 8 / (megabyte / millisecond), precision);
}

TEST(Simulation, WhatIsEagerDoesNotWaitForItsReceiver) {
    const Schedule after_another = {ProgramWriter(1).step().send(2, output(0)),
                                    ProgramWriter(1).step().send(2, output(0)),
                                    ProgramWriter(1).step().receive(1, output(0)).step().receive(0, output(0))};
    const auto seconds_with_limit = [&](double limit) {
        Fabric fabric = ring(3, 0);
        fabric.costs.eager_limit = limit;
        return seconds(after_another, megabyte, fabric, {});
    };
    const double one = MachineCosts{}.message_time + millisecond;
    EXPECT_NEAR(seconds_with_limit(megabyte), one, precision);
    EXPECT_NEAR(seconds_with_limit(megabyte - 1), one + millisecond, precision);
}

TEST(Simulation, RanksMoveWhatComesFromTheirHostWhileTheyWaitForOthers) {
    const Placement placement = {{0, {}}, {0, {}}, {1, {}}};
    const auto message = MachineCosts{}.message_time;
    const double local = static_cast<double>(megabyte) / MachineCosts{}.local_bandwidth;
    const auto both = simulate(one_step(3, 1, {{2, 0, 1}, {1, 0, 1}}), megabyte, ring(2, 0), placement, {});
    EXPECT_NEAR(both.seconds, message + millisecond, precision);
    EXPECT_NEAR(both.steps[1][0].end, message + local, precision);
}

TEST(Simulation, RanksOfAHostShareItsMemory) {
    Fabric fabric = ring(2, 0);
    fabric.costs = MachineCosts{.message_time = 0, .local_bandwidth = 1e9, .memory_bandwidth = 1.5e9};
    const Schedule pairs = one_step(6, 1, {{0, 1, 1}, {2, 3, 1}, {4, 5, 1}});
    const auto seconds = [&](int ranks_of_first_host) {
        Placement placement;
        for (int rank = 0; rank < 6; ++rank) placement.push_back({rank < ranks_of_first_host ? 0 : 1, {}});
        return simulate(pairs, megabyte, fabric, placement, {}).seconds;
    };
    EXPECT_NEAR(seconds(6), 2 * millisecond, precision);       // three move at once, at half a gigabyte/s each
    EXPECT_NEAR(seconds(4), 4. / 3 * millisecond, precision);  // two on the first host, one on the second
}

// Rank 0 sends to rank 1, which passes it on to rank 2 in its next step; rank 2 has nothing else to do.
Schedule relay() {
    return {ProgramWriter(1).step().send(1, output(0)),
            ProgramWriter(1).step().receive(0, output(0)).step().send(2, output(0)),
            ProgramWriter(1).step().receive(1, output(0))};
}

TEST(Simulation, StepsFollowEachOther) {
    const Fabric fabric = ring(8, 0);
    const auto relayed = simulate(relay(), megabyte, fabric, ranks_on({0, 1, 2}));
    EXPECT_NEAR(relayed.steps[1][0].end, millisecond, precision);
    EXPECT_NEAR(relayed.steps[1][1].begin, millisecond, precision);
    EXPECT_NEAR(relayed.seconds, 2 * millisecond, precision);
    EXPECT_EQ(relayed.steps[2][0].begin, 0);
}

TEST(Simulation, LanesDoNotWaitForEachOther) {
    const Schedule schedule = {ProgramWriter(2).lane().step().send(1, output(0)).lane().step().send(7, output(1)),
                               ProgramWriter(2).lane().step().receive(0, output(0)).lane()};
    Schedule all = schedule;
    for (int rank = 2; rank < 7; ++rank) all.push_back(ProgramWriter(2).lane().lane());
    all.push_back(ProgramWriter(2).lane().lane().step().receive(0, output(1)));
    EXPECT_NEAR(seconds(all, 2 * megabyte, ring(8, 0)), millisecond, precision);
}

// Rank 1 adds to what it gets from rank 0, in two lanes, and passes it on to rank 2.
TEST(Simulation, WhatALaneHasCombinedTravelsWhileTheNextLaneCombines) {
    std::vector<ProgramWriter> ranks(3, ProgramWriter(2));
    for (int lane = 0; lane < 2; ++lane) {
        ranks[0].lane().step().send(1, output(lane));
        ranks[1].lane().step().receive_reduce(0, output(lane), Operand::left).step().send(2, output(lane));
        ranks[2].lane().step().receive(1, output(lane));
    }
    const Schedule schedule(ranks.begin(), ranks.end());
    Fabric fabric = ring(8, 0);
    fabric.costs = MachineCosts{.message_time = microsecond, .reduce_bandwidth = 5e8};
    const auto end = simulate(schedule, 2 * megabyte, fabric, ranks_on({0, 1, 2}), {}).seconds;
    // The first arrives after two milliseconds; each takes two to combine, and the last one to travel on.
    EXPECT_NEAR(end, (2 + 2 + 2 + 1) * millisecond + 2 * microsecond, precision);
}

// Rank 0 sends two messages to rank 1, which is busy with a message from rank 2 before it wants the second.
Schedule second_message(bool early) {
    return {
        ProgramWriter(8).step().send(1, output(0)).step().send(1, output(1)),
        ProgramWriter(8).step().receive(0, output(0)).receive(2, output(2, 6)).step(false, early).receive(0, output(1)),
        ProgramWriter(8).step().send(1, output(2, 6))};
}

TEST(Simulation, ReceivesAreEarlyOnlyWhereTheyMayBe) {
    const Fabric fabric = ring(8, 0);
    const Placement placement = ranks_on({0, 1, 2});
    const auto early = simulate(second_message(true), 8 * megabyte, fabric, placement);
    EXPECT_NEAR(early.steps[0][1].end, 2 * millisecond, precision);
    EXPECT_NEAR(early.seconds, 6 * millisecond, precision);
    const auto late = simulate(second_message(false), 8 * megabyte, fabric, placement);
    EXPECT_NEAR(late.seconds, 7 * millisecond, precision);
}

TEST(Simulation, InLockstepAllWaitForTheSlowest) {
    // The step of rank 0 and 1 is done after one millisecond, that of 4 and 5 after three.
    const Schedule schedule = {ProgramWriter(4).step().send(1, output(0)).step().send(1, output(0)),
                               ProgramWriter(4).step().receive(0, output(0)).step().receive(0, output(0)),
                               ProgramWriter(4).step().send(3, output(0, 3)),
                               ProgramWriter(4).step().receive(2, output(0, 3))};
    const Fabric fabric = ring(8, 0);
    const auto free = simulate(schedule, 4 * megabyte, fabric, ranks_on({0, 1, 4, 5}));
    EXPECT_NEAR(free.seconds, 3 * millisecond, precision);
    const auto together =
        simulate(schedule, 4 * megabyte, fabric, ranks_on({0, 1, 4, 5}), {.software_costs = false, .lockstep = true});
    EXPECT_NEAR(together.seconds, 4 * millisecond, precision);
}

TEST(Simulation, OnlySoManyMessagesAreUnderWayAtOnce) {
    // Clockwise a message of one millisecond and one of two that both cross the first link; one of four the other way.
    const Schedule schedule = one_step(8, 4, {{0, 7, 4}, {0, 1, 1}, {0, 2, 2}});
    const auto taken = [&](int sends_at_once) {
        return seconds(schedule, 4 * megabyte, ring(8, 0), {.software_costs = false, .sends_at_once = sends_at_once});
    };
    EXPECT_NEAR(taken(1), 7 * millisecond, precision);
    // The last one begins when one of the others is done, whichever that is.
    EXPECT_NEAR(taken(2), 4 * millisecond, precision);
    EXPECT_NEAR(taken(0), 4 * millisecond, precision);
}

TEST(Simulation, MessagesThatEndWithinTheResolutionEndTogether) {
    // The second one is a microsecond longer, and goes the other way.
    const Schedule schedule = one_step(8, 1001, {{0, 1, 1000}, {0, 7, 1001}});
    const auto end = [&](double resolution) {
        return seconds(schedule, 1001000, ring(8, 0), {.software_costs = false, .resolution = resolution});
    };
    EXPECT_NEAR(end(1e-12), millisecond + microsecond, precision);
    EXPECT_NEAR(end(0.5 * microsecond), millisecond + microsecond, precision);
    EXPECT_NEAR(end(2 * microsecond), millisecond, precision);
}

TEST(Simulation, TellsItsProgress) {
    double last = 0;
    const Fabric fabric = ring(8, 0);
    const auto simulation = simulate_schedule(chain_bcast(8, 0, 100), Collective::bcast, megabyte, fabric,
                                              ranks_on_all(fabric), links_only, [&](double share) {
                                                  EXPECT_GT(share, last);
                                                  last = share;
                                              });
    EXPECT_TRUE(simulation);
    EXPECT_EQ(last, 1);
}

std::string what_is_wrong(const Schedule& schedule, const Fabric& fabric,
                          const SimulationSettings& settings = links_only) {
    const auto simulation =
        simulate_schedule(schedule, Collective::allreduce, megabyte, fabric, ranks_on_all(fabric), settings);
    return simulation ? "" : simulation.error().text();
}

TEST(Simulation, FailsOnWhatCannotRun) {
    EXPECT_EQ(what_is_wrong({ProgramWriter(1).step().send(1, output(0)), ProgramWriter(1)}, ring(2, 0)),
              "rank 0, lane 0, step 0: sends to rank 1 a message that is never received");
    const Schedule stuck = {ProgramWriter(1).step().receive(1, output(0)).step().send(1, output(0)),
                            ProgramWriter(1).step().receive(0, output(0)).step().send(0, output(0))};
    EXPECT_EQ(what_is_wrong(stuck, ring(2, 0)), "rank 0, lane 0, step 0: never ends: the schedule gets stuck");
    EXPECT_EQ(what_is_wrong(relay(), ring(3, 0), {.software_costs = false, .lockstep = true}),
              "rank 1, lane 0, step 1: never ends: its partners are in other steps; simulate without lockstep");
    Fabric open = ring(2, 0);
    open.network = Torus("open", {{2, true, 0, 0}}, Tie::positive);
    EXPECT_EQ(what_is_wrong(exchange(), open),
              "the file does not say the bandwidth between n0 and n1; add Bandwidth= to the line that joins them");
}

}  // namespace
}  // namespace coll_topo::test
