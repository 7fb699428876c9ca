// SPDX-License-Identifier: BSD-3-Clause
//
// Cases small enough to compute by hand. All links have 1 GB/s, so that a megabyte takes a millisecond.
#include "coll_topo/simulate/simulation.hpp"
#include "coll_topo/algorithm/cost.hpp"
#include "coll_topo/fabric/link_graph.hpp"
#include "test/placement/torus_fixture.hpp"
#include "test/verify/hand_written.hpp"

#include <gtest/gtest.h>

#include <map>
#include <utility>

namespace coll_topo::test {
namespace {

constexpr std::uint64_t megabyte = 1000000;
constexpr double millisecond = 1e-3, microsecond = 1e-6;
constexpr double precision = 1e-11;

constexpr SimulationSettings links_only = {.software_costs = false};

Fabric ring(int hosts, double latency) {
    std::vector<TorusDimension> dimensions = {{hosts, true, 1e9, latency}};
    Fabric fabric{{}, Torus("ring", dimensions, Tie::positive), {}};
    for (int host = 0; host < hosts; ++host) fabric.hosts.add("n" + std::to_string(host));
    return fabric;
}

/// One step for everybody: blocks that go from rank to rank, sent in the order listed.
struct OneWay {
    int from;
    int to;
    int blocks;
};
Schedule one_step(int ranks, int blocks, const std::vector<OneWay>& messages) {
    Schedule schedule;
    for (int rank = 0; rank < ranks; ++rank) {
        ProgramWriter writer(blocks);
        writer.lane().step();
        for (const OneWay& message : messages) {
            if (message.from == rank) writer.send(message.to, output(0, message.blocks));
            if (message.to == rank) writer.receive(message.from, output(0, message.blocks));
        }
        schedule.push_back(writer);
    }
    return schedule;
}

Simulation simulate(const Schedule& schedule, std::uint64_t bytes, const Fabric& fabric, const Placement& placement,
                    const SimulationSettings& settings = links_only) {
    auto simulation = simulate_schedule(schedule, Collective::allreduce, bytes, fabric, placement, settings);
    EXPECT_TRUE(simulation) << simulation.error().text();
    return simulation ? std::move(*simulation) : Simulation{};
}

double seconds(const Schedule& schedule, std::uint64_t bytes, const Fabric& fabric,
               const SimulationSettings& settings = links_only) {
    return simulate(schedule, bytes, fabric, ranks_on_all(fabric), settings).seconds;
}

TEST(Simulation, AMessageTakesLatencyOfAllLinksAndItsBytes) {
    const Fabric fabric = ring(8, microsecond);
    EXPECT_NEAR(seconds(one_step(8, 1, {{0, 1, 1}}), megabyte, fabric), millisecond + microsecond, precision);
    EXPECT_NEAR(seconds(one_step(8, 1, {{0, 3, 1}}), megabyte, fabric), millisecond + 3 * microsecond, precision);
    EXPECT_NEAR(seconds(one_step(8, 1, {{0, 7, 1}}), megabyte, fabric), millisecond + microsecond, precision);
}

TEST(Simulation, TheNarrowestLinkCounts) {
    std::vector<TorusDimension> dimensions = {{3, false, 2e9, 0}, {3, false, 5e8, 0}};
    Fabric fabric{{}, Torus("mesh", dimensions, Tie::positive), {}};
    for (int host = 0; host < 9; ++host) fabric.hosts.add("n" + std::to_string(host));
    EXPECT_NEAR(seconds(one_step(9, 1, {{0, 2, 1}}), megabyte, fabric), 0.5 * millisecond, precision);
    EXPECT_NEAR(seconds(one_step(9, 1, {{0, 8, 1}}), megabyte, fabric), 2 * millisecond, precision);
}

TEST(Simulation, FlowsShareALink) {
    const Fabric fabric = ring(8, 0);
    EXPECT_NEAR(seconds(one_step(8, 1, {{0, 2, 1}, {1, 3, 1}}), megabyte, fabric), 2 * millisecond, precision);
    EXPECT_NEAR(seconds(one_step(8, 1, {{0, 3, 1}, {1, 4, 1}, {2, 5, 1}}), megabyte, fabric), 3 * millisecond,
                precision);
    // Half the bandwidth each until the short one is done, then all of it.
    const auto unequal = simulate(one_step(8, 4, {{0, 2, 1}, {1, 3, 3}}), 4 * megabyte, fabric, ranks_on_all(fabric));
    EXPECT_NEAR(unequal.steps[0][0].end, 2 * millisecond, precision);
    EXPECT_NEAR(unequal.steps[1][0].end, 4 * millisecond, precision);
}

TEST(Simulation, AFlowThatCannotUseItsShareLeavesItToOthers) {
    // Links 0>1 and 1>2 carry two flows each, of which the long one gets half, and so do the others.
    const Fabric fabric = ring(8, 0);
    const auto both =
        simulate(one_step(8, 1, {{0, 3, 1}, {7, 1, 1}, {2, 3, 1}}), megabyte, fabric, ranks_on_all(fabric));
    EXPECT_NEAR(both.seconds, 2 * millisecond, precision);
    // Three flows on link 0>1 get a third each; the one that shares only link 1>2 with one of them gets two thirds.
    const auto thirds = simulate(one_step(8, 2, {{0, 2, 2}, {7, 1, 2}, {6, 1, 2}, {1, 3, 2}}), 2 * megabyte, fabric,
                                 ranks_on_all(fabric));
    EXPECT_NEAR(thirds.steps[3][0].end, 3 * millisecond, precision);
    EXPECT_NEAR(thirds.seconds, 6 * millisecond, precision);
}

TEST(Simulation, SharesDoNotDependOnTheLengthOfTheWay) {
    const Fabric fabric = ring(16, microsecond);
    const auto both = simulate(one_step(16, 1, {{0, 6, 1}, {5, 6, 1}}), megabyte, fabric, ranks_on_all(fabric));
    // The short one has the link to itself for the five microseconds that the other is longer on its way.
    EXPECT_NEAR(both.steps[5][0].end, 2 * millisecond + microsecond - 5 * microsecond, precision);
    EXPECT_NEAR(both.seconds, 2 * millisecond + microsecond, precision);
}

TEST(Simulation, LinksCarryBothWaysAtOnce) {
    EXPECT_NEAR(seconds(exchange(), megabyte, ring(2, microsecond)), millisecond + microsecond, precision);
    EXPECT_NEAR(seconds(one_step(8, 1, {{0, 3, 1}, {3, 0, 1}}), megabyte, ring(8, 0)), millisecond, precision);
}

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

TEST(Simulation, SaysWhatALinkCarried) {
    const Fabric fabric = ring(8, 0);
    const auto simulation =
        simulate(one_step(8, 4, {{0, 2, 1}, {1, 3, 3}}), 4 * megabyte, fabric, ranks_on_all(fabric));
    const LinkGraph graph(fabric);
    std::map<std::pair<int, int>, std::uint64_t> carried;
    for (std::size_t link = 0; link < simulation.link_bytes.size(); ++link) {
        if (simulation.link_bytes[link] == 0) continue;
        carried[{graph.links()[link].from, graph.links()[link].to}] = simulation.link_bytes[link];
    }
    const std::map<std::pair<int, int>, std::uint64_t> expected = {
        {{0, 1}, megabyte}, {{1, 2}, 4 * megabyte}, {{2, 3}, 3 * megabyte}};
    EXPECT_EQ(carried, expected);
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
