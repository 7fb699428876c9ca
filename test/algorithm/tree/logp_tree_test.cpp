// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/catalogue.hpp"
#include "coll_topo/input/topology_file.hpp"

#include "test/algorithm/trial.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <string>

namespace coll_topo::test {
namespace {

const Algorithm& dimension_binomial = *find_algorithm("dimension_binomial");
const Algorithm& logp_tree = *find_algorithm("logp_tree");

/// All hosts of a torus where a message takes 1 us of work, and this latency.
Grid grid_with(const std::string& dimensions, int hosts, const std::string& start_latency) {
    const auto file = read_topology_text("TorusName=t Dims=" + dimensions + " Nodes=n[0-" + std::to_string(hosts - 1) +
                                             "] Bandwidth=10GB/s Latency=0.01us\nMachine MessageTime=1us\n" +
                                             "HostLink Latency=" + start_latency + "\n",
                                         "test.conf");
    EXPECT_TRUE(file) << file.error().text();
    return Grid::from_torus(file->fabric, ranks_on_all(file->fabric)).value();
}

constexpr double us = 1e-6;

const Algorithm& row() {
    return *find_algorithm("logp_tree");
}

int sends(const Program& program) {
    return static_cast<int>(
        std::ranges::count(program.actions, ActionKind::send, [](const Action& action) { return action.kind; }));
}

TEST(LogpTree, IsFlatWhereMessagesArriveLate) {
    const Grid grid = grid_with("4x4", 16, "50us");
    for (const int root : {0, 6}) {
        const Problem problem{.collective = Collective::bcast, .root = root};
        for (int rank = 0; rank < grid.ranks(); ++rank) {
            EXPECT_EQ(sends(logp_tree.build(grid, problem, rank)), rank == root ? 15 : 0);
        }
        EXPECT_NEAR(logp_tree.seconds(grid, problem, 0), 115 * us, 0.1 * us);
    }
}

// The work of the root decides how fast calls follow each other; the first of them may take a little longer for that.
TEST(LogpTree, IsLessWideWhereCallsInALoopAreFasterForIt) {
    const Grid grid = grid_with("8x8", 64, "50us");
    const Problem problem{.collective = Collective::bcast, .root = 0};
    EXPECT_LE(sends(logp_tree.build(grid, problem, 0)), 32);  // flat: 63 messages, 163 us
    EXPECT_LT(logp_tree.seconds(grid, problem, 0), 1.5 * 163 * us);
}

TEST(LogpTree, SpansAxesWhereTheirRoundsAreTooMany) {
    // Along the axes, three rounds of a message, 3 us each; on one line of 8, all have it after 7 us.
    const Grid grid = grid_with("2x2x2", 8, "1us");
    const Problem problem{.collective = Collective::bcast, .root = 0};
    EXPECT_NEAR(dimension_binomial.seconds(grid, problem, 0), 9 * us, 0.1 * us);
    EXPECT_NEAR(logp_tree.seconds(grid, problem, 0), 7 * us, 0.1 * us);
}

TEST(LogpTree, TakesNoLongerThanBinomialTrees) {
    for (const std::string start_latency : {"1ns", "0.3us", "1us", "5us"}) {
        for (const auto& [dimensions, hosts] : {std::pair{"8", 8}, {"4x4", 16}, {"3x5", 15}, {"2x3x4", 24}}) {
            const Grid grid = grid_with(dimensions, hosts, start_latency);
            for (const Collective collective : {Collective::bcast, Collective::reduce}) {
                const Problem problem{.collective = collective, .root = 1};
                EXPECT_LE(logp_tree.seconds(grid, problem, 0), 1.001 * dimension_binomial.seconds(grid, problem, 0))
                    << dimensions << " " << start_latency;
            }
        }
    }
}

TEST(LogpTree, HasOneTreeForVectorsOfEveryLength) {
    const Grid grid = grid_with("4x4", 16, "50us");
    const Problem problem{.collective = Collective::bcast, .root = 0};
    const double bytes = 1e6, transfer = bytes / 10e9;
    EXPECT_NEAR(logp_tree.seconds(grid, problem, bytes), 101 * us + 2 * 15 * transfer, 0.1 * us);
}

TEST(LogpTree, TakesOneCableOfARingOfTwo) {
    const Problem problem{.collective = Collective::bcast, .root = 0};
    const double bytes = 1e6, transfer = bytes / 10e9;
    // Everybody gets it from the root.
    EXPECT_NEAR(logp_tree.seconds(grid_with("2x2", 4, "50us"), problem, bytes), 101 * us + 2 * 3 * transfer, 0.1 * us);
}

TEST(LogpTree, IsForHostsInABox) {
    const Fabric torus = equal_torus({5, 5});
    const Problem problem{.collective = Collective::bcast, .root = 0};
    const Grid scattered = Grid::from_torus(torus, ranks_on({0, 3, 6, 8, 14, 17, 22, 24})).value();
    EXPECT_NE(logp_tree.refusal(scattered, problem), "");
    const Grid box = Grid::from_torus(torus, ranks_on({0, 1, 2, 5, 6, 7, 12})).value();
    EXPECT_EQ(logp_tree.refusal(box, problem), "");
}

TEST(LogpTree, ReducesInRankOrder) {
    for (const std::string start_latency : {"10ns", "3us", "50us"}) {
        const Grid grid = grid_with("4x4", 16, start_latency);
        for (const int root : {0, 5, 15}) {
            const Problem problem{.collective = Collective::reduce, .root = root, .in_rank_order = true};
            EXPECT_TRUE(logp_tree.in_order(grid, problem));
            EXPECT_TRUE(prove(Collective::reduce, build_all(row(), grid, problem), true, root)) << start_latency;
        }
    }
}

}  // namespace
}  // namespace coll_topo::test
