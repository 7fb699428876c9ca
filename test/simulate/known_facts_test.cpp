// SPDX-License-Identifier: BSD-3-Clause
//
// Whole algorithms on tori, against what theory says of them and against the proof.
#include "coll_topo/simulate/bounds.hpp"
#include "coll_topo/simulate/simulation.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace coll_topo::test {
namespace {

using simulate::bound;

constexpr SimulationSettings links_only = {.software_costs = false};

/// A torus of equal links without latency.
struct Machine {
    Fabric fabric;
    Placement placement;
    Grid grid = Grid::from_torus(fabric, placement).value();

    explicit Machine(const std::vector<int>& sizes, int ranks_per_host = 1)
        : fabric(make(sizes)), placement(ranks_on_all(fabric, ranks_per_host)) {}

    static Fabric make(const std::vector<int>& sizes) {
        Fabric fabric = equal_torus(sizes);
        std::vector<TorusDimension> dimensions;
        for (const int size : sizes) dimensions.push_back({size, true, 1e9, 0});
        fabric.network = Torus("no latency", dimensions, Tie::parity);
        return fabric;
    }

    double seconds(const char* algorithm, const Problem& problem, std::uint64_t bytes,
                   const SimulationSettings& settings = links_only) const {
        const Schedule schedule = build_all(*find_algorithm(algorithm), grid, problem);
        const auto simulation = simulate_schedule(schedule, problem.collective, bytes, fabric, placement, settings);
        EXPECT_TRUE(simulation) << simulation.error().text();
        return simulation ? simulation->seconds : 0;
    }

