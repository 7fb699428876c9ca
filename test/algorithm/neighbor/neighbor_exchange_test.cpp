// SPDX-License-Identifier: BSD-3-Clause
//
// Exchange with the neighbours of Cartesian communicators: proofs on boxes of all kinds, what links carry, and which
// communicators lie along the axes.

#include "test/algorithm/trial.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace coll_topo {
namespace {

using test::build_all;
using test::full_grid;
using Dimensions = std::vector<Cartesian::Dimension>;

constexpr Collective both[] = {Collective::neighbor_allgather, Collective::neighbor_alltoall};

const Algorithm& row() {
    return *find_algorithm("neighbor_exchange");
}

Grid with_cartesian(Grid grid, Dimensions dimensions) {
    grid.set_cartesian(Cartesian(std::move(dimensions)));
    return grid;
}

Grid along_axes(const std::vector<int>& sizes, int ranks_per_host = 1, bool wrapped = true) {
    Grid grid = full_grid(sizes, ranks_per_host, wrapped);
    grid.set_cartesian(cartesian_along_axes(grid));
    return grid;
}

std::string finding(const Grid& grid, Collective collective) {
    const auto proved = prove(collective, build_all(row(), grid, {collective}), true, 0, grid.cartesian());
    return proved ? "" : proved.error().text();
}

TEST(NeighborExchange, IsProvedOnBoxesOfAllKinds) {
    int proved = 0;
    for (const int x : {1, 2, 3, 4}) {
        for (const int y : {1, 2, 3}) {
            for (const int z : {1, 2, 3}) {
                // All on one host, so that every box lies along the axes.
                const Grid one_host = full_grid({1}, x * y * z);
                for (unsigned periods = 0; periods < 8; ++periods) {
                    const auto periodic = [&](unsigned d) { return (periods >> d & 1u) != 0; };
                    const Grid grid = with_cartesian(one_host, {{x, periodic(0)}, {y, periodic(1)}, {z, periodic(2)}});
                    for (const Collective collective : both) {
                        EXPECT_EQ(finding(grid, collective), "") << grid.cartesian()->text();
                        ++proved;
                    }
                }
            }
        }
    }
    EXPECT_EQ(proved, 4 * 3 * 3 * 8 * 2);
}

TEST(NeighborExchange, PutsOneMessageOnEachCable) {
    const auto load = [](const std::vector<int>& sizes, int ranks_per_host, bool wrapped) {
        const Fabric fabric = test::equal_torus(sizes, wrapped);
        const Grid grid = along_axes(sizes, ranks_per_host, wrapped);
        const auto loads = link_load(build_all(row(), grid, {Collective::neighbor_alltoall}), fabric,
                                     test::ranks_on_all(fabric, ranks_per_host));
        EXPECT_EQ(loads.size(), 1u) << "all at once";
        return loads[0].messages;
    };
    EXPECT_EQ(load({4, 4}, 1, true), 1);
    EXPECT_EQ(load({4, 4}, 1, false), 1);
    EXPECT_EQ(load({3, 4, 5}, 1, true), 1);
    EXPECT_EQ(load({4, 4}, 3, true), 3) << "each rank of a host has a neighbour on the next";
    EXPECT_EQ(load({2, 4}, 1, true), 2) << "of the two cables of a ring of two, a host's messages take one";
}

TEST(NeighborExchange, SendsToOtherHostsFirst) {
    // The ranks of a host are the last dimension; rank 4 is the middle one of the second host.
    const Program middle = row().build(along_axes({3}, 3), {Collective::neighbor_alltoall}, 4);
    std::vector<int> targets;
    for (const Action& action : middle.actions) {
        if (is_send(action)) targets.push_back(action.peer);
    }
    EXPECT_EQ(targets, (std::vector<int>{7, 5, 1, 3}));
}

TEST(NeighborExchange, NeedsNeighboursOneCableApart) {
    const auto refusal = [](const Grid& grid) { return row().refusal(grid, {Collective::neighbor_alltoall}); };
    EXPECT_EQ(refusal(full_grid({4, 4})), "the communicator has no Cartesian topology");
    EXPECT_EQ(refusal(along_axes({4, 4})), "");
    EXPECT_EQ(refusal(along_axes({4, 4}, 2)), "");
    EXPECT_EQ(refusal(with_cartesian(full_grid({4, 4}), {{4, false}, {4, false}})), "");
    EXPECT_EQ(refusal(with_cartesian(full_grid({4}), {{2, true}, {2, true}})), "neighbours 0 and 2 are 2 cables apart");
    EXPECT_EQ(refusal(with_cartesian(full_grid({4}, 1, false), {{4, true}})), "neighbours 0 and 3 are 3 cables apart");
    EXPECT_EQ(refusal(with_cartesian(full_grid({4, 4}), {{16, true}})), "neighbours 0 and 15 are 2 cables apart");
    // A box in a larger torus, in another order of dimensions.
    const Fabric fabric = test::equal_torus({4, 4});
    const Grid part = Grid::from_torus(fabric, test::ranks_on({5, 9, 6, 10})).value();
    EXPECT_EQ(refusal(with_cartesian(part, {{2, false}, {2, false}})), "");
}

TEST(NeighborExchange, IsPredictedToUseAllPorts) {
    const Grid grid = along_axes({4, 4});
    const double bytes = 4e6, piece = bytes / 4;
    const double seconds = row().seconds(grid, {Collective::neighbor_alltoall}, bytes);
    EXPECT_NEAR(seconds, piece / 1e9, 0.05 * piece / 1e9);
    const Grid shared = along_axes({4, 4}, 2);
    EXPECT_GT(row().seconds(shared, {Collective::neighbor_alltoall}, bytes * 6 / 4), 1.9 * piece / 1e9);
}

}  // namespace
}  // namespace coll_topo
