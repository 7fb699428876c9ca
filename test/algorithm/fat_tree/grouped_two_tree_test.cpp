// SPDX-License-Identifier: BSD-3-Clause
//
// What the trees on a fat tree load: links, colour by colour, and the ports of hosts. The proof grid shows that they
// are right.

#include "coll_topo/algorithm/fat_tree/grouped_two_tree.hpp"

#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/fabric/full_mesh.hpp"
#include "coll_topo/fabric/latin_square.hpp"
#include "test/algorithm/fat_tree.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace coll_topo::test {
namespace {

using grouped_two_tree::neighbours;

// 32 ranks on the machine of 36 hosts, eight on each group, whose last hosts stay free.
Placement eight_per_group() {
    std::vector<int> hosts;
    for (int host = 0; host < 36; ++host) {
        if (host % 9 < 8) hosts.push_back(host);
    }
    return ranks_on(hosts);
}

struct RankPair {
    int from;
    int to;
};

// Messages on the busiest link while all of them are under way.
int busiest_link(LinkGraph& network, const Placement& placement, const std::vector<RankPair>& messages) {
    std::map<int, int> load;
    int busiest = 0;
    std::vector<int> route;
    for (const auto [from, to] : messages) {
        route.clear();
        network.route(placement[from].host, placement[to].host, route);
        for (const int link : route) busiest = std::max(busiest, ++load[link]);
    }
    return busiest;
}

// All that is sent in one step of the stream once every rank has blocks: a slot of a reduce, or of a bcast.
std::vector<RankPair> messages_of_slot(const Grid& grid, const Problem& problem, int lane, int slot) {
    std::vector<RankPair> messages;
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        for (const TreeEdge& edge : neighbours(grid, problem, lane, rank).edges) {
            if (edge.slot != slot || !edge.to_parent) continue;
            if (problem.collective == Collective::bcast)
                messages.push_back({edge.peer, rank});
            else
                messages.push_back({rank, edge.peer});
        }
    }
    return messages;
}

std::vector<RankPair> messages_of_two_trees(const std::vector<int>& ranks, int colour) {
    const TwoTrees trees(static_cast<int>(ranks.size()));
    std::vector<RankPair> messages;
    for (int tree = 0; tree < TwoTrees::trees; ++tree) {
        for (int position = 1; position < trees.positions(); ++position) {
            if (trees.colour(tree, position) != colour) continue;
            messages.push_back({ranks[position], ranks[trees.parent(tree, position)]});
        }
    }
    return messages;
}

TEST(GroupedTwoTree, HasTheRepresentativesOfTheSource) {
    const Fabric fabric = mesh_of_36_hosts();
    const Grid grid = Grid::from_fabric(fabric, eight_per_group()).value();
    const Problem reduce{.collective = Collective::reduce};
    const int groups_first_slot = 2 * 3;
    std::vector<std::vector<int>> sent(2);
    for (int colour = 0; colour < 2; ++colour) {
        for (const auto [from, to] : messages_of_slot(grid, reduce, 0, groups_first_slot + colour)) {
            sent[colour].push_back(100 * from + to);
        }
    }
    EXPECT_EQ(sent[0], (std::vector<int>{824, 1600, 2416}));
    EXPECT_EQ(sent[1], (std::vector<int>{816, 1624, 2400}));
}

TEST(GroupedTwoTree, NeverPutsTwoMessagesOnALink) {
    const Fabric fabric = mesh_of_36_hosts();
    LinkGraph network(fabric);
    for (const Placement& placement :
         {eight_per_group(), ranks_on_all(fabric), ranks_on({0, 1, 4, 9, 10, 20, 29, 35})}) {
        const Grid grid = Grid::from_fabric(fabric, placement).value();
        int busy_slots = 0;
        for (const Collective collective : {Collective::reduce, Collective::bcast}) {
            for (const int root : {0, 1, grid.ranks() / 2, grid.ranks() - 1}) {
                const Problem problem{.collective = collective, .lanes = 3, .root = root};
                for (int lane = 0; lane < problem.lanes; ++lane) {
                    for (int slot = 0; slot < neighbours(grid, problem, lane, 0).slots; ++slot) {
                        const auto messages = messages_of_slot(grid, problem, lane, slot);
                        busy_slots += messages.empty() ? 0 : 1;
                        EXPECT_LE(busiest_link(network, placement, messages), 1)
                            << "lane " << lane << ", slot " << slot;
                    }
                }
            }
        }
        EXPECT_GT(busy_slots, 50);
    }
}