    double share_of_bound(const char* algorithm, const Problem& problem, std::uint64_t bytes,
                          const SimulationSettings& settings = links_only) const {
        LinkGraph graph(fabric);
        const double least =
            bound(problem.collective, static_cast<double>(bytes), problem.root, fabric, graph, placement)
                .of_network()
                .seconds();
        return least / seconds(algorithm, problem, bytes, settings);
    }
};

TEST(KnownFacts, ARingSendsAsLittleAsPossibleOverOnePort) {
    // 2 m (p-1)/p bytes one after the other.
    for (const auto& sizes : {std::vector{8}, std::vector{4, 4}, std::vector{16, 16}}) {
        const Machine machine(sizes);
        const double ranks = machine.grid.ranks();
        const std::uint64_t bytes = 4096 * static_cast<std::uint64_t>(ranks);
        const double expected = 2 * static_cast<double>(bytes) * (ranks - 1) / ranks / 1e9;
        // Ranks follow the rows, and the way to the next row leads over a second link, which no other uses then.
        EXPECT_NEAR(machine.seconds("ring", {.collective = Collective::allreduce}, bytes) / expected, 1, 1e-6);
    }
}

TEST(KnownFacts, HalvingDoublingOverOnePortReachesNinePercentOfFourPorts) {
    // With m bytes, link bandwidth b and 64 places, halving takes m/2b for distances 1, 2, 4, 8, 16 and, both ways
    // round, m/4b for 32; the second dimension has a 64th of the data. Doubling takes as long.
    const Machine machine({64, 64});
    const std::uint64_t bytes = 1 << 20;
    const double halving = (5 * 0.5 + 0.25) * (1 + 1.0 / 64);
    const double theory = 2.0 * 4095 / 4096 / 4 / (2 * halving);
    EXPECT_NEAR(theory, 0.09, 0.001);
    EXPECT_NEAR(machine.share_of_bound("halving_doubling", {.collective = Collective::allreduce}, bytes), theory, 1e-6);
}

TEST(KnownFacts, PairwiseAlltoallReachesFortyPercentOfTheBisectionBound) {
    // In step d everyone sends to the rank d further on. Counted by hand (by program), the busiest links of the 255
    // steps carry 1346 messages in all, where half of the machine must send the other 2 * 256 over each link.
    const Machine machine({16, 16});
    const SimulationSettings settings = {.software_costs = false, .lockstep = true};
    EXPECT_NEAR(machine.share_of_bound("pairwise", {.collective = Collective::alltoall}, 256 * 1024, settings),
                512.0 / 1346, 1e-6);
}

TEST(KnownFacts, AlltoallAllAtOnceReachesTheBisectionBound) {
    // All pairs of an evenly loaded ring dimension; the links are never idle.
    EXPECT_NEAR(Machine({4}).share_of_bound("linear", {.collective = Collective::alltoall}, 4096), 1, 1e-6);
}

/// What a link carries by the proof's count, in blocks.
std::int64_t blocks_on_all_links(const Schedule& schedule, const Fabric& fabric, const Placement& placement) {
    std::int64_t hops = 0;
    std::vector<int> route;
    LinkGraph graph(fabric);
    for (std::size_t rank = 0; rank < schedule.size(); ++rank) {
        for (const Action& action : schedule[rank].actions) {
            if (action.kind != ActionKind::send) continue;
            route.clear();
            graph.route(placement[rank].host, placement[action.peer].host, route);
            hops += static_cast<std::int64_t>(route.size()) * action.count;
        }
    }
    return hops;
}

TEST(KnownFacts, LinksCarryWhatTheProofCounts) {
    const Machine machine({4, 3});
    const std::uint64_t block_bytes = 64;
    for (const Problem& problem : {Problem{.collective = Collective::allreduce, .lanes = 4},
                                   Problem{.collective = Collective::allgather, .lanes = 2}}) {
        const Schedule schedule = build_all(*find_algorithm("halving_doubling"), machine.grid, problem);
        const auto simulation = simulate_schedule(schedule, problem.collective, block_bytes * schedule[0].blocks,
                                                  machine.fabric, machine.placement, links_only);
        ASSERT_TRUE(simulation) << simulation.error().text();
        const auto& carried = simulation->link_bytes;
        EXPECT_EQ(std::accumulate(carried.begin(), carried.end(), std::uint64_t{0}),
                  block_bytes * blocks_on_all_links(schedule, machine.fabric, machine.placement));
        // A link that is the busiest in every step carries the sum of the steps; none carries more.
        std::int64_t most = 0;
        for (const StepLoad& step : link_load(schedule, machine.fabric, machine.placement)) most += step.blocks;
        EXPECT_LE(*std::max_element(carried.begin(), carried.end()), block_bytes * most);
    }
}

void expect_no_schedule_beats_the_bound(const Machine& machine) {
    LinkGraph graph(machine.fabric);
    const std::uint64_t bytes = 800 * static_cast<std::uint64_t>(machine.grid.ranks());
    for (const Algorithm& algorithm : catalogue()) {
        for (int number = 0; number < collective_count; ++number) {
            const auto collective = static_cast<Collective>(number);
            if (!algorithm.serves(collective)) continue;
            for (const Problem& problem : problems(algorithm, collective, machine.grid, 0)) {
                SCOPED_TRACE(describe(algorithm, problem));
                const Schedule schedule = build_all(algorithm, machine.grid, problem);
                ASSERT_TRUE(prove(collective, schedule, false, problem.root));
                const simulate::Bound least =
                    bound(collective, bytes, problem.root, machine.fabric, graph, machine.placement);
                for (const bool costs : {false, true}) {
                    const auto simulation = simulate_schedule(schedule, collective, bytes, machine.fabric,
                                                              machine.placement, {.software_costs = costs});
                    ASSERT_TRUE(simulation) << simulation.error().text();
                    const double seconds = (costs ? least : least.of_network()).seconds();
                    EXPECT_GE(simulation->seconds, seconds * (1 - 1e-9)) << simulate::limit_name(least.limit());
                }
            }
        }
    }
}

TEST(KnownFacts, WhatIsProvedEndsAndDoesNotBeatTheBound) {
    expect_no_schedule_beats_the_bound(Machine({3, 2}));
    expect_no_schedule_beats_the_bound(Machine({3}, 2));
}

TEST(KnownFacts, NothingBeatsTheBoundOfWorkOnAMesh) {
    // Corners have so few cables that their ranks must exchange much within their host, whatever the others do.
    Fabric fabric = equal_torus({3, 2}, false);
    fabric.costs = {.message_time = 0, .local_bandwidth = 1e9, .reduce_bandwidth = 1e9, .copy_bandwidth = 4e9};
    const Placement placement = ranks_on_all(fabric, 3);
    const Grid grid = Grid::from_torus(fabric, placement).value();
    LinkGraph graph(fabric);
    constexpr std::uint64_t bytes = 18 * 8 * 1000;
    for (const Collective collective :
         {Collective::allreduce, Collective::reduce, Collective::bcast, Collective::reduce_scatter,
          Collective::allgather, Collective::alltoall, Collective::gather, Collective::scatter, Collective::scan,
          Collective::exscan}) {
        for (const Algorithm& algorithm : catalogue()) {
            if (!algorithm.serves(collective)) continue;
            for (const Problem& problem : problems(algorithm, collective, grid, 0)) {
                SCOPED_TRACE(describe(algorithm, problem));
                const double least = bound(collective, bytes, problem.root, fabric, graph, placement).work;
                EXPECT_GT(least, 0);
                const Schedule schedule = build_all(algorithm, grid, problem);
                const auto simulation = simulate_schedule(schedule, collective, bytes, fabric, placement, {});
                ASSERT_TRUE(simulation) << simulation.error().text();
                EXPECT_GE(simulation->seconds, least * (1 - 1e-9));
            }
        }
    }
}

}  // namespace
}  // namespace coll_topo::test
