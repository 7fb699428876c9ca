// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/job_placement/submesh_rules.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace coll_topo::test {
namespace {

/// A grid by its rows; each number is the free hosts of a leaf. Host 100 * column + 10 * row + i is the i-th of a leaf.
LeafGrid grid_of(const std::vector<std::vector<int>>& rows) {
    const auto order = static_cast<int>(rows.size());
    LeafGrid grid{order, std::vector<std::vector<std::int32_t>>(order * order)};
    for (int column = 0; column < order; ++column) {
        for (int row = 0; row < order; ++row) {
            for (int i = 0; i < rows[row][column]; ++i) {
                grid.free_hosts[column * order + row].push_back(100 * column + 10 * row + i);
            }
        }
    }
    return grid;
}

LeafGrid full_grid_of(int order, int hosts_of_leaf) {
    return grid_of(std::vector<std::vector<int>>(order, std::vector<int>(order, hosts_of_leaf)));
}

Job job_of(int hosts) {
    Job job;
    job.hosts = hosts;
    return job;
}

using Hosts = std::vector<std::int32_t>;

TEST(BestValue, TakesTheFewestPhases) {
    Job job = job_of(64);
    job.weights = {1, 0, 0};
    const auto placement = place_best_value(full_grid_of(7, 8), job).value();
    EXPECT_EQ(placement.shape, "4 columns x 4 rows of leaves, 4 hosts each");
    EXPECT_NE(placement.reason.find("8 phases"), std::string::npos);
    EXPECT_TRUE(placement.surplus.empty());
    ASSERT_FALSE(placement.passed_over.empty());
    EXPECT_EQ(placement.passed_over.front().shape, "1 column x 1 row of leaves, 64 hosts each");
    EXPECT_EQ(placement.passed_over.front().reason, "6 phases, but nowhere free");
    EXPECT_LE(placement.passed_over.back().value.value(), placement.value.value());
}

TEST(BestValue, WeighsPhasesAgainstUse) {
    // 9 phases, but all hosts of its leaves.
    EXPECT_EQ(place_best_value(full_grid_of(7, 8), job_of(64)).value().shape,
              "2 columns x 4 rows of leaves, 8 hosts each");
}

TEST(BestValue, TakesColumnsAndRowsThatAreNotAdjacent) {
    const LeafGrid grid = grid_of({{1, 0, 1, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 1, 0}});
    const auto placement = place_best_value(grid, job_of(4)).value();
    EXPECT_EQ(placement.shape, "2 columns x 2 rows of leaves, 1 host each");
    EXPECT_EQ(placement.hosts, (Hosts{0, 30, 200, 230}));
    EXPECT_NE(placement.reason.find("columns 0, 2 and rows 0, 3"), std::string::npos);
}

TEST(BestValue, NeedsAFullProduct) {
    // The figure of the source that is not allowed: an L of five leaves.
    const LeafGrid grid = grid_of({{1, 1, 0}, {1, 1, 1}, {0, 0, 0}});
    EXPECT_FALSE(place_best_value(grid, job_of(5)).has_value());
    EXPECT_TRUE(place_best_value(grid, job_of(4)).has_value());
}

TEST(BestValue, WeightsDecide) {
    // A leaf with room to spare, and two leaves apart without.
    const LeafGrid grid = grid_of({{3, 3, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 1}});
    Job job = job_of(2);
    job.weights = {8, 1, 0};
    EXPECT_EQ(place_best_value(grid, job).value().hosts, (Hosts{30, 330}));
    job.weights = {8, 0, 1};
    EXPECT_EQ(place_best_value(grid, job).value().hosts, (Hosts{0, 1}));
}

TEST(Grow, AddsRowsUntilThereAreEnoughHosts) {
    // The figure of the source, turned: 2 columns; the first row has 3 free hosts, the second 3 more.
    const LeafGrid grid = grid_of({{1, 2, 0}, {2, 1, 0}, {0, 0, 0}});
    Job job = job_of(6);
    job.columns = 2;
    auto placement = place_grow(grid, job).value();
    EXPECT_EQ(placement.shape, "2 columns x 2 rows of leaves");
    EXPECT_EQ(placement.hosts, (Hosts{0, 10, 11, 100, 101, 110}));
    job.hosts = 3;
    placement = place_grow(grid, job).value();
    EXPECT_EQ(placement.shape, "2 columns x 1 row of leaves");
    EXPECT_EQ(placement.hosts, (Hosts{0, 100, 101}));
    job.hosts = 7;
    EXPECT_FALSE(place_grow(grid, job).has_value());
    job.columns = 4;
    EXPECT_NE(place_grow(grid, job).error().message.find("the plane has 3"), std::string::npos);
}

TEST(Grow, LeavesWithoutRanksKeepASurplusHost) {
    Job job = job_of(4);
    job.columns = 3;
    const auto placement = place_grow(full_grid_of(3, 1), job).value();
    EXPECT_EQ(placement.shape, "3 columns x 2 rows of leaves");
    EXPECT_EQ(placement.hosts.size(), 4U);
    EXPECT_EQ(placement.surplus.size(), 2U);
}

TEST(Grow, TakesOtherColumnsWhereItsOwnNumberDoesNotFit) {
    const LeafGrid grid = grid_of({{4, 0, 0}, {0, 4, 0}, {0, 4, 0}});
    EXPECT_EQ(place_grow(grid, job_of(8)).value().shape, "1 column x 2 rows of leaves");
}

TEST(OneHostPerLeaf, IsOneMoreThanTheRoot) {
    const auto placement = place_one_host_per_leaf(full_grid_of(5, 6), job_of(10)).value();
    EXPECT_EQ(placement.shape, "4 columns x 4 rows of leaves, 1 host each");
    EXPECT_EQ(placement.hosts, (Hosts{0, 10, 20, 30, 100, 110, 120, 130, 200, 210}));
    EXPECT_EQ(placement.surplus, (Hosts{220, 230, 300, 310, 320, 330}));
    EXPECT_EQ(place_one_host_per_leaf(full_grid_of(5, 6), job_of(9)).value().surplus.size(), 7U);
    EXPECT_TRUE(place_one_host_per_leaf(full_grid_of(5, 6), job_of(24)).has_value());
    EXPECT_NE(place_one_host_per_leaf(full_grid_of(5, 6), job_of(25)).error().message.find("has 5 columns and rows"),
              std::string::npos);
}

TEST(Cube, HasThreeCases) {
    const LeafGrid grid = full_grid_of(5, 6);
    EXPECT_EQ(place_cube(grid, job_of(27)).value().shape, "3 columns x 3 rows of leaves, 3 hosts each");
    EXPECT_EQ(place_cube(grid, job_of(35)).value().shape, "3 columns x 3 rows of leaves, 3 or 4 hosts each");
    EXPECT_EQ(place_cube(grid, job_of(36)).value().shape, "3 columns x 4 rows of leaves, 3 hosts each");
    EXPECT_EQ(place_cube(grid, job_of(47)).value().shape, "3 columns x 4 rows of leaves, 3 or 4 hosts each");
    EXPECT_EQ(place_cube(grid, job_of(48)).value().shape, "4 columns x 4 rows of leaves, 3 hosts each");
    EXPECT_EQ(place_cube(grid, job_of(63)).value().shape, "4 columns x 4 rows of leaves, 3 or 4 hosts each");
    EXPECT_EQ(place_cube(grid, job_of(1)).value().shape, "1 column x 1 row of leaves, 1 host each");
}

TEST(PowersOfTwo, PlacesThe729HostsOfTheSource) {
    const auto placement = place_powers_of_two(full_grid_of(37, 2), job_of(729)).value();
    EXPECT_EQ(placement.shape, "16 columns x 32 rows of leaves, 1 or 2 hosts each");
    EXPECT_NE(placement.reason.find("11 phases"), std::string::npos);
}

TEST(PowersOfTwo, TakesNoOtherNumbers) {
    const auto placement = place_powers_of_two(full_grid_of(5, 1), job_of(9));
    EXPECT_FALSE(placement.has_value());  // 8 leaves are too few, 16 too many
    EXPECT_EQ(place_powers_of_two(full_grid_of(5, 2), job_of(9)).value().shape,
              "2 columns x 4 rows of leaves, 1 or 2 hosts each");
}

TEST(EqualHosts, HasNoSurplusWhereTheNumberCanBeDivided) {
    const auto placement = place_equal_hosts(full_grid_of(5, 6), job_of(30)).value();
    EXPECT_TRUE(placement.surplus.empty());
    std::map<int, int> by_leaf;
    for (const std::int32_t host : placement.hosts) ++by_leaf[host / 10];
    for (const auto& [leaf, hosts] : by_leaf) EXPECT_EQ(hosts, by_leaf.begin()->second);
}

TEST(EqualHosts, RoundsUpWhereItCannot) {
    // 23 of at most 6 a leaf: 24 hosts, one of them in surplus.
    const auto placement = place_equal_hosts(full_grid_of(5, 6), job_of(23)).value();
    EXPECT_EQ(placement.hosts.size(), 23U);
    EXPECT_EQ(placement.surplus.size(), 1U);
    // On leaves of which some have fewer free hosts.
    const LeafGrid grid = grid_of({{2, 2, 1}, {2, 2, 1}, {1, 1, 1}});
    EXPECT_EQ(place_equal_hosts(grid, job_of(8)).value().shape, "2 columns x 2 rows of leaves, 2 hosts each");
    EXPECT_EQ(place_equal_hosts(grid, job_of(9)).value().shape, "3 columns x 3 rows of leaves, 1 host each");
    EXPECT_FALSE(place_equal_hosts(grid, job_of(10)).has_value());
}

}  // namespace
}  // namespace coll_topo::test