TEST(GroupedTwoTree, IsBetterThanAFlatTree) {
    const Fabric fabric = mesh_of_36_hosts();
    LinkGraph network(fabric);
    const Placement placement = eight_per_group();
    EXPECT_EQ(busiest_link(network, placement, {{24, 16}, {25, 17}}), 2) << "leaf, spine and leaf are the same";
    std::vector<int> ranks(placement.size());
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) ranks[rank] = static_cast<int>(rank);
    const auto load = [&](int colour) {
        return busiest_link(network, placement, messages_of_two_trees(ranks, colour));
    };
    EXPECT_GE(std::max(load(0), load(1)), 2);
}

// The source has one pair of trees for all ranks of a group, since there are several ways between any two of its
// leaves. Where the destination alone decides which of them is taken, two messages of a step can still take the same.
TEST(GroupedTwoTree, NeedsTreesOfLeavesWithinAGroup) {
    const Fabric fabric = mesh_of_36_hosts();
    LinkGraph network(fabric);
    const std::vector<int> group = {0, 1, 2, 3, 4, 5, 6, 7};
    const auto load = [&](int colour) {
        return busiest_link(network, eight_per_group(), messages_of_two_trees(group, colour));
    };
    EXPECT_EQ(std::max(load(0), load(1)), 2);
}

// Seconds in which ranks move and combine what they get, and in which the memory of their host passes it.
double work_of_ranks(const Grid& grid, const Problem& problem, double bytes) {
    const MachineCosts& costs = grid.costs();
    const double block = bytes / tree_pipeline_blocks(problem);
    std::vector<double> in_memory(grid.hosts());
    double longest = 0;
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        double seconds = 0;
        for (const Action& action : find_algorithm("grouped_two_tree")->build(grid, problem, rank).actions) {
            const double moved = is_receive(action) && grid.host(action.peer) == grid.host(rank) ? block : 0;
            const double combined = action.kind == ActionKind::receive_reduce ? block : 0;
            seconds += moved / costs.local_bandwidth + combined / costs.reduce_bandwidth;
            in_memory[grid.host(rank)] += (moved + combined) / costs.memory_bandwidth;
        }
        longest = std::max(longest, seconds);
    }
    return std::max(longest, *std::ranges::max_element(in_memory));
}

// With few lanes a representative waits for its cable.
TEST(GroupedTwoTree, PredictsWhatManyRanksOfAHostAndItsMemoryWork) {
    for (const Fabric& fabric : {fabric_of(latin_square(2, 3, cable)), grouped_fat_tree({4}, 4)}) {
        for (const int ranks_per_host : {8, 16, 48}) {
            const Grid grid = Grid::from_fabric(fabric, ranks_on_all(fabric, ranks_per_host)).value();
            for (const int lanes : {4, 8}) {
                for (const Collective collective : {Collective::reduce, Collective::bcast, Collective::allreduce}) {
                    Problem problem{.collective = collective, .lanes = lanes, .segments = 2};
                    const Algorithm& algorithm = *find_algorithm("grouped_two_tree");
                    if (!algorithm.refusal(grid, problem).empty()) continue;
                    constexpr double bytes = 1e10;
                    const double work = work_of_ranks(grid, problem, bytes);
                    problem.segments = 1024;
                    EXPECT_NEAR(algorithm.seconds(grid, problem, bytes) / work, 1.07, 0.12)
                        << describe(algorithm, problem) << ", " << ranks_per_host << " ranks a host";
                }
            }
        }
    }
}

// Vectors that the port of a host takes in and gives out, in the whole of a collective.
struct PortLoad {
    double in = 0;
    double out = 0;
};

PortLoad busiest_port(const Grid& grid, const Problem& problem) {
    std::vector<PortLoad> ports(grid.hosts());
    const int blocks = tree_pipeline_blocks(problem);
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        const Program program = find_algorithm("grouped_two_tree")->build(grid, problem, rank);
        for (const Action& action : program.actions) {
            if (grid.host(action.peer) == grid.host(rank)) continue;
            PortLoad& port = ports[grid.host(rank)];
            (action.kind == ActionKind::send ? port.out : port.in) += static_cast<double>(action.count) / blocks;
        }
    }
    PortLoad busiest;
    for (const PortLoad& port : ports) busiest = {std::max(busiest.in, port.in), std::max(busiest.out, port.out)};
    return busiest;
}

