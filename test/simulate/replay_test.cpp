// SPDX-License-Identifier: BSD-3-Clause
//
// The replay that predictions use against SimGrid, which has its own notion of time and of how links are shared: every
// row of the catalogue.
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/schedule/block_layout.hpp"
#include "coll_topo/simulate/simulation.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/torus_fixture.hpp"
#include "test/replay/replayed.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace coll_topo::test {
namespace {

/// The problem that gives a row most to do: all lanes and aggregators that are tried, and some segments.
Problem busiest(const Algorithm& algorithm, Collective collective, const Grid& grid) {
    Problem problem{collective};
    if (algorithm.uses_lanes) problem.lanes = 2;
    if (algorithm.uses_aggregators) problem.aggregators = grid.fewest_ranks_per_host();
    if (algorithm.uses_segments) problem.segments = 4;
    return problem;
}

int expect_as_simulated(const std::string& file, int ranks_per_host) {
    const Fabric fabric = read_topology_text(file, "test").value().fabric;
    const Placement placement = ranks_on_all(fabric, ranks_per_host);
    const Grid grid = Grid::from_fabric(fabric, placement).value();
    int compared = 0;
    for (const Algorithm& algorithm : rows_to_try()) {
        for (int c = 0; c < collective_count; ++c) {
            const auto collective = static_cast<Collective>(c);
            if (!algorithm.serves(collective) || vector_form(collective) == VectorForm::neighbors) continue;
            const Problem problem = busiest(algorithm, collective, grid);
            if (!algorithm.refusal(grid, problem).empty()) continue;
            const Schedule schedule = build_all(algorithm, grid, problem);
            const std::uint64_t long_bytes = collective == Collective::allgather ? 1u << 20 : 1u << 16;  // copied late
            // Of what happens at the same time, one or the other may come first. That matters most for few bytes.
            for (const auto& [bytes, apart] : {std::pair(std::uint64_t{24}, 0.04), std::pair(long_bytes, 0.03)}) {
                const auto simulation =
                    simulate_schedule(schedule, collective, bytes, fabric, placement, SimulationSettings{});
                EXPECT_TRUE(simulation) << describe(algorithm, problem);
                const auto replayed = replayed_seconds(grid, collective, schedule, bytes);
                EXPECT_TRUE(replayed) << describe(algorithm, problem);
                if (!simulation || !replayed) continue;
                EXPECT_NEAR(*replayed / simulation->seconds, 1, apart)
                    << describe(algorithm, problem) << ", " << bytes << " bytes";
                ++compared;
            }
        }
    }
    return compared;
}

TEST(Replay, CopiesThatSendsPassTakeAsLongAsInSimGrid) {
    const Fabric fabric = equal_torus({4});
    const Placement placement = ranks_on_all(fabric, 2);
    const Grid grid = Grid::from_torus(fabric, placement).value();
    constexpr std::uint64_t bytes = 2000000;
    for (const auto& [copied, passed_on] : {std::pair(std::vector{10, 10}, 1), std::pair(std::vector{80}, 10)}) {
        const std::vector<Program> programs = passing_on(copied, passed_on);
        const auto simulated = simulate_schedule(programs, Collective::bcast, bytes, fabric, placement);
        ASSERT_TRUE(simulated);
        EXPECT_NEAR(replayed_seconds(grid, Collective::bcast, programs, bytes).value_or(0), simulated->seconds, 1e-11);
    }
}

TEST(Replay, OnATorusTakesAsLongAsInSimGrid) {
    const std::string torus = "TorusName=t Dims=4x3 Nodes=n[00-11] Bandwidth=12.5GB/s Latency=0.5us\n";
    const int compared = expect_as_simulated(torus, 1);
    EXPECT_GE(compared, tries_all_rows() ? 100 : 0);
}

TEST(Replay, WhatIsEagerTakesAsLongAsInSimGrid) {
    const std::string torus =
        "TorusName=t Dims=4x3 Nodes=n[00-11] Bandwidth=12.5GB/s Latency=0.5us\nMachine EagerLimit=6000B\n";
    const int compared = expect_as_simulated(torus, 1);
    EXPECT_GE(compared, tries_all_rows() ? 100 : 0);
}

TEST(Replay, OnHostsOfTwoRanksTakesAsLongAsInSimGrid) {
    const std::string mesh = "TorusName=t Dims=3x2 Wrap=nn Nodes=n[0-5] Bandwidth=12.5GB/s Latency=0.5us\n";
    const int compared = expect_as_simulated(mesh, 2);
    EXPECT_GE(compared, tries_all_rows() ? 100 : 0);
}

// The two cables of a ring of two each have a link of their own.
TEST(Replay, OnARingOfTwoTakesAsLongAsInSimGrid) {
    const std::string torus = "TorusName=t Dims=3x2 Nodes=n[0-5] Bandwidth=12.5GB/s Latency=0.5us\n";
    const int compared = expect_as_simulated(torus, 1);
    EXPECT_GE(compared, tries_all_rows() ? 100 : 0);
}

TEST(Replay, InAMemoryThatIsTooSlowForAllTakesAsLongAsInSimGrid) {
    const std::string torus =
        "TorusName=t Dims=3 Nodes=n[0-2] Bandwidth=12.5GB/s Latency=0.5us\nMachine MemoryBandwidth=18GB/s\n";
    const int compared = expect_as_simulated(torus, 4);
    EXPECT_GE(compared, tries_all_rows() ? 100 : 0);
}

TEST(Replay, ThroughSwitchesTakesAsLongAsInSimGrid) {
    const std::string tree =
        "SwitchName=l0 Nodes=n[00-03]\nSwitchName=l1 Nodes=n[04-07]\nSwitchName=l2 Nodes=n[08-11]\n"
        "Link From=l[0-2] To=s Bandwidth=25GB/s Latency=0.2us\nHostLink Bandwidth=25GB/s Latency=0.3us\n";
    const int compared = expect_as_simulated(tree, 1);
    EXPECT_GE(compared, tries_all_rows() ? 100 : 0);
}

}  // namespace
}  // namespace coll_topo::test
