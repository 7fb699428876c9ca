// SPDX-License-Identifier: BSD-3-Clause
//
// Bcast and reduce on tori and meshes: steps, links, order, and which row is chosen.

#include "coll_topo/select/decision.hpp"

#include "test/algorithm/machine.hpp"
#include "test/algorithm/rounds.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <set>

namespace coll_topo::test {
namespace {

struct Trial {
    Fabric fabric;
    Placement placement;
    std::vector<int> sizes;
};

Trial trial_of(const std::vector<int>& sizes, bool wrapped) {
    Fabric fabric = equal_torus(sizes, wrapped);
    Placement placement = ranks_on_all(fabric);
    return {std::move(fabric), std::move(placement), sizes};
}

std::vector<Trial> trials() {
    return {trial_of({8}, true),  trial_of({4, 4}, true),  trial_of({5, 7}, true),
            trial_of({9}, false), trial_of({3, 4}, false), trial_of({3, 4, 5}, true)};
}

Grid grid_of(const Trial& trial) {
    return Grid::from_fabric(trial.fabric, trial.placement).value();
}

constexpr Collective rooted[] = {Collective::bcast, Collective::reduce};

int log2_steps(const std::vector<int>& sizes) {
    int steps = 0;
    for (const int size : sizes) steps += std::bit_width(static_cast<unsigned>(size - 1));
    return steps;
}

// Adds the links of all messages of a program's lane.
void count_links(const Trial& trial, LinkGraph& network, const Program& program, int rank, std::map<int, int>& load) {
    std::vector<int> route;
    for (const Action& action : program.actions) {
        if (action.kind != ActionKind::send) continue;
        route.clear();
        network.route(trial.placement[rank].host, trial.placement[action.peer].host, route);
        for (const int link : route) ++load[link];
    }
}

TEST(EdgeDisjointTrees, PutOneBlockOnALinkInEachRound) {
    for (const Trial& trial : trials()) {
        const Grid grid = grid_of(trial);
        LinkGraph network(trial.fabric);
        for (const Collective collective : rooted) {
            const Problem problem{.collective = collective, .lanes = 8, .root = grid.ranks() / 3};
            std::map<int, int> load;
            for (int rank = 0; rank < grid.ranks(); ++rank) {
                count_links(trial, network, find_algorithm("edge_disjoint_trees")->build(grid, problem, rank), rank,
                            load);
            }
            for (const auto& [link, blocks] : load) EXPECT_EQ(blocks, 1) << grid.summary() << ", link " << link;
            // All links are in use but those into the root.
            const int directed = 2 * static_cast<int>(trial.sizes.size());
            if (!grid.axes()[0].wrapped) continue;
            EXPECT_EQ(static_cast<int>(load.size()), directed * (grid.ranks() - 1));
        }
    }
}

TEST(EdgeDisjointTrees, AreServedByDifferentRanksOfAHost) {
    const Grid grid = full_grid({4, 4}, 2);
    const Problem problem{.collective = Collective::bcast, .lanes = 4, .root = 0};
    for (int host = 1; host < grid.hosts(); ++host) {
        for (const int rank : grid.ranks_of_host(host)) {
            int lanes_from_elsewhere = 0;
            const Program program = find_algorithm("edge_disjoint_trees")->build(grid, problem, rank);
            for (const Action& action : program.actions) {
                if (is_receive(action) && grid.host(action.peer) != host) ++lanes_from_elsewhere;
            }
            EXPECT_EQ(lanes_from_elsewhere, 2) << "rank " << rank;
        }
    }
}

TEST(DimensionBinomial, TakesLog2StepsOnEachAxis) {
    for (const Trial& trial : trials()) {
        const Grid grid = grid_of(trial);
        for (const int root : {0, grid.ranks() / 3, grid.ranks() - 1}) {
            for (const Collective collective : rooted) {
                const Problem problem{.collective = collective, .root = root};
                const Schedule schedule = build_all(*find_algorithm("dimension_binomial"), grid, problem);
                // The sends of a rank are one step of its program, as they may be under way together.
                EXPECT_LE(rounds(schedule), log2_steps(trial.sizes));
                std::size_t most = 0;
                for (const Program& program : schedule) most = std::max(most, program.actions.size());
                EXPECT_LE(static_cast<int>(most), log2_steps(trial.sizes));
            }
        }
    }
}

// No link is crossed by a message of the same step of the same line, and no way is longer than from the root.
TEST(DimensionBinomial, GoesNoFurtherThanTheLastRankIs) {
    for (const Trial& trial : trials()) {
        const Grid grid = grid_of(trial);
        LinkGraph network(trial.fabric);
        const int root = grid.ranks() / 3;
        const Problem problem{.collective = Collective::bcast, .root = root};
        std::map<int, int> parent;
        std::vector<int> route;
        for (int rank = 0; rank < grid.ranks(); ++rank) {
            for (const Action& action : find_algorithm("dimension_binomial")->build(grid, problem, rank).actions) {
                if (action.kind == ActionKind::send) parent[action.peer] = rank;
            }
        }
        const auto hops = [&](int from, int to) {
            route.clear();
            network.route(trial.placement[from].host, trial.placement[to].host, route);
            return static_cast<int>(route.size());
        };
        for (int rank = 0; rank < grid.ranks(); ++rank) {
            int links = 0;
            for (int at = rank; at != root; at = parent.at(at)) links += hops(parent.at(at), at);
            EXPECT_EQ(links, hops(root, rank)) << grid.summary() << ", rank " << rank;
        }
    }
}

TEST(DimensionBinomial, KeepsTheOrderOfRanksThatFollowTheGrid) {
    const Algorithm& algorithm = *find_algorithm("dimension_binomial");
    const Shape shape{{4, 3}};
    for (const int ranks_per_host : {1, 3}) {
        const auto grid_with = [&](RankOrder order) {
            const Machine machine = make_machine(shape, equal_ranks_per_host(shape, ranks_per_host), order);
            return Grid::from_torus(machine.fabric, machine.placement).value();
        };
        const Grid follows = grid_with(RankOrder::by_host), turned = grid_with(RankOrder::shuffled);
        Problem problem{.collective = Collective::reduce, .root = 5, .in_rank_order = true};
        EXPECT_TRUE(algorithm.in_order(follows, problem));
        EXPECT_TRUE(prove(Collective::reduce, build_all(algorithm, follows, problem), true, 5));
        EXPECT_FALSE(algorithm.in_order(turned, problem));
        EXPECT_FALSE(prove(Collective::reduce, build_all(algorithm, turned, problem), true, 5)) << "not too modest";
        problem.in_rank_order = false;
        EXPECT_FALSE(algorithm.in_order(follows, problem)) << "rings may be cut anywhere";
    }
}

TEST(TorusTrees, AreChosenBySize) {
    const Grid grid = full_grid({8, 8});
    for (const Collective collective : rooted) {
        const Decision small = decide(grid, {call_of(collective), 8, true, 3}, {});
        ASSERT_GE(small.chosen, 0);
        EXPECT_EQ(small.candidates[small.chosen].algorithm->name, "logp_tree");
        const Decision large = decide(grid, {call_of(collective), 64e6, true, 3}, {});
        ASSERT_GE(large.chosen, 0);
        EXPECT_EQ(large.candidates[large.chosen].algorithm->name, "edge_disjoint_trees");
        EXPECT_EQ(large.candidates[large.chosen].problem.lanes, 4);
    }
}

// With links of 1 GB/s and 1 us, what the links need is nearly all: a fourth of the vector for each port of the root.
TEST(TorusTrees, LongVectorsAreBoundByThePortsOfTheRoot) {
    const Grid grid = full_grid({4, 4});
    const double bytes = 256e6, bound = bytes / 4 / grid.axes()[0].bandwidth;
    const Decision decision = decide(grid, {Call::bcast, bytes, true, 0}, {});
    ASSERT_GE(decision.chosen, 0);
    EXPECT_GE(decision.candidates[decision.chosen].seconds, bound);
    EXPECT_LE(decision.candidates[decision.chosen].seconds, 1.1 * bound);
}

}  // namespace
}  // namespace coll_topo::test
