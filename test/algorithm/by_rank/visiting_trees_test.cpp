// SPDX-License-Identifier: BSD-3-Clause
//
// What the trees of multi_tree claim of links, leaves and ranks.
#include "coll_topo/algorithm/by_rank/visiting_trees.hpp"

#include "test/algorithm/by_rank/parts_of_tori.hpp"
#include "test/algorithm/by_rank/tree_depth.hpp"
#include "test/algorithm/fat_tree.hpp"
#include "test/grid/switch_fixture.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

namespace coll_topo::test {
namespace {

using Trees = VisitingTrees;

Grid torus_with(const std::vector<int>& sizes, int ranks_per_host) {
    const Fabric fabric = equal_torus(sizes);
    return Grid::from_torus(fabric, ranks_on_all(fabric, ranks_per_host)).value();
}

Grid tree_with(int leaves, int hosts_per_leaf, int ranks_per_host) {
    const Fabric fabric = grouped_fat_tree({leaves}, hosts_per_leaf);
    return Grid::from_switches(fabric, ranks_on_all(fabric, ranks_per_host)).value();
}

/// Calls visit(parent, child) for each edge of each tree.
template <typename Visit>
void for_edges(const Trees& trees, Visit&& visit) {
    for (int lane = 0; lane < trees.lanes(); ++lane) {
        const auto parents = trees.parents(lane);
        for (int rank = 0; rank < static_cast<int>(parents.size()); ++rank) {
            if (parents[rank] >= 0) visit(parents[rank], rank);
        }
    }
}

TEST(VisitingTrees, ReachEveryRankFromEveryRoot) {
    const Fabric groups = dragonfly_fabric(3);
    const Grid of_groups = Grid::from_switches(groups, ranks_on_all(groups, 2)).value();
    const Grid scattered = grid_of({"scattered", {5, 5}, {0, 3, 7, 8, 14, 16, 22}}, 3);
    for (const Grid& grid : {torus_with({4, 3}, 3), scattered, tree_with(3, 2, 3), tree_with(3, 1, 2), of_groups}) {
        for (int root = 0; root < grid.ranks(); ++root) {
            for (const auto shape : {Trees::Shape::circle, Trees::Shape::box, Trees::Shape::packed}) {
                if (grid.switched() && shape == Trees::Shape::box) continue;
                if (shape == Trees::Shape::packed && !Trees::can_be_packed(grid)) continue;
                for (const int lanes : {2, 3, 8, 16}) {
                    const int variants = Trees::variants(grid, root, lanes, shape);
                    for (int visits = variants; visits <= variants * grid.fewest_ranks_per_host(); ++visits) {
                        const auto collective = visits % 2 == 1 ? Collective::bcast : Collective::reduce;
                        const Trees trees(grid, root, lanes, shape, visits, collective);
                        ASSERT_EQ(trees.lanes(), lanes);
                        for (int lane = 0; lane < lanes; ++lane) {
                            const auto parents = trees.parents(lane);
                            for (int rank = 0; rank < grid.ranks(); ++rank) {
                                EXPECT_LT(tree_depth(parents, rank), grid.ranks()) << "a circle";
                                EXPECT_EQ(parents[rank] < 0, rank == root);
                            }
                        }
                    }
                }
            }
        }
    }
}

TEST(VisitingTrees, LoadAllLinksOfATorusAlike) {
    const Grid grid = torus_with({4, 3}, 4);
    for (int visits = 2; visits <= 8; ++visits) {
        std::map<std::pair<int, int>, int> times;
        for_edges(Trees(grid, 5, 8, Trees::Shape::box, visits, Collective::reduce), [&](int parent, int child) {
            if (grid.host(parent) != grid.host(child)) ++times[{grid.host(parent), grid.host(child)}];
        });
        EXPECT_EQ(times.size(), 4u * grid.hosts());
        for (const auto& [link, count] : times) {
            // Of four ranks there, one is the root.
            if (link.second == grid.host(5))
                EXPECT_LE(count, visits);
            else
                EXPECT_EQ(count, visits);
        }
    }
}

TEST(VisitingTrees, GiveAllRanksOfATorusAsMuchToCombine) {
    const Grid grid = torus_with({4, 3}, 4);
    for (const auto shape : {Trees::Shape::box, Trees::Shape::circle}) {
        std::map<int, int> children;
        const int visits = 4 * Trees::variants(grid, 5, 8, shape);
        for_edges(Trees(grid, 5, 8, shape, visits, Collective::reduce),
                  [&](int parent, int) { ++children[grid.host(parent)]; });
        for (const auto& [host, count] : children) EXPECT_NEAR(count, 8 * 4, 8) << host;
        EXPECT_EQ(children.size(), 12u);
    }
}

TEST(VisitingTrees, EnterEachLeafOnce) {
    const Grid grid = tree_with(3, 4, 4);
    for (int visits = 4; visits <= 16; ++visits) {
        int entered = 0;
        for_edges(Trees(grid, 5, 8, Trees::Shape::circle, visits, Collective::reduce), [&](int parent, int child) {
            const auto leaf = [&](int rank) { return grid.leaves().leaf(grid.host(rank)); };
            entered += leaf(parent) != leaf(child) ? 1 : 0;
        });
        EXPECT_EQ(entered, 8 * 2);
    }
}

/// Of these numbers the greatest less the least.
int spread(const std::vector<int>& numbers, int begin, int end) {
    const auto [least, most] = std::minmax_element(numbers.begin() + begin, numbers.begin() + end);
    return *most - *least;
}

TEST(VisitingTrees, LetHostsAndRanksOfALeafSendAlike) {
    constexpr int leaves = 6;
    for (const auto& [hosts, ranks, lanes] : {std::array{4, 2, 4}, {5, 2, 8}, {8, 4, 4}, {4, 4, 8}}) {
        const Grid grid = tree_with(leaves, hosts, ranks);
        for (int visits = lanes / 2; visits <= lanes / 2 * ranks; ++visits) {
            std::vector<int> by_host(grid.hosts(), 0), by_rank(grid.ranks(), 0);
            for_edges(Trees(grid, 0, lanes, Trees::Shape::circle, visits, Collective::reduce),
                      [&](int parent, int child) {
                          ++by_rank[parent];
                          if (grid.host(parent) != grid.host(child)) ++by_host[grid.host(parent)];
                      });
            for (int leaf = 1; leaf < leaves; ++leaf) {
                const int begin = leaf * hosts, end = begin + hosts;
                EXPECT_LE(spread(by_host, begin, end), 3) << "leaf " << leaf << ", visits " << visits;
                EXPECT_LE(spread(by_rank, begin * ranks, end * ranks), 6) << "leaf " << leaf << ", visits " << visits;
            }
        }
    }
}

TEST(VisitingTrees, GoOnFromAnotherHost) {
    for (const int hosts_per_leaf : {2, 3, 4, 7}) {
        const Grid grid = tree_with(3, hosts_per_leaf, 3);
        for (int visits = 2; visits <= 6; ++visits) {
            int within = 0;
            for_edges(Trees(grid, 0, 4, Trees::Shape::circle, visits, Collective::reduce), [&](int parent, int child) {
                if (grid.host(child) != 0) within += grid.host(parent) == grid.host(child) ? 1 : 0;
            });
            // All but the entries: lanes of a kind visit so often together.
            EXPECT_EQ(within, (3 * hosts_per_leaf - 1) * (4 * 3 - 2 * visits));
        }
    }
}

TEST(VisitingTrees, PassFewLeaves) {
    const Grid grid = tree_with(8, 3, 2);
    const auto leaf = [&](int rank) { return grid.leaves().leaf(grid.host(rank)); };
    std::vector<int> below(8, 0);
    const Trees trees(grid, 7, 4, Trees::Shape::circle, 4, Collective::reduce);
    for (int lane = 0; lane < trees.lanes(); ++lane) {
        const auto parents = trees.parents(lane);
        for (int rank = 0; rank < grid.ranks(); ++rank) {
            int entered = 0;
            for (int at = rank; parents[at] >= 0; at = parents[at]) entered += leaf(at) != leaf(parents[at]) ? 1 : 0;
            // One below the leaf of the root, two below that, and four below those.
            EXPECT_LE(entered, 3) << "rank " << rank << ", lane " << lane;
            if (parents[rank] >= 0 && leaf(rank) != leaf(parents[rank])) ++below[leaf(parents[rank])];
        }
    }
    // No leaf sends more than one that has a single one below it in every lane.
    for (const int leaves : below) EXPECT_LE(leaves, trees.lanes());
}

TEST(VisitingTrees, LetTheRootServeItsHostAsOftenAsOthersServeTheirs) {
    const Grid grid = tree_with(3, 4, 2);
    for (const auto collective : {Collective::reduce, Collective::bcast}) {
        int within = 0, over_network = 0;
        for_edges(Trees(grid, 5, 4, Trees::Shape::circle, 2, collective), [&](int parent, int child) {
            if (child != 4) return;  // the other rank of that host
            within += parent == 5 ? 1 : 0;
            over_network += grid.host(parent) != grid.host(5) ? 1 : 0;
        });
        EXPECT_EQ(within, collective == Collective::bcast ? 2 : 0);
        EXPECT_EQ(over_network, collective == Collective::bcast ? 2 : 4);
    }
}

TEST(VisitingTrees, MakeAllRanksOfAHostEntriesAsOften) {
    const Grid grid = torus_with({4, 3}, 4);
    for (int visits = 2; visits <= 8; ++visits) {
        std::map<int, int> within;
        for_edges(Trees(grid, 0, 8, Trees::Shape::box, visits, Collective::reduce),
                  [&](int parent, int child) { within[child] += grid.host(parent) == grid.host(child) ? 1 : 0; });
        for (int rank = 4; rank < grid.ranks(); ++rank) EXPECT_EQ(within[rank], 8 - visits) << rank;
    }
}

}  // namespace
}  // namespace coll_topo::test
