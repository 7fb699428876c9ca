// SPDX-License-Identifier: BSD-3-Clause
//
// What the cost model predicts, against the simulation of the same schedule with the same costs.
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/simulate/simulation.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace coll_topo::test {
namespace {

struct Case {
    const char* algorithm;
    Problem problem;
    std::vector<std::uint64_t> sizes = {1024, 16384, 262144};  // bytes
};

/// Fast links, and hosts with the costs that are assumed where the topology file gives none.
Fabric machine(const std::vector<int>& sizes) {
    Fabric fabric = equal_torus(sizes);
    std::vector<TorusDimension> dimensions;
    for (const int size : sizes) dimensions.push_back({size, true, 12.5e9, 0.5e-6});
    fabric.network = Torus("fast", dimensions, Tie::parity);
    return fabric;
}

/// The predicted seconds are those of the simulation, but for 10 %.
void expect_near(const Fabric& fabric, const Placement& placement, const std::vector<Case>& cases) {
    constexpr double tolerance = 0.1;
    const Grid grid = Grid::from_fabric(fabric, placement).value();
    for (const auto& [name, problem, sizes_in_bytes] : cases) {
        for (const std::uint64_t bytes : sizes_in_bytes) {
            const Algorithm& algorithm = *find_algorithm(name);
            const Schedule schedule = build_all(algorithm, grid, problem);
            const auto simulation =
                simulate_schedule(schedule, problem.collective, bytes, fabric, placement, SimulationSettings{});
            ASSERT_TRUE(simulation) << simulation.error().text();
            EXPECT_NEAR(algorithm.seconds(grid, problem, static_cast<double>(bytes)) / simulation->seconds, 1,
                        tolerance)
                << describe(algorithm, problem) << ", " << bytes << " bytes";
        }
    }
}

void expect_near(const std::vector<int>& sizes, const std::vector<Case>& cases) {
    const Fabric fabric = machine(sizes);
    expect_near(fabric, ranks_on_all(fabric), cases);
}

std::vector<Case> of_one_and_two_lanes(const char* algorithm,
                                       const std::vector<std::uint64_t>& sizes = {1024, 16384, 262144}) {
    std::vector<Case> cases;
    for (const Collective collective : {Collective::allreduce, Collective::reduce_scatter, Collective::allgather}) {
        for (const int lanes : {1, 2}) {
            Problem problem{collective};
            problem.lanes = lanes;
            cases.push_back({algorithm, problem, sizes});
        }
    }
    return cases;
}

// Groups of 5 and 7 exchange directly: they combine what has come while the rest is on its way.
TEST(Prediction, CountsWhatOverlapsInGroupsOfOddSizes) {
    expect_near({5, 7}, of_one_and_two_lanes("halving_doubling"));
    expect_near({5, 7}, of_one_and_two_lanes("swing"));
}

// Routes take one of the two cables of a ring of two, the same for all that a host sends along the first dimension.
TEST(Prediction, OfAllToAllOnRingsOfTwo) {
    const Fabric cube = machine({2, 2, 2, 2, 2});
    const Problem problem{Collective::alltoall};
    expect_near(cube, ranks_on_all(cube, 2), {{"linear", problem, {8 << 20}}});
}

// The lane that starts with the longer dimension, and carries more over it, is the slower one.
TEST(Prediction, IsThatOfTheSlowestLane) {
    expect_near({3, 5}, of_one_and_two_lanes("swing", {4194304, 16777216}));
}

// All lanes share the links of the long dimension, but not the latency of their ways.
TEST(Prediction, OfLanesThatShareALongDimension) {
    for (const Collective collective : {Collective::bcast, Collective::allgather, Collective::allreduce}) {
        Problem problem{collective};
        problem.lanes = 4;
        expect_near({16, 2}, {{"halving_doubling", problem, {131072}}});
    }
}

TEST(Prediction, CountsWhatOverlapsInGroupsOfTwo) {
    expect_near({8, 8}, of_one_and_two_lanes("halving_doubling"));
}

// A rank that combines spends no time on starting the messages that it gets.
TEST(Prediction, OfTreesThatReduce) {
    for (const char* algorithm : {"logp_tree", "dimension_binomial"}) {
        const Case short_vectors{algorithm, {Collective::reduce}, {64, 1024, 16384}};
        expect_near({5, 7}, {short_vectors});
        expect_near({8, 8}, {short_vectors});
    }
}

// The root has no message to send, and other ranks of a single tree fold one less.
TEST(Prediction, OfPipelinedTreesThatReduce) {
    Problem problem{Collective::reduce};
    problem.segments = 8;
    const std::vector<std::uint64_t> sizes = {65536, 262144, 1048576};
    expect_near({8, 8}, {{"edge_disjoint_trees", problem, sizes}});
    problem.lanes = 4;
    expect_near({8, 8}, {{"edge_disjoint_trees", problem, sizes}});
    problem.lanes = 6;
    expect_near({4, 4, 4}, {{"edge_disjoint_trees", problem, sizes}});
}

// Blocks that take long to combine keep those of other trees waiting; short ones do not.
TEST(Prediction, OfOneTreeForEachDimension) {
    Problem problem{Collective::reduce};
    for (const int segments : {1, 2, 4}) {
        problem.segments = segments;
        problem.lanes = 2;
        expect_near({8, 8}, {{"edge_disjoint_trees", problem, {4096, 65536, 262144}}});
        expect_near({5, 7}, {{"edge_disjoint_trees", problem, {4096, 65536, 262144}}});
        problem.lanes = 3;
        expect_near({4, 4, 4}, {{"edge_disjoint_trees", problem, {16384, 65536, 262144}}});
    }
}

void expect_near_on_hosts_of_four_ranks(const std::vector<Case>& cases) {
    const Fabric fabric = machine({4, 4});
    expect_near(fabric, ranks_on_all(fabric, 4), cases);
}

// What the ranks of a host get from each other they combine as well, and with several lanes while more is on its way.
TEST(Prediction, CountsTheCombiningWithinHosts) {
    for (const char* algorithm : {"halving_doubling", "swing", "bucket"}) {
        for (const Collective collective : {Collective::allreduce, Collective::reduce_scatter, Collective::allgather}) {
            const Problem problem{.collective = collective, .aggregators = 4, .lanes = 4};
            expect_near_on_hosts_of_four_ranks({{algorithm, problem, {1048576, 16777216}}});
        }
    }
    for (const char* algorithm : {"bfb", "bfb_packed"}) {
        const Problem problem{.collective = Collective::allreduce, .aggregators = 4};
        expect_near_on_hosts_of_four_ranks({{algorithm, problem, {65536, 1048576, 16777216}}});
    }
}

// Blocks pass through a chain of the ranks of a host, so that none of them combines more than another.
TEST(Prediction, OfPipelinesThroughTheRanksOfAHost) {
    Problem problem{.collective = Collective::reduce, .lanes = 4};
    problem.segments = 16;
    expect_near_on_hosts_of_four_ranks({{"edge_disjoint_trees", problem, {1048576, 16777216}}});
}

TEST(Prediction, OfPiecesOfARoot) {
    for (const Collective collective : {Collective::gather, Collective::scatter}) {
        const Problem problem{.collective = collective, .root = 5};
        expect_near({4, 4}, {{"balanced_tree", problem, {1 << 20, 16 << 20}},
                             {"dimension_binomial", problem, {16, 16384, 1 << 20}}});
        expect_near_on_hosts_of_four_ranks({{"balanced_tree", problem, {64 << 20}}});
    }
}

// From neighbour to neighbour, and through the ranks of a host, which move what they get themselves.
TEST(Prediction, OfTheChainThroughAMesh) {
    Fabric mesh = machine({8, 4});
    mesh.network = Torus("mesh", {{8, false, 12.5e9, 0.5e-6}, {4, false, 12.5e9, 0.5e-6}}, Tie::parity);
    for (const Collective collective : {Collective::bcast, Collective::reduce}) {
        Problem problem{collective};
        problem.segments = 64;
        expect_near(mesh, ranks_on_all(mesh), {{"grid_chain", problem, {1048576, 67108864}}});
        problem.root = 13;
        expect_near(mesh, ranks_on_all(mesh, 4), {{"grid_chain", problem, {1048576, 67108864}}});
    }
}

// The ways of a block add up as it goes round, most of them within a host.
TEST(Prediction, OfTheRingByRank) {
    for (const Collective collective : {Collective::allreduce, Collective::reduce_scatter, Collective::allgather}) {
        expect_near_on_hosts_of_four_ranks({{"ring", {collective}, {1048576, 67108864}}});
    }
}

// Of 48 ranks, each has less of the memory than it could move alone.
TEST(Prediction, OfRanksThatShareTheMemoryOfTheirHost) {
    const Fabric fabric = machine({2, 2});
    for (const Collective collective : {Collective::allreduce, Collective::allgather}) {
        const Problem problem{.collective = collective, .aggregators = 48};
        expect_near(fabric, ranks_on_all(fabric, 48), {{"halving_doubling", problem, {16777216}}});
    }
}

// The first block waits for one colour at each hop, not for both.
TEST(Prediction, OfTreesThroughSwitches) {
    const char* const leaves =
        "SwitchName=l0 Nodes=n[0-3]\nSwitchName=l1 Nodes=n[4-7]\nSwitchName=l2 Nodes=n[8-11]\n"
        "SwitchName=l3 Nodes=n[12-15]\nLink From=l[0-3] To=s[0-3] Bandwidth=25GB/s Latency=0.3us\n"
        "HostLink Bandwidth=25GB/s Latency=0.5us\n";
    const Fabric fabric = read_topology_text(leaves, "test").value().fabric;
    const Placement placement = ranks_on_all(fabric);
    for (const Collective collective : {Collective::bcast, Collective::reduce}) {
        expect_near(fabric, placement, {{"grouped_two_tree", {collective}, {8, 4096, 65536}}});
        // A rank sends to one child after the other.
        expect_near(fabric, placement, {{"submesh", {collective}, {8, 65536, 1048576}}});
        expect_near(fabric, placement, {{"grouped_binomial", {collective}, {8, 65536, 1048576}}});
    }
}

// Each lane has messages of its own within a host, and half of those that go half round a ring go either way.
TEST(Prediction, OfPiecesThatHostsPack) {
    const Fabric fabric = machine({4, 4});
    Problem problem{Collective::alltoall};
    problem.aggregators = 8;
    expect_near(fabric, ranks_on_all(fabric, 8), {{"dimension_exchange", problem, {4096, 65536}}});
    expect_near(fabric, ranks_on_all(fabric, 8), {{"dimension_bruck", problem, {4096, 65536}}});
    problem.lanes = 2;
    expect_near(fabric, ranks_on_all(fabric, 8), {{"dimension_exchange", problem, {4096}}});
}

// Hosts that fill no box stand in a line that winds through the torus: most messages go a shorter way.
TEST(Prediction, CountsTheHopsOfMessagesThatLeaveTheLine) {
    const std::vector<int> some_hosts = {0, 1, 2, 3, 7, 8, 9, 12, 13, 16, 17, 19, 22, 24, 25, 28, 29, 31, 34, 35};
    const Fabric fabric = machine({6, 6});
    for (const Collective collective : {Collective::bcast, Collective::reduce}) {
        expect_near(fabric, ranks_on(some_hosts), {{"dimension_binomial", {collective}, {64, 1024}}});
    }
    Problem chain{Collective::reduce};
    chain.segments = 16;
    expect_near(fabric, ranks_on(some_hosts), {{"edge_disjoint_trees", chain, {1024, 16384}}});
}

}  // namespace
}  // namespace coll_topo::test
