// SPDX-License-Identifier: BSD-3-Clause
//
// What breadth-first schedules claim: no link carries more than the port bound asks of it, in as few rounds as there
// are distances.
#include "coll_topo/algorithm/breadth_first/breadth_first.hpp"
#include "coll_topo/algorithm/breadth_first/breadth_first_lane.hpp"
#include "coll_topo/algorithm/catalogue.hpp"
#include "coll_topo/verify/proof.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace coll_topo {
namespace {

using test::equal_torus;
using test::full_grid;
using test::ranks_on;
using test::ranks_on_all;

const Algorithm& bfb = *find_algorithm("bfb");
const Algorithm& bfb_packed = *find_algorithm("bfb_packed");

/// All tori of two dimensions of 2 to 7 hosts, and of three of 2 to 4.
std::vector<std::vector<int>> small_tori() {
    std::vector<std::vector<int>> all;
    for (int x = 2; x <= 7; ++x) {
        for (int y = 2; y <= 7; ++y) {
            all.push_back({x, y});
            for (int z = 2; z <= 4 && x <= 4 && y <= 4; ++z) all.push_back({x, y, z});
        }
    }
    return all;
}

/// Blocks on the link with the most in the whole collective.
std::int64_t most_blocks_on_a_link(const Algorithm& row, const Grid& grid, const Fabric& fabric,
                                   const Placement& placement) {
    LinkGraph graph(fabric);
    std::vector<std::int64_t> blocks(graph.links().size(), 0);
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        const Program program = row.build(grid, {Collective::allreduce}, rank);
        for (const Action& action : program.actions) {
            if (!is_send(action)) continue;
            std::vector<int> route;
            EXPECT_TRUE(graph.route(placement[rank].host, placement[action.peer].host, route));
            for (const int link : route) blocks[link] += action.count;
        }
    }
    return *std::ranges::max_element(blocks);
}

/// The load of the busiest link in allreduce, divided by what the ports of the host with the fewest must take at least.
double load_by_bound(const Algorithm& row, const Fabric& fabric, const std::vector<int>& hosts) {
    const Placement placement = ranks_on(hosts);
    const Grid grid = Grid::from_torus(fabric, placement).value();
    const BreadthFirst spread(grid, 16);
    const auto ports = static_cast<double>(spread.links().of(spread.busiest_host()).size());
    const double bound = 2.0 * (grid.hosts() - 1) * spread.cuts() / ports;
    return static_cast<double>(most_blocks_on_a_link(row, grid, fabric, placement)) / bound;
}

std::vector<int> all_hosts(const Fabric& fabric) {
    std::vector<int> hosts(fabric.hosts.size());
    std::iota(hosts.begin(), hosts.end(), 0);
    return hosts;
}

const Algorithm& row(const char* name) {
    return *find_algorithm(name);
}

TEST(Bfb, LoadsNoLinkOfATorusMoreThanTheBound) {
    for (const std::vector<int>& sizes : small_tori()) {
        const Fabric fabric = equal_torus(sizes);
        for (const char* name : {"bfb", "bfb_packed"}) {
            EXPECT_DOUBLE_EQ(load_by_bound(row(name), fabric, all_hosts(fabric)), 1) << full_grid(sizes).summary();
        }
    }
}

TEST(Bfb, LoadsNoLinkOfAMeshMoreThanThoseOfItsCorners) {
    for (const std::vector<int>& sizes : small_tori()) {
        const Fabric fabric = equal_torus(sizes, false);
        // Shards are cut into as many parts as pays at most, and a round can still end a fraction of a part later.
        EXPECT_LE(load_by_bound(row("bfb_packed"), fabric, all_hosts(fabric)), 1.01) << full_grid(sizes).summary();
    }
}

TEST(Bfb, NeedsARoundForEachDistance) {
    for (const std::vector<int>& sizes : small_tori()) {
        const Grid grid = full_grid(sizes);
        int diameter = 0;
        for (const int size : sizes) diameter += size / 2;
        EXPECT_EQ(BreadthFirst(grid, 16).table(0).rounds(), diameter) << grid.summary();
    }
}

