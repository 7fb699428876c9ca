// SPDX-License-Identifier: BSD-3-Clause
//
// What breadth-first schedules claim: no link carries more than the port bound asks of it, in as few rounds as there
// are distances.
#include "coll_topo/algorithm/bfb.hpp"

#include "coll_topo/algorithm/breadth_first.hpp"
#include "coll_topo/verify/proof.hpp"
#include "test/placement/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace coll_topo {
namespace {

using test::equal_torus;
using test::full_grid;
using test::ranks_on_all;

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
std::int64_t most_blocks_on_a_link(const Grid& grid, const Fabric& fabric, const Placement& placement) {
    LinkGraph graph(fabric);
    std::vector<std::int64_t> blocks(graph.links().size(), 0);
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        const Program program = bfb::build(grid, {Collective::allreduce}, rank);
        for (const Action& action : program.actions) {
            if (!is_send(action)) continue;
            std::vector<int> route;
            EXPECT_TRUE(graph.route(placement[rank].host, placement[action.peer].host, route));
            for (const int link : route) blocks[link] += action.count;
        }
    }
    return *std::ranges::max_element(blocks);
}

TEST(Bfb, LoadsNoLinkMoreThanTheBound) {
    for (const std::vector<int>& sizes : small_tori()) {
        const Fabric fabric = equal_torus(sizes);
        const Placement placement = ranks_on_all(fabric);
        const Grid grid = Grid::from_torus(fabric, placement).value();
        const BreadthFirst spread(grid, 16);
        // Messages between two hosts take the same one of the two cables of a ring of two.
        const auto ports = static_cast<std::int64_t>(spread.ports().size());
        EXPECT_EQ(most_blocks_on_a_link(grid, fabric, placement) * ports,
                  std::int64_t{2} * (grid.places() - 1) * spread.cuts())
            << grid.summary();
    }
}

TEST(Bfb, NeedsARoundForEachDistance) {
    for (const std::vector<int>& sizes : small_tori()) {
        const Grid grid = full_grid(sizes);
        int diameter = 0;
        for (const int size : sizes) diameter += size / 2;
        EXPECT_EQ(BreadthFirst(grid, 16).rounds(), diameter) << grid.summary();
    }
}

TEST(Bfb, CutsShardsNoMoreThanNeeded) {
    EXPECT_EQ(BreadthFirst(full_grid({5}), 16).cuts(), 1);
    EXPECT_EQ(BreadthFirst(full_grid({4}), 16).cuts(), 2);     // half-way round, both ways
    EXPECT_EQ(BreadthFirst(full_grid({5, 7}), 16).cuts(), 2);  // 10 shards at distance 3, four ports
    EXPECT_EQ(BreadthFirst(full_grid({8, 8}), 16).cuts(), 4);  // one at distance 8
    EXPECT_EQ(BreadthFirst(full_grid({8, 8}), 1).cuts(), 1);
}

TEST(Bfb, GivesPortsInProportionToTheirBandwidth) {
    Fabric fabric = equal_torus({5, 5});
    fabric.network = Torus("x twice as fast", {{5, true, 2e9, 1e-6}, {5, true, 1e9, 1e-6}}, Tie::parity);
    const Grid grid = Grid::from_torus(fabric, ranks_on_all(fabric)).value();
    const BreadthFirst spread(grid, 16);
    double seconds = 0;  // for shards of a byte, a turn as long as its longest message
    std::vector<int> carried(spread.ports().size(), 0);
    for (int turn = 0; turn < spread.turns(); ++turn) {
        for (const BreadthFirst::Arrival& arrival : spread.turn(turn)) carried[arrival.port] += arrival.count;
    }
    for (std::size_t port = 0; port < carried.size(); ++port) {
        seconds = std::max(seconds, carried[port] / spread.ports()[port].bandwidth / spread.cuts());
    }
    // At distance 1 a shard comes over each port, and y takes longest; then 8, 8 and 4 shards fill all ports.
    EXPECT_NEAR(seconds * 6e9, 6 + 8 + 8 + 4, 1e-6);
}

TEST(Bfb, RefusesWhatIsNoFullTorus) {
    EXPECT_EQ(bfb::refusal(full_grid({4, 4}, 1, false), {Collective::allreduce}),
              "it is for full tori, and these hosts form no ring in dimension x");
    EXPECT_EQ(bfb::refusal(full_grid({2, 2}, 1, false), {Collective::allreduce}), "");
    EXPECT_EQ(bfb::refusal(full_grid({3, 4}, 2), {Collective::allreduce}), "");
}

}  // namespace
}  // namespace coll_topo