TEST(GroupedTwoTree, LoadsNoPortWithMuchMoreThanTheVector) {
    for (const Fabric& fabric :
         {mesh_of_36_hosts(), fabric_of(latin_square(2, 3, cable)), fabric_of(latin_square(3, 4, cable)),
          grouped_fat_tree({1}, 16), grouped_fat_tree({4}, 8), grouped_fat_tree({3, 1, 2}, 6)}) {
        for (const int ranks_per_host : {1, 2}) {
            const Grid grid = Grid::from_fabric(fabric, ranks_on_all(fabric, ranks_per_host)).value();
            const int lanes = std::min(8, grid.leaves().hosts.largest());
            for (const int root : {0, 1, grid.ranks() / 2, grid.ranks() - 1}) {
                for (const Collective collective : {Collective::reduce, Collective::bcast, Collective::allreduce}) {
                    const Problem problem{.collective = collective, .lanes = lanes, .root = root};
                    const auto [in, out] = busiest_port(grid, problem);
                    const double bound = (1 + 2.0 / lanes) * (collective == Collective::allreduce ? 2 : 1);
                    EXPECT_LE(in, bound + 1e-9) << describe(*find_algorithm("grouped_two_tree"), problem);
                    EXPECT_LE(out, bound + 1e-9) << describe(*find_algorithm("grouped_two_tree"), problem);
                }
            }
        }
    }
}

TEST(GroupedTwoTree, WithOneLaneLoadsItsRepresentativesTwice) {
    const Fabric fabric = fabric_of(latin_square(3, 4, cable));
    const Grid grid = Grid::from_fabric(fabric, ranks_on_all(fabric)).value();
    EXPECT_DOUBLE_EQ(busiest_port(grid, {.collective = Collective::reduce, .root = 5}).in, 2);
    EXPECT_LE(busiest_port(grid, {.collective = Collective::reduce, .lanes = 4, .root = 5}).in, 1.26);
}

// Under one leaf: ( sqrt(m/bandwidth) + sqrt(2·start·log2 p) )^2 with the best number of blocks.
TEST(GroupedTwoTree, TakesTheTimeOfATwoTreeOnOneLeaf) {
    const Algorithm& algorithm = *find_algorithm("grouped_two_tree");
    for (const int hosts : {16, 64}) {
        const Fabric fabric = grouped_fat_tree({1}, hosts);
        const Grid grid = Grid::from_fabric(fabric, ranks_on_all(fabric)).value();
        const double start = MachineCosts{}.message_time + 2 * cable.latency;
        for (const double bytes : {1e5, 1e6, 1e7, 1e8}) {
            double best = 1e9;
            for (int segments = 1; segments <= 4096; ++segments) {
                const Problem problem{.collective = Collective::bcast, .segments = segments};
                best = std::min(best, algorithm.seconds(grid, problem, bytes));
            }
            const double target =
                std::pow(std::sqrt(bytes / cable.bandwidth) + std::sqrt(2 * start * std::log2(hosts)), 2);
            // The first block passes a hop in less than the two steps of a round.
            EXPECT_LE(best / target, 1.01 * grouped_two_tree::waiting) << hosts << " hosts, " << bytes << " bytes";
            if (bytes < 1e8) continue;
            EXPECT_NEAR(best / target, grouped_two_tree::waiting, 0.05) << hosts << " hosts";
        }
    }
}

TEST(GroupedTwoTree, IsMadeForSwitches) {
    const Problem bcast{.collective = Collective::bcast};
    EXPECT_EQ(find_algorithm("grouped_two_tree")->refusal(full_grid({4, 4}), bcast), "made for networks of switches");
}

// 6156 hosts.
TEST(GroupedTwoTree, StaysSmallOnTheLargestMesh) {
    const Fabric fabric = fabric_of(full_mesh(full_mesh_of_ports(36), 18, cable));
    const Grid grid = Grid::from_fabric(fabric, ranks_on_all(fabric)).value();
    ASSERT_EQ(grid.ranks(), 6156);
    const Problem problem{.collective = Collective::allreduce, .lanes = 8, .segments = 64};
    std::size_t most_edges = 0, most_actions = 0;
    for (int rank = 0; rank < grid.ranks(); rank += 9) {
        for (int lane = 0; lane < problem.lanes; ++lane) {
            most_edges = std::max(most_edges, neighbours(grid, problem, lane, rank).edges.size());
        }
        const Program program = find_algorithm("grouped_two_tree")->build(grid, problem, rank);
        most_actions = std::max(most_actions, program.actions.size());
    }
    EXPECT_LE(most_edges, 2u + 3 * 2u) << "two parents, and on each level two children";
    EXPECT_LE(most_actions, 2u * 64 * (8 * 4 + 2 * 2)) << "in every lane four messages of a block, in one of them more";
}

}  // namespace
}  // namespace coll_topo::test
