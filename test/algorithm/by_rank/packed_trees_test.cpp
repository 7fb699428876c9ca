// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/by_rank/packed_trees.hpp"

#include "test/algorithm/by_rank/parts_of_tori.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace coll_topo::test {
namespace {

int hops_from_root(const HostParents& parents, int host) {
    int hops = 0;
    for (; parents[host] >= 0 && hops <= static_cast<int>(parents.size()); host = parents[host]) ++hops;
    return hops;
}

/// How many messages cross the busiest cable in one direction while a byte goes down all trees, or up.
int most_on_a_cable(const Grid& grid, const std::vector<HostParents>& trees, bool up) {
    MessageWays ways(grid);
    std::vector<int> way;
    for (const HostParents& parents : trees) {
        for (int host = 0; host < grid.hosts(); ++host) {
            if (parents[host] < 0) continue;
            ways.append(up ? host : parents[host], up ? parents[host] : host, way);
        }
    }
    return most_on_a_link(ways, way);
}

TEST(PackedTrees, ReachAllHostsFromAnyRoot) {
    for (const PartOfTorus& part : parts_of_tori()) {
        const Grid grid = grid_of(part);
        for (const int root : {0, grid.hosts() - 1}) {
            for (const Collective collective : {Collective::bcast, Collective::reduce, Collective::allreduce}) {
                const auto trees = packed_trees(grid, root, 6, collective);
                ASSERT_EQ(trees.size(), 6U);
                for (const HostParents& parents : trees) {
                    for (int host = 0; host < grid.hosts(); ++host) {
                        EXPECT_LT(hops_from_root(parents, host), grid.hosts()) << "a circle";
                        EXPECT_EQ(parents[host] < 0, host == root);
                    }
                }
            }
        }
    }
}

TEST(PackedTrees, ShareNoCable) {
    const auto most = [](const PartOfTorus& part, int trees, Collective collective) {
        const Grid grid = grid_of(part);
        return most_on_a_cable(grid, packed_trees(grid, 0, trees, collective), collective == Collective::reduce);
    };
    for (const Collective collective : {Collective::bcast, Collective::reduce}) {
        for (const PartOfTorus& part : parts_of_tori()) EXPECT_EQ(most(part, 2, collective), 1) << part.what;
    }
    EXPECT_EQ(most(parts_of_tori()[1], 3, Collective::bcast), 1) << "100 of 8x8x8";
    EXPECT_EQ(most(parts_of_tori()[1], 6, Collective::bcast), 2);
    EXPECT_EQ(most(parts_of_tori()[3], 3, Collective::bcast), 1) << "64 scattered ones";
}

// Where ranks combine more slowly than cables move data, no host has more children than there are trees.
TEST(PackedTrees, ShareTheCombining) {
    for (const PartOfTorus& part : parts_of_tori()) {
        Fabric fabric = equal_torus(part.sizes);
        fabric.costs.reduce_bandwidth = fabric.torus()->dimensions()[0].bandwidth * 0.64;
        const Grid grid = Grid::from_torus(fabric, ranks_on(part.hosts)).value();
        constexpr int trees = 3;
        std::vector<int> children(grid.hosts());
        for (const HostParents& parents : packed_trees(grid, 0, trees, Collective::reduce)) {
            for (const int parent : parents) {
                if (parent >= 0) ++children[parent];
            }
        }
        EXPECT_EQ(*std::ranges::max_element(children), trees) << part.what;
    }
}

}  // namespace
}  // namespace coll_topo::test
