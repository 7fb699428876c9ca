// SPDX-License-Identifier: BSD-3-Clause
//
// The binomial and the 4-nomial tree and the chain along the switches: steps, links, order.

#include "test/algorithm/fat_tree.hpp"
#include "test/algorithm/rounds.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <numeric>

namespace coll_topo::test {
namespace {

struct Trial {
    Fabric fabric;
    Placement placement;
};

// All hosts, some of them, and ranks in no order on hosts with several.
std::vector<Trial> trials() {
    std::vector<Trial> all;
    const Fabric mesh = mesh_of_36_hosts();
    all.push_back({mesh, ranks_on_all(mesh)});
    all.push_back({mesh, ranks_on({0, 1, 4, 9, 10, 20, 29, 35})});
    for (const int ranks : {2, 7, 40}) {
        const Machine machine = roll_fat_tree(ranks, 3);
        all.push_back({machine.fabric, machine.placement});
    }
    return all;
}

Grid grid_of(const Trial& trial) {
    return Grid::from_fabric(trial.fabric, trial.placement).value();
}

// Messages on the busiest link, by how many ranks further in the order of the switches they go.
std::map<int, int> busiest_link_by_distance(const Trial& trial, const Problem& problem, std::string_view algorithm) {
    const Grid grid = grid_of(trial);
    LinkGraph network(trial.fabric);
    std::map<int, std::map<int, int>> load;
    std::vector<int> route;
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        for (const Action& action : find_algorithm(algorithm)->build(grid, problem, rank).actions) {
            if (action.kind != ActionKind::send) continue;
            const int forward =
                (grid.number_by_switches(action.peer) - grid.number_by_switches(rank) + grid.ranks()) % grid.ranks();
            route.clear();
            network.route(trial.placement[rank].host, trial.placement[action.peer].host, route);
            const int distance = problem.collective == Collective::bcast ? forward : grid.ranks() - forward;
            for (const int link : route) ++load[distance][link];
        }
    }
    std::map<int, int> busiest;
    for (const auto& [distance, links] : load) {
        for (const auto& [link, messages] : links) busiest[distance] = std::max(busiest[distance], messages);
    }
    return busiest;
}

TEST(GroupedBinomial, TakesLog2StepsWithOneMessageOnALink) {
    for (const Trial& trial : trials()) {
        const int ranks = static_cast<int>(trial.placement.size());
        for (const int root : {0, ranks / 3, ranks - 1}) {
            for (const Collective collective : {Collective::bcast, Collective::reduce}) {
                const Problem problem{.collective = collective, .root = root};
                const Schedule schedule = build_all(*find_algorithm("grouped_binomial"), grid_of(trial), problem);
                EXPECT_EQ(rounds(schedule), std::bit_width(static_cast<unsigned>(ranks - 1)));
                for (const auto& [distance, load] : busiest_link_by_distance(trial, problem, "grouped_binomial")) {
                    EXPECT_EQ(load, 1) << ranks << " ranks, root " << root << ", distance " << distance;
                }
            }
        }
    }
}

TEST(GroupedKnomial, SendsToThreeOthersInAStep) {
    const Fabric mesh = mesh_of_36_hosts();
    const Grid grid = Grid::from_fabric(mesh, ranks_on_all(mesh)).value();
    const Problem problem{.collective = Collective::reduce, .root = 5};
    const Schedule schedule = build_all(*find_algorithm("grouped_knomial"), grid, problem);
    EXPECT_EQ(rounds(schedule), 3) << "4^3 is the first power of 4 above 36";
    std::vector<std::size_t> received;
    for (const Step& step : schedule[5].steps) received.push_back(schedule[5].actions_of(step).size());
    EXPECT_EQ(received, (std::vector<std::size_t>{3, 3, 2})) << "from 1, 2, 3; 4, 8, 12; 16, 32 further";
}

TEST(GroupedChain, PutsOneMessageOnALink) {
    for (const Trial& trial : trials()) {
        const int ranks = static_cast<int>(trial.placement.size());
        for (const Collective collective : {Collective::bcast, Collective::reduce}) {
            const Problem problem{.collective = collective, .root = ranks / 2};
            for (const auto& [distance, load] : busiest_link_by_distance(trial, problem, "grouped_chain")) {
                EXPECT_EQ(distance, 1);
                EXPECT_EQ(load, 1);
            }
            Problem blocks = problem;
            blocks.segments = 7;
            EXPECT_EQ(rounds(build_all(*find_algorithm("grouped_chain"), grid_of(trial), blocks)), ranks - 2 + 7);
        }
    }
}

TEST(GroupedBinomial, KeepsTheOrderOfRanksThatFollowTheSwitches) {
    const Fabric mesh = mesh_of_36_hosts();
    const Grid follows = Grid::from_fabric(mesh, ranks_on_all(mesh, 2)).value();
    const Grid turned = Grid::from_fabric(mesh, ranks_on({0, 9, 1, 20})).value();
    for (const char* const name : {"grouped_binomial", "grouped_knomial", "grouped_chain"}) {
        const Algorithm& algorithm = *find_algorithm(name);
        const Problem first{.collective = Collective::reduce}, middle{.collective = Collective::reduce, .root = 30};
        EXPECT_TRUE(algorithm.in_order(follows, first));
        EXPECT_FALSE(algorithm.in_order(follows, middle));
        EXPECT_FALSE(algorithm.in_order(turned, first));
        EXPECT_TRUE(prove(Collective::reduce, build_all(algorithm, follows, first), true));
        EXPECT_FALSE(prove(Collective::reduce, build_all(algorithm, turned, first), true)) << "not too modest";
    }
}

}  // namespace
}  // namespace coll_topo::test
