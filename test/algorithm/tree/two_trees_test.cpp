// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/tree/two_trees.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <utility>
#include <vector>

namespace coll_topo {
namespace {

using Messages = std::set<std::pair<int, int>>;  // from, to

// The messages of a reduce in one colour; positions are renamed.
Messages messages(int colour, const std::vector<int>& ranks) {
    const TwoTrees trees(static_cast<int>(ranks.size()));
    Messages messages;
    for (int tree = 0; tree < TwoTrees::trees; ++tree) {
        for (int position = 1; position < trees.positions(); ++position) {
            if (trees.colour(tree, position) != colour) continue;
            messages.emplace(ranks[position], ranks[trees.parent(tree, position)]);
        }
    }
    return messages;
}

TEST(TwoTrees, AreThoseOfTheSource) {
    const std::vector<int> group = {0, 1, 2, 3, 4, 5, 6, 7};
    EXPECT_EQ(messages(0, group), (Messages{{1, 2}, {7, 6}, {4, 3}, {6, 7}, {2, 4}, {3, 5}, {5, 0}}));
    EXPECT_EQ(messages(1, group), (Messages{{3, 2}, {5, 6}, {2, 3}, {1, 7}, {6, 4}, {7, 5}, {4, 0}}));
    const std::vector<int> representatives = {0, 8, 16, 24};
    EXPECT_EQ(messages(0, representatives), (Messages{{24, 16}, {8, 24}, {16, 0}}));
    EXPECT_EQ(messages(1, representatives), (Messages{{8, 16}, {16, 24}, {24, 0}}));
}

TEST(TwoTrees, SendAndReceiveOnceInEachColour) {
    for (int positions = 1; positions <= 300; ++positions) {
        const TwoTrees trees(positions);
        std::set<std::pair<int, int>> sends, receives;  // position, colour
        for (int tree = 0; tree < TwoTrees::trees; ++tree) {
            for (int position = 1; position < positions; ++position) {
                const int colour = trees.colour(tree, position);
                EXPECT_TRUE(colour == 0 || colour == 1);
                EXPECT_TRUE(sends.emplace(position, colour).second) << positions << ": " << position;
                EXPECT_TRUE(receives.emplace(trees.parent(tree, position), colour).second)
                    << positions << " positions: two messages of colour " << colour << " to "
                    << trees.parent(tree, position);
            }
        }
    }
}

// From the definition: the root of a run of m positions is its position 2^floor(log2 m).
void list_parents(int first, int last, int parent, std::vector<int>& parents) {
    if (first > last) return;
    const int root = first - 1 + static_cast<int>(std::bit_floor(static_cast<unsigned>(last - first + 1)));
    parents[root] = parent;
    list_parents(first, root - 1, root, parents);
    list_parents(root + 1, last, root, parents);
}

TEST(TwoTrees, AreTheInOrderTreeAndItsShift) {
    for (int positions = 2; positions <= 300; ++positions) {
        const TwoTrees trees(positions);
        const int last = positions - 1;
        std::vector<int> parents(positions, 0);
        list_parents(1, last, 0, parents);
        const auto shifted = [last](int position) { return position == 0 ? 0 : position % last + 1; };
        for (int position = 1; position <= last; ++position) {
            ASSERT_EQ(trees.parent(0, position), parents[position]) << positions << ": " << position;
            ASSERT_EQ(trees.parent(1, shifted(position)), shifted(parents[position])) << positions << ": " << position;
        }
    }
}

TEST(TwoTrees, KnowTheirChildrenAndDepths) {
    for (int positions = 1; positions <= 300; ++positions) {
        const TwoTrees trees(positions);
        int deepest = 0;
        for (int tree = 0; tree < TwoTrees::trees; ++tree) {
            int children = 0;
            for (int position = 0; position < positions; ++position) {
                for (const int child : trees.children(tree, position)) {
                    if (child == 0) continue;
                    ++children;
                    EXPECT_EQ(trees.parent(tree, child), position);
                    EXPECT_EQ(trees.depth(tree, child), position == 0 ? 1 : trees.depth(tree, position) + 1);
                    deepest = std::max(deepest, trees.depth(tree, child));
                }
            }
            EXPECT_EQ(children, positions - 1) << "each position is the child of one";
        }
        EXPECT_EQ(deepest, trees.height());
        EXPECT_EQ(trees.height(), std::bit_width(static_cast<unsigned>(positions - 1)));
    }
}

TEST(TwoTrees, BranchAPositionInOneTreeAtMost) {
    for (int positions = 1; positions <= 300; ++positions) {
        const TwoTrees trees(positions);
        for (int position = 1; position < positions; ++position) {
            const auto branches = [&](int tree) { return trees.children(tree, position) != std::array{0, 0}; };
            EXPECT_FALSE(branches(0) && branches(1)) << positions << ": " << position;
        }
    }
}

}  // namespace
}  // namespace coll_topo