TEST(Bfb, PackedHasAMessageOverEachPortInARound) {
    const Grid grid = full_grid({4, 6, 3});
    for (const Collective collective : {Collective::allreduce, Collective::allgather, Collective::reduce_scatter}) {
        const Program program = bfb_packed.build(grid, {collective}, 17);
        const auto rounds = std::ranges::count_if(program.steps, [&](const Step& step) {
            const auto actions = program.actions_of(step);
            EXPECT_LE(std::ranges::count_if(actions, is_send), 6);
            return std::ranges::any_of(actions, is_transfer);
        });
        EXPECT_EQ(rounds, (collective == Collective::allreduce ? 2 : 1) * (2 + 3 + 1));
        const int vectors = program.scratch_blocks / program.blocks;
        EXPECT_LE(vectors, collective == Collective::allreduce ? 2 : 3);
    }
}

TEST(Bfb, CutsShardsNoMoreThanNeeded) {
    EXPECT_EQ(BreadthFirst(full_grid({5}), 16).cuts(), 1);
    EXPECT_EQ(BreadthFirst(full_grid({4}), 16).cuts(), 2);     // half-way round, both ways
    EXPECT_EQ(BreadthFirst(full_grid({5, 7}), 16).cuts(), 2);  // 10 shards at distance 3, four ports
    EXPECT_EQ(BreadthFirst(full_grid({8, 8}), 16).cuts(), 4);  // one at distance 8
    EXPECT_EQ(BreadthFirst(full_grid({8, 8}), 1).cuts(), 1);
}

TEST(Bfb, TakesTheCutsOfAShardThatComeOverAPortAtOnce) {
    const BreadthFirst spread(full_grid({8, 8}), 16);
    const BreadthFirst::Table table = spread.table(11);
    int most_cuts = 0;
    for (int round = 0; round < table.rounds(); ++round) {
        for (int port = 0; port < table.ports(); ++port) {
            std::set<std::int32_t> owners;
            for (const BreadthFirst::Arrival& arrival : table.over(round, port)) {
                EXPECT_TRUE(owners.insert(arrival.owner).second) << "round " << round << ", port " << port;
                most_cuts = std::max<int>(most_cuts, arrival.count);
            }
        }
    }
    EXPECT_EQ(most_cuts, 4) << "there is nothing to take at once";
}

TEST(Bfb, GivesPortsInProportionToTheirBandwidth) {
    Fabric fabric = equal_torus({5, 5});
    fabric.network = Torus("x twice as fast", {{5, true, 2e9, 1e-6}, {5, true, 1e9, 1e-6}}, Tie::parity);
    const Grid grid = Grid::from_torus(fabric, ranks_on_all(fabric)).value();
    const BreadthFirst spread(grid, 16);
    const BreadthFirst::Table table = spread.table(7);
    double seconds = 0;  // for shards of a byte, over the busiest port
    for (int port = 0; port < table.ports(); ++port) {
        int carried = 0;
        for (int round = 0; round < table.rounds(); ++round) {
            for (const BreadthFirst::Arrival& arrival : table.over(round, port)) carried += arrival.count;
        }
        seconds = std::max(seconds, carried / spread.links().of(7)[port].bandwidth / spread.cuts());
    }
    // At distance 1 a shard comes over each port, and y takes longest; then 8, 8 and 4 shards fill all ports.
    EXPECT_NEAR(seconds * 6e9, 6 + 8 + 8 + 4, 1e-6);
}

TEST(Bfb, ServesMeshesAndHostsThatFillNoTorus) {
    EXPECT_EQ(bfb.refusal(full_grid({4, 4}, 1, false), {Collective::allreduce}), "");
    EXPECT_EQ(bfb.refusal(full_grid({3, 4}, 2), {Collective::allreduce}), "");
    const Fabric fabric = equal_torus({4, 4});
    const auto refusal = [&](const std::vector<int>& hosts) {
        return bfb.refusal(Grid::from_torus(fabric, ranks_on(hosts)).value(), {Collective::allreduce});
    };
    EXPECT_EQ(refusal({0, 1, 2, 4, 5, 10}), "");
    EXPECT_EQ(refusal({0, 5, 10}), "some of these hosts share no line of the torus with any of the others");
}

}  // namespace
}  // namespace coll_topo
