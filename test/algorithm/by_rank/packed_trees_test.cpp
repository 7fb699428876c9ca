// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/by_rank/packed_trees.hpp"

#include "coll_topo/algorithm/cost/message_ways.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace coll_topo::test {
namespace {

std::vector<int> first_hosts(int count) {
    std::vector<int> hosts(count);
    std::iota(hosts.begin(), hosts.end(), 0);
    return hosts;
}

std::vector<int> drawn_hosts(int count, int of) {
    std::vector<int> hosts = first_hosts(of);
    std::mt19937 random(7);
    for (int i = 0; i < count; ++i) std::swap(hosts[i], hosts[i + static_cast<int>(random() % (of - i))]);
    hosts.resize(count);
    std::ranges::sort(hosts);
    return hosts;
}

struct PartOfTorus {
    std::vector<int> sizes, hosts;
};
const std::vector<PartOfTorus> parts_of_tori = {{{8, 8}, first_hosts(27)},
                                                {{8, 8, 8}, first_hosts(100)},
                                                {{6, 6}, drawn_hosts(20, 36)},
                                                {{8, 8, 8}, drawn_hosts(64, 512)},
                                                {{6}, {1, 4}}};

Grid grid_of(const PartOfTorus& hosts, int ranks_per_host = 1) {
    return Grid::from_torus(equal_torus(hosts.sizes), ranks_on(hosts.hosts, ranks_per_host)).value();
}

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
    std::vector<int> crossed(ways.links());
    for (const int link : way) ++crossed[link];
    return *std::ranges::max_element(crossed);
}

TEST(PackedTrees, ReachAllHostsFromAnyRoot) {
    for (const PartOfTorus& hosts : parts_of_tori) {
        const Grid grid = grid_of(hosts);
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
    const auto most = [](const PartOfTorus& hosts, int trees, Collective collective) {
        const Grid grid = grid_of(hosts);
        return most_on_a_cable(grid, packed_trees(grid, 0, trees, collective), collective == Collective::reduce);
    };
    for (const Collective collective : {Collective::bcast, Collective::reduce}) {
        EXPECT_EQ(most(parts_of_tori[0], 2, collective), 1) << "27 of 8x8";
        EXPECT_EQ(most(parts_of_tori[1], 3, collective), 1) << "100 of 8x8x8";
        EXPECT_EQ(most(parts_of_tori[2], 2, collective), 1) << "20 of 6x6";
        EXPECT_EQ(most(parts_of_tori[3], 2, collective), 1) << "64 of 8x8x8";
    }
    EXPECT_EQ(most(parts_of_tori[3], 3, Collective::bcast), 1);
    EXPECT_EQ(most(parts_of_tori[1], 6, Collective::bcast), 2);
}

// A tree of each gives a host one child on average.
TEST(PackedTrees, ShareTheCombining) {
    for (const PartOfTorus& hosts : parts_of_tori) {
        const Grid grid = grid_of(hosts);
        constexpr int trees = 3;
        std::vector<int> children(grid.hosts());
        for (const HostParents& parents : packed_trees(grid, 0, trees, Collective::reduce)) {
            for (const int parent : parents) {
                if (parent >= 0) ++children[parent];
            }
        }
        EXPECT_LE(*std::ranges::max_element(children), trees + 2) << grid.summary();
    }
}

}  // namespace
}  // namespace coll_topo::test
