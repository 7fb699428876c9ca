// SPDX-License-Identifier: BSD-3-Clause
#include "test/verify/program_writer.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

Fabric torus(std::vector<TorusDimension> dimensions) {
    Fabric fabric{{}, Torus("t", std::move(dimensions), Tie::positive), {}};
    for (int host = 0; host < fabric.torus()->cells(); ++host) fabric.hosts.add("n" + std::to_string(host));
    return fabric;
}

TorusDimension ring(int size) {
    return {size, true};
}

TorusDimension row(int size) {
    return {size, false};
}

// Rank r on host hosts[r].
Placement on_hosts(const std::vector<int>& hosts) {
    Placement placement;
    for (const int host : hosts) {
        RankLocation location;
        location.host = host;
        placement.push_back(location);
    }
    return placement;
}

// Every rank sends its block to the one `distance` behind it in a ring.
Schedule shift(int ranks, int distance, int blocks = 1) {
    Schedule schedule;
    for (int rank = 0; rank < ranks; ++rank) {
        schedule.push_back(ProgramWriter(blocks).step().send((rank + distance) % ranks, output(0, blocks)));
    }
    return schedule;
}

TEST(LinkLoad, ARingOfNeighboursHasNoContention) {
    const auto load = link_load(shift(5, 1, 3), torus({ring(5)}), on_hosts({0, 1, 2, 3, 4}));
    ASSERT_EQ(load.size(), 1u);
    EXPECT_EQ(load[0].messages, 1);
    EXPECT_EQ(load[0].blocks, 3);
}

TEST(LinkLoad, DistanceTwoSharesEveryLink) {
    const auto load = link_load(shift(5, 2, 3), torus({ring(5)}), on_hosts({0, 1, 2, 3, 4}));
    ASSERT_EQ(load.size(), 1u);
    EXPECT_EQ(load[0].messages, 2);
    EXPECT_EQ(load[0].blocks, 6);
}

TEST(LinkLoad, AMeshGoesAllTheWayBack) {
    // The way back from the end of the row shares no link with the others, which go the other way.
    const auto load = link_load(shift(4, 1), torus({row(4)}), on_hosts({0, 1, 2, 3}));
    EXPECT_EQ(load[0].messages, 1);
    // Two ways back on the middle link: 2 -> 0 and 3 -> 1.
    EXPECT_EQ(link_load(shift(4, 2), torus({row(4)}), on_hosts({0, 1, 2, 3}))[0].messages, 2);
}

TEST(LinkLoad, RanksOfOneHostUseNoLink) {
    const auto load = link_load(shift(4, 1), torus({ring(3)}), on_hosts({1, 1, 1, 1}));
    ASSERT_EQ(load.size(), 1u);
    EXPECT_EQ(load[0].messages, 0);
    EXPECT_EQ(load[0].blocks, 0);
    // Of two ranks a host, only one sends to the next host.
    EXPECT_EQ(link_load(shift(6, 1), torus({ring(3)}), on_hosts({0, 0, 1, 1, 2, 2}))[0].messages, 1);
    EXPECT_EQ(link_load(shift(6, 2), torus({ring(3)}), on_hosts({0, 0, 1, 1, 2, 2}))[0].messages, 2);
}

TEST(LinkLoad, HostsAreFoundThroughTheirCells) {
    Fabric fabric = torus({row(4)});
    const Schedule schedule = {ProgramWriter(1).step().send(1, output(0)), ProgramWriter(1),
                               ProgramWriter(1).step().send(3, output(0)), ProgramWriter(1)};
    EXPECT_EQ(link_load(schedule, fabric, on_hosts({0, 1, 2, 3}))[0].messages, 1);
    fabric.cell_of_host = {0, 2, 1, 3};  // 0 -> 2 and 1 -> 3 both pass from 1 to 2
    EXPECT_EQ(link_load(schedule, fabric, on_hosts({0, 1, 2, 3}))[0].messages, 2);
}

TEST(LinkLoad, StepsOfAllLanesCountTogether) {
    const Schedule schedule = {ProgramWriter(4)
                                   .lane()
                                   .step()
                                   .send(1, output(0))
                                   .step()
                                   .send(1, output(0, 2))
                                   .lane()
                                   .step()
                                   .send(1, output(2))
                                   .step()
                                   .step()
                                   .send(1, output(3)),
                               ProgramWriter(4)};
    const auto load = link_load(schedule, torus({ring(3)}), on_hosts({0, 1}));
    ASSERT_EQ(load.size(), 3u);
    EXPECT_EQ(load[0].messages, 2);
    EXPECT_EQ(load[0].blocks, 2);
    EXPECT_EQ(load[1].messages, 1);
    EXPECT_EQ(load[1].blocks, 2);
    EXPECT_EQ(load[2].messages, 1);
    EXPECT_EQ(load[2].blocks, 1);
}

TEST(LinkLoad, CountsTheCablesOfSwitches) {
    Fabric fabric{{}, SwitchGraph{}, {}};
    auto& graph = std::get<SwitchGraph>(fabric.network);
    for (const char* const name : {"leaf0", "leaf1", "spine"}) graph.switches.add(name);
    graph.links = {{0, 2, 2, 4e9, 0}, {1, 2, 1, 1e9, 0}};
    for (int host = 0; host < 4; ++host) {
        fabric.hosts.add("n" + std::to_string(host));
        graph.leaf_of_host.push_back(host / 2);
    }
    // Hosts 0 and 1 send to 2 and 3: each has a cable of its own up from leaf0, but they share the one down to leaf1.
    const Schedule there = {ProgramWriter(1).step().send(2, output(0)), ProgramWriter(1).step().send(3, output(0)),
                            ProgramWriter(1), ProgramWriter(1)};
    LinkGraph network(fabric);
    const auto load = link_load(there, network, on_hosts({0, 1, 2, 3}));
    ASSERT_EQ(load.size(), 1u);
    EXPECT_EQ(load[0].messages, 2);
    EXPECT_EQ(network.name(network.links()[load[0].slowest_link].from), "spine");
    EXPECT_EQ(network.name(network.links()[load[0].slowest_link].to), "leaf1");
    // Below one leaf, only cables of hosts are used.
    EXPECT_EQ(link_load(shift(2, 1), network, on_hosts({0, 1}))[0].messages, 1);
}

TEST(LinkLoad, TheSlowestLinkIsWeighedByItsBandwidth) {
    const Fabric fabric = torus({{2, false, 1e9, 0}, {2, false, 4e9, 0}});
    LinkGraph network(fabric);
    // Two blocks along the fast dimension take less time than one along the slow one.
    const Schedule schedule = {ProgramWriter(2).step().send(1, output(0)).send(2, output(0, 2)), ProgramWriter(2),
                               ProgramWriter(2)};
    const auto load = link_load(schedule, network, on_hosts({0, 1, 2}));
    EXPECT_EQ(load[0].blocks, 2);
    EXPECT_EQ(network.links()[load[0].slowest_link].to, 1);
    EXPECT_EQ(link_load(shift(2, 1), network, on_hosts({3, 3}))[0].slowest_link, -1);
}

TEST(BlocksSent, OnlySendsCount) {
    const Program program = ProgramWriter(8, 8)
                                .lane()
                                .step()
                                .send(1, output(0, 4))
                                .receive(1, output(4, 4))
                                .copy(output(0, 8), scratch(0, 8))
                                .lane()
                                .step()
                                .send(2, output(0, 3));
    EXPECT_EQ(blocks_sent(program), 7);
    EXPECT_EQ(blocks_sent(ProgramWriter(8)), 0);
}

}  // namespace
}  // namespace coll_topo::test
