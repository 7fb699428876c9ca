// SPDX-License-Identifier: BSD-3-Clause
//
// Predicted seconds of breadth-first schedules, one part of the costs at a time, against a count in the programs of all
// hosts.
#include "coll_topo/algorithm/catalogue.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

namespace coll_topo {
namespace {

using test::equal_torus;
using test::full_grid;
using test::ranks_on;

const Algorithm& bfb_packed = *find_algorithm("bfb_packed");

/// What a rank does in a step.
using Count = std::function<double(std::span<const Action> step)>;

/// The sum over the rounds, counted from the first in allgather and from the last in reduce-scatter, of the most that
/// any rank counts. bfb_packed has a step for each round.
double slowest_rounds(const Grid& grid, Collective collective, const Count& count) {
    std::map<int, double> slowest;  // by round
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        const Program program = bfb_packed.build(grid, {collective}, rank);
        std::vector<double> counts;
        for (const Step& step : program.steps) {
            const auto actions = program.actions_of(step);
            if (std::ranges::any_of(actions, is_transfer)) counts.push_back(count(actions));
        }
        if (collective == Collective::reduce_scatter) std::ranges::reverse(counts);
        for (int round = 0; round < std::ssize(counts); ++round) {
            slowest[round] = std::max(slowest[round], counts[round]);
        }
    }
    double sum = 0;
    for (const auto& [round, most] : slowest) sum += most;
    return sum;
}

/// Of bytes as many as there are blocks.
double predicted(const Grid& grid, Collective collective) {
    return bfb_packed.seconds(grid, {collective}, bfb_packed.build(grid, {collective}, 0).blocks);
}

/// Nothing takes time but what is set.
Fabric free_of_charge(const std::vector<int>& sizes, double bandwidth) {
    constexpr double fast = 1e30;
    Fabric fabric = equal_torus(sizes);
    std::vector<TorusDimension> dimensions;
    for (const int size : sizes) dimensions.push_back({size, true, bandwidth, 0});
    fabric.network = Torus("links", dimensions, Tie::parity);
    fabric.costs = {.message_time = 0,
                    .local_bandwidth = fast,
                    .reduce_bandwidth = fast,
                    .copy_bandwidth = fast,
                    .memory_bandwidth = fast};
    return fabric;
}

const std::vector<int> some_hosts = {0, 1, 2, 3, 7, 8, 9, 12, 13, 16, 17, 19, 22, 24, 25, 28, 29, 31, 34, 35};

Grid grid_of_some(const Fabric& fabric) {
    return Grid::from_torus(fabric, ranks_on(some_hosts)).value();
}

TEST(BreadthFirstCost, CountsTheMessagesOfTheHostThatSendsMostInARound) {
    Fabric fabric = free_of_charge({6, 6}, 1e30);
    fabric.costs.message_time = 1;
    const auto sends = [](std::span<const Action> step) {
        return static_cast<double>(std::ranges::count_if(step, is_send));
    };
    for (const Collective collective : {Collective::allgather, Collective::reduce_scatter}) {
        const Grid grid = grid_of_some(fabric);
        EXPECT_NEAR(predicted(grid, collective), slowest_rounds(grid, collective, sends), 1e-6);
    }
}

TEST(BreadthFirstCost, CountsTheBytesOfTheBusiestPortInARound) {
    const Grid grid = grid_of_some(free_of_charge({6, 6}, 1));
    const auto longest = [](std::span<const Action> step) {
        int blocks = 0;
        for (const Action& action : step) {
            if (is_transfer(action)) blocks = std::max(blocks, action.count);
        }
        return static_cast<double>(blocks);
    };
    for (const Collective collective : {Collective::allgather, Collective::reduce_scatter}) {
        EXPECT_NEAR(predicted(grid, collective), slowest_rounds(grid, collective, longest), 1e-6);
    }
}

TEST(BreadthFirstCost, CountsTheBytesOfTheHostThatCombinesMostInARound) {
    Fabric fabric = free_of_charge({6, 6}, 1e30);
    fabric.costs.reduce_bandwidth = 1;
    const Grid grid = grid_of_some(fabric);
    const auto combined = [](std::span<const Action> step) {
        double blocks = 0;
        for (const Action& action : step) blocks += is_receive(action) ? action.count : 0;
        return blocks;
    };
    EXPECT_NEAR(predicted(grid, Collective::reduce_scatter), slowest_rounds(grid, Collective::reduce_scatter, combined),
                1e-6);
    EXPECT_GT(predicted(grid, Collective::reduce_scatter), 1.1 * (grid.hosts() - 1))
        << "all hosts combine equally much in every round, so this tests nothing";
    EXPECT_NEAR(predicted(grid, Collective::allgather), 0, 1e-6);
}

TEST(BreadthFirstCost, AFullTorusTakesAsLongAsAnyOfItsHosts) {
    Fabric fabric = free_of_charge({4, 6}, 1);
    const Grid grid = Grid::from_torus(fabric, test::ranks_on_all(fabric)).value();
    const double blocks = bfb_packed.build(grid, {Collective::allgather}, 0).blocks;
    EXPECT_NEAR(predicted(grid, Collective::allgather), blocks * 23 / 24 / 4, 1e-6);
}

}  // namespace
}  // namespace coll_topo
