// SPDX-License-Identifier: BSD-3-Clause
//
// Predictions of rows for networks of switches against simulations.
#include "coll_topo/simulate/simulation.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/switch_fixture.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace coll_topo::test {
namespace {

/// Six leaves of four hosts, each with one uplink as fast as a port.
Fabric tapered_tree() {
    return switches(
        "SwitchName=l0 Nodes=n[00-03]\nSwitchName=l1 Nodes=n[04-07]\nSwitchName=l2 Nodes=n[08-11]\n"
        "SwitchName=l3 Nodes=n[12-15]\nSwitchName=l4 Nodes=n[16-19]\nSwitchName=l5 Nodes=n[20-23]\n"
        "Link From=l[0-5] To=s Bandwidth=25GB/s Latency=0.2us\nHostLink Bandwidth=25GB/s Latency=0.3us\n");
}

struct Predicted {
    const char* algorithm;
    Problem problem;
    std::uint64_t bytes;
};

/// Two leaves, of seven hosts and eight.
Fabric unequal_leaves() {
    return switches(
        "SwitchName=l0 Nodes=n[00-06]\nSwitchName=l1 Nodes=n[07-14]\n"
        "Link From=l[0-1] To=s[0-3] Count=2 Bandwidth=25GB/s Latency=0.2us\n"
        "HostLink Bandwidth=25GB/s Latency=0.3us\n");
}

/// Nine switches of four hosts, each with a cable to each other one.
Fabric mesh_of_switches() {
    std::string text = "HostLink Bandwidth=25GB/s Latency=0.3us\n";
    for (int leaf = 0; leaf < 9; ++leaf) {
        const std::string name = "r" + std::to_string(leaf);
        text += "SwitchName=" + name + " Nodes=" + name + "n[0-3]\n";
        for (int other = 0; other < leaf; ++other) {
            text += "Link From=" + name + " To=r" + std::to_string(other) + " Bandwidth=25GB/s Latency=0.2us\n";
        }
    }
    return switches(text);
}

void expect_near_on(const Fabric& fabric, int ranks_per_host, const std::vector<Predicted>& cases, double tolerance) {
    const Placement placement = ranks_on_all(fabric, ranks_per_host);
    const Grid grid = Grid::from_fabric(fabric, placement).value();
    for (const auto& [name, problem, bytes] : cases) {
        const Algorithm& algorithm = *find_algorithm(name);
        const auto simulation = simulate_schedule(build_all(algorithm, grid, problem), problem.collective, bytes,
                                                  fabric, placement, SimulationSettings{});
        ASSERT_TRUE(simulation) << simulation.error().text();
        EXPECT_NEAR(algorithm.seconds(grid, problem, static_cast<double>(bytes)) / simulation->seconds, 1, tolerance)
            << describe(algorithm, problem) << ", " << bytes << " bytes, " << ranks_per_host << " a host";
    }
}

void expect_near(int ranks_per_host, const std::vector<Predicted>& cases, double tolerance = 0.1) {
    expect_near_on(tapered_tree(), ranks_per_host, cases, tolerance);
}

constexpr std::uint64_t kib = 1024, mib = 1024 * kib;

// A rank sends the next message before the last one has arrived, and both share its cable.
TEST(SwitchPrediction, OfTreesOfWholeVectors) {
    for (const int ranks_per_host : {1, 4}) {
        for (const Collective collective : {Collective::bcast, Collective::reduce}) {
            for (const char* const name : {"grouped_binomial", "grouped_knomial", "submesh"}) {
                for (const std::uint64_t bytes : {std::uint64_t{8}, 16 * kib, 512 * kib}) {
                    expect_near(ranks_per_host, {{name, {collective}, bytes}});
                }
            }
        }
    }
}

// Blocks of a bcast that share a cable arrive late; those of a reduce arrive while the one before is combined.
TEST(SwitchPrediction, OfTheChain) {
    for (const int ranks_per_host : {1, 4}) {
        for (const Collective collective : {Collective::bcast, Collective::reduce}) {
            Problem problem{collective};
            problem.segments = 32;
            expect_near(ranks_per_host, {{"grouped_chain", problem, mib}, {"grouped_chain", problem, 64 * mib}});
        }
    }
}

// Blocks of a bcast wait at ranks that copy for other chains; the first one seldom waits.
TEST(SwitchPrediction, OfChainsThatMeet) {
    Problem problem{Collective::bcast};
    problem.lanes = 4;
    problem.segments = 32;
    expect_near(2, {{"multi_chain", problem, 8 * mib}}, 0.06);
    problem.collective = Collective::reduce;
    problem.segments = 16;
    expect_near(2, {{"multi_chain", problem, 512 * kib}}, 0.06);
}

TEST(SwitchPrediction, OfTwoTreesOverAllRanks) {
    for (const Collective collective : {Collective::bcast, Collective::reduce}) {
        Problem problem{collective};
        problem.segments = 16;
        expect_near(4, {{"two_tree_by_switches", problem, mib}, {"two_tree_by_switches", problem, 64 * mib}});
    }
    Problem problem{Collective::reduce};
    problem.lanes = 2;
    problem.segments = 16;
    expect_near(1, {{"two_tree_by_switches", problem, 4 * mib}, {"two_tree_by_switches", problem, 32 * mib}});
}

// An extra host sends while the others halve anyway; and a rank starts messages while others travel.
TEST(SwitchPrediction, OfHalvingOnUnequalLeaves) {
    for (const Collective collective : {Collective::allreduce, Collective::bcast, Collective::reduce}) {
        for (const std::uint64_t bytes : {16 * kib, 256 * kib, mib}) {
            expect_near_on(unequal_leaves(), 1, {{"halving_doubling", {collective}, bytes}}, 0.12);
        }
    }
}

// Each leaf has a cable of its own to each other one, and none is above all.
TEST(SwitchPrediction, OfAMeshOfSwitches) {
    const Fabric fabric = mesh_of_switches();
    for (const int ranks_per_host : {1, 2}) {
        expect_near_on(fabric, ranks_per_host, {{"a2at", {Collective::alltoall}, mib}}, 0.1);
    }
    expect_near_on(fabric, 1, {{"doubling_in_place", {Collective::allgather}, 256 * kib}}, 0.1);
    expect_near_on(fabric, 2, {{"a2at", {Collective::reduce_scatter}, 4 * mib}}, 0.1);
}

TEST(SwitchSimulation, OfTwoTreesThatCombineInOneLaneWhileTheOtherWaits) {
    const Fabric fabric = tapered_tree();
    const Placement placement = ranks_on_all(fabric);
    const Grid grid = Grid::from_fabric(fabric, placement).value();
    const auto seconds = [&](int lanes) {
        Problem problem{Collective::reduce};
        problem.lanes = lanes;
        problem.segments = 32 / lanes;
        const Schedule schedule = build_all(*find_algorithm("two_tree_by_switches"), grid, problem);
        return simulate_schedule(schedule, problem.collective, 4 * mib, fabric, placement, SimulationSettings{})
            .value()
            .seconds;
    };
    EXPECT_LE(seconds(2), 0.85 * seconds(1));
}

// Between its last look for a message and its sleep a rank gives up its processor, and others run: what they send then
// must wake it.
TEST(SwitchSimulation, OfLanesThroughTheRanksOfAHostEnds) {
    const Fabric fabric = tapered_tree();
    const Placement placement = ranks_on_all(fabric, 4);
    Problem problem{.collective = Collective::bcast, .lanes = 4};
    problem.segments = 8;
    const Schedule schedule =
        build_all(*find_algorithm("grouped_two_tree"), Grid::from_fabric(fabric, placement).value(), problem);
    EXPECT_TRUE(simulate_schedule(schedule, Collective::bcast, mib, fabric, placement, SimulationSettings{}));
}

}  // namespace
}  // namespace coll_topo::test
