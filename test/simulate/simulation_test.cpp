// SPDX-License-Identifier: BSD-3-Clause
#include "test/simulate/simulation_fixture.hpp"

#include "coll_topo/fabric/link_graph.hpp"

#include <map>

namespace coll_topo::test {
namespace {

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

}  // namespace
}  // namespace coll_topo::test
