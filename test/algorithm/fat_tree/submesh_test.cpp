// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/catalogue.hpp"

#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/fabric/full_mesh.hpp"
#include "coll_topo/fabric/latin_square.hpp"
#include "coll_topo/job_placement/submesh_shape.hpp"
#include "coll_topo/verify/rounds.hpp"
#include "test/algorithm/machine.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

namespace coll_topo {
namespace {

using test::build_all;
using test::Dice;

constexpr SwitchLink cable{0, 0, 1, 12.5e9, 2e-7};

Fabric fabric_of(SwitchGraph graph) {
    Fabric fabric{{}, std::move(graph), {}};
    const std::size_t hosts = std::get<SwitchGraph>(fabric.network).leaf_of_host.size();
    for (std::size_t host = 0; host < hosts; ++host) fabric.hosts.add("h" + std::to_string(host));
    fabric.host_bandwidth = cable.bandwidth;
    fabric.host_latency = cable.latency;
    return fabric;
}

// Three levels: pods of leaves below aggregation switches of their own, all of these below every core switch.
SwitchGraph pods(int count, int leaves_per_pod, int hosts_per_leaf) {
    SwitchGraph graph;
    for (int pod = 0; pod < count; ++pod) {
        for (int leaf = 0; leaf < leaves_per_pod; ++leaf) {
            const int number = graph.switches.add("leaf" + std::to_string(pod) + "." + std::to_string(leaf));
            graph.leaf_of_host.insert(graph.leaf_of_host.end(), hosts_per_leaf, number);
        }
    }
    for (int pod = 0; pod < count; ++pod) {
        for (const char* const name : {"a", "b"}) {
            const int upper = graph.switches.add(name + std::to_string(pod));
            for (int leaf = 0; leaf < leaves_per_pod; ++leaf) {
                graph.links.push_back({pod * leaves_per_pod + leaf, upper, 1, cable.bandwidth, cable.latency});
            }
        }
    }
    const int core = graph.switches.add("core");
    for (int upper = count * leaves_per_pod; upper < core; ++upper) {
        graph.links.push_back({upper, core, 1, cable.bandwidth, cable.latency});
    }
    return graph;
}

const Algorithm& submesh_row() {
    return *find_algorithm("submesh");
}

// The leaf P(column,row) of a Latin square in the order of the file.
int grid_leaf(int order, int column, int row) {
    return 1 + order + column * order + row;
}

// `count` of the numbers 0 .. n-1, ascending, adjacent or not.
std::vector<int> choose(int n, int count, Dice& dice) {
    std::vector<int> numbers(n);
    std::iota(numbers.begin(), numbers.end(), 0);
    while (static_cast<int>(numbers.size()) > count) {
        numbers.erase(numbers.begin() + dice.roll(0, static_cast<int>(numbers.size()) - 1));
    }
    return numbers;
}

// The schedule is right, and no link has two messages in any round. Gives the number of rounds.
int expect_free_of_contention(const Fabric& fabric, const Placement& placement, const Problem& problem,
                              const std::string& what) {
    const Grid grid = Grid::from_switches(fabric, placement).value();
    EXPECT_EQ("", submesh_row().refusal(grid, problem)) << what;
    const Schedule schedule = build_all(submesh_row(), grid, problem);
    const auto proved = prove(problem.collective, schedule, submesh_row().in_order(grid, problem), problem.root);
    EXPECT_TRUE(proved) << what << ": " << proved.error().text();
    const Rounds rounds = find_rounds(schedule).value();
    LinkGraph network(fabric);
    for (const StepLoad& load : link_load(rounds, schedule, network, placement)) EXPECT_LE(load.messages, 1) << what;
    return static_cast<int>(rounds.size());
}

TEST(Submesh, NoPartOfALatinSquareHasContention) {
    Dice dice(3);
    for (const int order : {2, 3, 5, 7}) {
        const int hosts_per_leaf = order + 1;
        const Fabric fabric = fabric_of(latin_square(order, hosts_per_leaf, cable));
        for (int columns = 1; columns <= order; ++columns) {
            for (int rows = 1; rows <= order; ++rows) {
                const int most = order > 3 ? 3 : hosts_per_leaf;
                std::vector<int> hosts;
                const std::vector<int> chosen_rows = choose(order, rows, dice);
                for (const int column : choose(order, columns, dice)) {
                    for (const int row : chosen_rows) {
                        for (const int host : choose(hosts_per_leaf, dice.roll(1, most), dice)) {
                            hosts.push_back(grid_leaf(order, column, row) * hosts_per_leaf + host);
                        }
                    }
                }
                const Placement placement = test::ranks_on(hosts);
                const std::string what = "order " + std::to_string(order) + ", " + std::to_string(columns) + "x" +
                                         std::to_string(rows) + " leaves, " + std::to_string(hosts.size()) + " hosts";
                const int root = dice.roll(0, static_cast<int>(hosts.size()) - 1);
                expect_free_of_contention(fabric, placement, {Collective::allreduce}, what);
                expect_free_of_contention(fabric, placement, {.collective = Collective::reduce, .root = root}, what);
                expect_free_of_contention(fabric, placement, {.collective = Collective::bcast, .root = root}, what);
            }
        }
    }
}

// Hosts, with any number of ranks on each, anywhere on a fabric.
Placement scatter(const Fabric& fabric, Dice& dice) {
    std::vector<int> hosts;
    for (const int host : choose(fabric.hosts.size(), dice.roll(1, std::min(60, fabric.hosts.size())), dice)) {
        hosts.insert(hosts.end(), dice.roll(1, 3), host);
    }
    for (int last = static_cast<int>(hosts.size()) - 1; last > 0; --last) {
        std::swap(hosts[last], hosts[dice.roll(0, last)]);
    }
    return test::ranks_on(hosts);
}

TEST(Submesh, LeavesThatFormNoProductHaveNoContentionEither) {
    const Fabric fabrics[] = {fabric_of(full_mesh(full_mesh_of_ports(6), 3, cable)),
                              fabric_of(full_mesh({5, 2}, 4, cable)), fabric_of(latin_square(4, 3, cable)),
                              fabric_of(pods(4, 3, 2)), fabric_of(pods(1, 6, 2))};
    Dice dice(5);
    for (const Fabric& fabric : fabrics) {
        for (int trial = 0; trial < 25; ++trial) {
            const Placement placement = trial == 0 ? test::ranks_on_all(fabric) : scatter(fabric, dice);
            const int root = dice.roll(0, static_cast<int>(placement.size()) - 1);
            const std::string what = fabric.summary() + ", trial " + std::to_string(trial);
            expect_free_of_contention(fabric, placement, {Collective::allreduce}, what);
            expect_free_of_contention(fabric, placement, {.collective = Collective::reduce, .root = root}, what);
            expect_free_of_contention(fabric, placement, {.collective = Collective::bcast, .root = root}, what);
        }
    }
}

TEST(Submesh, EveryRootIsServed) {
    const Fabric fabric = fabric_of(full_mesh(full_mesh_of_ports(6), 3, cable));
    const Placement placement = test::ranks_on({0, 1, 2, 5, 9, 10, 17, 18, 20, 35}, 2);
    for (int root = 0; root < 20; ++root) {
        const std::string what = "root " + std::to_string(root);
        expect_free_of_contention(fabric, placement, {.collective = Collective::reduce, .root = root}, what);
        expect_free_of_contention(fabric, placement, {.collective = Collective::bcast, .root = root}, what);
    }
}

TEST(Submesh, FiveHostsOfALeafTakeTheTableOfTheSource) {
    const Fabric fabric = fabric_of(latin_square(4, 5, cable));
    const Placement placement = test::ranks_on({0, 1, 2, 3, 4});
    EXPECT_EQ(4, expect_free_of_contention(fabric, placement, {Collective::allreduce}, "5 hosts"));
    const Grid grid = Grid::from_switches(fabric, placement).value();
    const Program program = submesh_row().build(grid, {Collective::allreduce}, 3);
    std::vector<int> peers;
    for (const Action& action : program.actions) {
        if (action.kind == ActionKind::send) peers.push_back(action.peer);
    }
    EXPECT_EQ((std::vector<int>{4, 2, 1, 4}), peers);
    EXPECT_DOUBLE_EQ(4 * (MachineCosts{}.message_time + 2 * cable.latency),
                     submesh_row().seconds(grid, {Collective::allreduce}, 0));
}

// columns x rows leaves of the grid with hosts 0 .. extra_hosts - 1 of them one host more than the others.
std::vector<int> product(int order, int hosts_per_leaf, int columns, int rows, int hosts, int extra_hosts) {
    std::vector<int> chosen;
    for (int column = 0; column < columns; ++column) {
        for (int row = 0; row < rows; ++row) {
            const int first = grid_leaf(order, column, row) * hosts_per_leaf;
            const int count = hosts + (column * rows + row < extra_hosts ? 1 : 0);
            for (int host = 0; host < count; ++host) chosen.push_back(first + host);
        }
    }
    return chosen;
}

TEST(Submesh, TakesNoMorePhasesThanTheSource) {
    const Problem allreduce{Collective::allreduce};
    const Fabric nine = fabric_of(latin_square(9, 9, cable));
    // Two tables are trees, which have 4 phases instead of 5.
    EXPECT_EQ(18, expect_free_of_contention(nine, test::ranks_on(product(9, 9, 9, 9, 9, 0)), allreduce, "9x9x9"));
    const Fabric wide = fabric_of(latin_square(32, 2, cable));
    const auto hosts = product(32, 2, 16, 32, 1, 729 - 16 * 32);
    EXPECT_EQ(11, expect_free_of_contention(wide, test::ranks_on(hosts), allreduce, "16x32 leaves, 729 hosts"));
}

TEST(Submesh, TakesThePhasesThatTheChoiceOfHostsCounts) {
    const Fabric fabric = fabric_of(latin_square(5, 6, cable));
    for (const SubmeshShape& shape : {SubmeshShape{1, 1, 5, false}, SubmeshShape{1, 4, 3, false},
                                      SubmeshShape{5, 3, 1, false}, SubmeshShape{3, 5, 4, true}}) {
        const auto hosts =
            product(5, 6, shape.columns, shape.rows, shape.hosts_of_leaf, shape.one_more ? shape.leaves() - 1 : 0);
        EXPECT_EQ(submesh_phases(shape),
                  expect_free_of_contention(fabric, test::ranks_on(hosts), {Collective::allreduce}, "submesh"))
            << shape.columns << "x" << shape.rows << "x" << shape.hosts_of_leaf;
    }
}

TEST(Submesh, CombinesInRankOrderWhereRanksFollowTheLeaves) {
    const Fabric fabric = fabric_of(latin_square(3, 2, cable));
    std::vector<int> hosts = product(3, 2, 3, 2, 2, 0);
    const Grid in_file_order = Grid::from_switches(fabric, test::ranks_on(hosts, 2)).value();
    EXPECT_TRUE(submesh_row().in_order(in_file_order, {Collective::allreduce}));
    EXPECT_TRUE(submesh_row().in_order(in_file_order, {.collective = Collective::reduce, .root = 0}));
    EXPECT_FALSE(submesh_row().in_order(in_file_order, {.collective = Collective::reduce, .root = 1}));
    EXPECT_TRUE(submesh_row().in_order(in_file_order, {.collective = Collective::bcast, .root = 1}));
    std::swap(hosts[0], hosts[5]);
    const Grid swapped = Grid::from_switches(fabric, test::ranks_on(hosts, 2)).value();
    EXPECT_FALSE(submesh_row().in_order(swapped, {Collective::allreduce}));
}

TEST(Submesh, RefusesNetworksWithoutLeaves) {
    EXPECT_EQ("made for networks of switches", submesh_row().refusal(test::full_grid({4, 4}), {Collective::allreduce}));
}

}  // namespace
}  // namespace coll_topo
