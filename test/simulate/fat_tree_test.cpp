// SPDX-License-Identifier: BSD-3-Clause
//
// Schedules on generated fat trees: bounds computed by hand, and simulations against what the link load says.
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/schedule/message_sizes.hpp"
#include "coll_topo/simulate/bounds.hpp"
#include "coll_topo/simulate/simulation.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace coll_topo::test {
namespace {

constexpr double bandwidth = 1e9, latency = 1e-6;  // of every cable

/// A rank on each host.
struct Machine {
    Fabric fabric;
    Placement placement = ranks_on_all(fabric);
    Grid grid = Grid::from_fabric(fabric, placement).value();

    explicit Machine(const std::string& line)
        : fabric(read_topology_text(line + " Bandwidth=1GB/s Latency=1us\n", "test").value().fabric) {}

    double bound(Collective collective, double bytes, int root = 0) const {
        LinkGraph graph(fabric);
        return simulate::bound(collective, bytes, root, fabric, graph, placement).of_network().seconds();
    }
};

Machine latin_square_of_14() {
    return Machine("LatinSquareName=l Order=2 HostsPerLeaf=2 Nodes=h[00-13]");
}

Machine full_mesh_of_36() {
    return Machine("FullMeshName=m Ports=6 Nodes=s[00-35]");
}

TEST(FatTreeBounds, AreThoseOfTheCableOfAHost) {
    constexpr double megabyte = 1e6;
    const Machine plane = latin_square_of_14(), mesh = full_mesh_of_36();
    // The hosts send 2 m (h-1) together; the last byte takes the latency of a cable.
    EXPECT_DOUBLE_EQ(plane.bound(Collective::allreduce, megabyte), 2 * 1e-3 * 13 / 14 + latency);
    EXPECT_DOUBLE_EQ(mesh.bound(Collective::allreduce, megabyte), 2 * 1e-3 * 35 / 36 + latency);
    EXPECT_DOUBLE_EQ(mesh.bound(Collective::allgather, megabyte), 1e-3 * 35 / 36 + latency);
    // All of it over the cable of the root, and two cables between switches to the farthest host.
    EXPECT_DOUBLE_EQ(plane.bound(Collective::bcast, megabyte, 5), 1e-3 + 4 * latency);
    EXPECT_DOUBLE_EQ(mesh.bound(Collective::reduce, megabyte, 35), 1e-3 + 4 * latency);
    // Little data: everybody must hear of everybody.
    EXPECT_DOUBLE_EQ(plane.bound(Collective::allreduce, 8), 4 * latency);
    EXPECT_DOUBLE_EQ(mesh.bound(Collective::allreduce, 8), 4 * latency);
}

TEST(FatTreeBounds, OfPartOfTheMachineAreThoseOfItsHosts) {
    const Fabric fabric = full_mesh_of_36().fabric;
    LinkGraph graph(fabric);
    // Both under one leaf.
    EXPECT_DOUBLE_EQ(
        simulate::bound(Collective::allreduce, 1e6, 0, fabric, graph, ranks_on({0, 1})).of_network().seconds(),
        1e-3 + latency);
    EXPECT_DOUBLE_EQ(
        simulate::bound(Collective::allreduce, 8, 0, fabric, graph, ranks_on({0, 1})).of_network().seconds(),
        2 * latency);
}

// Leaves of three hosts and of two, with a cable between them of a quarter of a host's.
TEST(FatTreeBounds, AllMustPassThinCablesBetweenSwitches) {
    const Machine machine(
        "SwitchName=a Nodes=n[0-2]\nSwitchName=b Nodes=n[3-4]\nLink From=a,b To=s Bandwidth=250MB/s Latency=1us\n"
        "HostLink");
    LinkGraph graph(machine.fabric);
    const auto transfer = [&](Collective collective) {
        return simulate::bound(collective, 1e6, 0, machine.fabric, graph, machine.placement).transfer / 4e-3;
    };
    for (const auto collective : {Collective::allreduce, Collective::scan, Collective::bcast, Collective::reduce}) {
        EXPECT_DOUBLE_EQ(transfer(collective), 1);
    }
    for (const auto collective : {Collective::allgather, Collective::reduce_scatter}) {
        EXPECT_DOUBLE_EQ(transfer(collective), 3. / 5) << "pieces";
    }
    for (const auto collective : {Collective::gather, Collective::scatter}) {
        EXPECT_DOUBLE_EQ(transfer(collective), 2. / 5) << "pieces, wherever the root is";
    }
    EXPECT_DOUBLE_EQ(transfer(Collective::alltoall), 3 * 2. / 5);
}

/// Seconds if each step takes as long as the longest of its messages alone on its way.
double seconds_without_contention(const Machine& machine, const Schedule& schedule, Collective collective,
                                  std::uint64_t bytes) {
    LinkGraph graph(machine.fabric);
    std::vector<double> steps;
    std::vector<int> route;
    const int ranks = static_cast<int>(schedule.size());
    for (int rank = 0; rank < ranks; ++rank) {
        const Program& program = schedule[rank];
        const MessageSizes sizes(collective, program, rank, ranks, bytes);
        for (const Lane& lane : program.lanes) {
            steps.resize(std::max(steps.size(), program.steps_of(lane).size()), 0);
            for (std::size_t step = 0; step < program.steps_of(lane).size(); ++step) {
                for (const Action& action : program.actions_of(program.steps_of(lane)[step])) {
                    if (action.kind != ActionKind::send) continue;
                    route.clear();
                    graph.route(machine.placement[rank].host, machine.placement[action.peer].host, route);
                    steps[step] = std::max(steps[step], static_cast<double>(sizes.bytes(action)) / bandwidth +
                                                            static_cast<double>(route.size()) * latency);
                }
            }
        }
    }
    double sum = 0;
    for (const double step : steps) sum += step;
    return sum;
}

bool without_contention(const Machine& machine, const Schedule& schedule) {
    return std::ranges::all_of(link_load(schedule, machine.fabric, machine.placement),
                               [](const StepLoad& load) { return load.messages <= 1; });
}

/// Simulates everything in the catalogue whose links never carry two messages of a step; how many those are.
int check_schedules_without_contention(const Machine& machine, Collective collective) {
    constexpr std::uint64_t bytes = 14 * 36 * 1000;
    int found = 0;
    for (const Algorithm& algorithm : catalogue()) {
        if (!algorithm.serves(collective)) continue;
        for (const Problem& problem : problems(algorithm, collective, machine.grid, 0)) {
            const Schedule schedule = build_all(algorithm, machine.grid, problem);
            if (!without_contention(machine, schedule)) continue;
            SCOPED_TRACE(describe(algorithm, problem));
            const auto simulation = simulate_schedule(schedule, collective, bytes, machine.fabric, machine.placement,
                                                      {.software_costs = false, .lockstep = true});
            if (!simulation) continue;  // partners in different steps
            ++found;
            EXPECT_NEAR(simulation->seconds, seconds_without_contention(machine, schedule, collective, bytes), 1e-9);
        }
    }
    return found;
}

TEST(FatTree, StepsWithoutContentionTakeAsLongAsTheirLongestMessage) {
    // At least the ring, whatever else is in the catalogue.
    EXPECT_GE(check_schedules_without_contention(latin_square_of_14(), Collective::allreduce), 1);
    EXPECT_GE(check_schedules_without_contention(full_mesh_of_36(), Collective::allreduce), 1);
}

TEST(FatTree, NothingBeatsTheBound) {
    const Machine machine = latin_square_of_14();
    constexpr std::uint64_t bytes = 14 * 8 * 100;
    for (const Collective collective : {Collective::allreduce, Collective::bcast, Collective::reduce}) {
        for (const Algorithm& algorithm : catalogue()) {
            if (!algorithm.serves(collective)) continue;
            for (const Problem& problem : problems(algorithm, collective, machine.grid, 0)) {
                SCOPED_TRACE(describe(algorithm, problem));
                const auto simulation =
                    simulate_schedule(build_all(algorithm, machine.grid, problem), collective, bytes, machine.fabric,
                                      machine.placement, {.software_costs = false});
                ASSERT_TRUE(simulation) << simulation.error().text();
                EXPECT_GE(simulation->seconds, machine.bound(collective, bytes, problem.root) * (1 - 1e-9));
            }
        }
    }
}

}  // namespace
}  // namespace coll_topo::test
