// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/in_order/line_tree.hpp"
#include "test/algorithm/machine.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace coll_topo::test {
namespace {

std::vector<Grid> grids() {
    std::vector<Grid> all;
    for (const std::vector<int>& sizes : std::vector<std::vector<int>>{{2}, {7}, {8}, {5, 4}, {3, 4, 2}}) {
        for (const bool wrapped : {true, false}) {
            all.push_back(full_grid(sizes, 1, wrapped));
            all.push_back(full_grid(sizes, 3, wrapped));
        }
    }
    std::vector<int> rank_counts(16, 2);
    rank_counts[6] = 0;
    rank_counts[9] = 5;
    const Machine holes = make_machine({{4, 4}}, rank_counts, RankOrder::shuffled);
    all.push_back(Grid::from_torus(holes.fabric, holes.placement).value());
    return all;
}

std::vector<Problem> all_problems(const Grid& grid) {
    const Algorithm& row = *find_algorithm("middle_reduce");
    std::vector<Problem> all = problems(row, Collective::allreduce, grid);
    for (const Problem& problem : problems(row, Collective::reduce, grid)) all.push_back(problem);
    return all;
}

TEST(MiddleReduce, BringsNoRankMoreThanTwoMessagesInAStep) {
    bool two = false;
    for (const Grid& grid : grids()) {
        for (const Problem& problem : all_problems(grid)) {
            for (const Program& program : build_all(*find_algorithm("middle_reduce"), grid, problem)) {
                for (const Step& step : program.steps) {
                    const auto arriving = std::ranges::count_if(program.actions_of(step), is_receive);
                    ASSERT_LE(arriving, 2) << grid.summary();
                    two = two || arriving == 2;
                }
            }
        }
    }
    EXPECT_TRUE(two);
}

// Of the places of two ranks, those apart by one on one axis of the grid.
int axes_apart_by_one(const CoordinateLines& lines, int a, int b) {
    int apart = 0;
    const auto& axes = lines.grid().axes();
    for (int axis = 0; axis < static_cast<int>(axes.size()); ++axis) {
        const int distance = std::abs(lines.coordinate(a, axis) - lines.coordinate(b, axis));
        if (distance == 0) continue;
        const bool around = axes[axis].wrapped && distance == axes[axis].size - 1;
        apart += distance == 1 || around ? 1 : 100;
    }
    return apart;
}

TEST(MiddleReduce, SendsToNeighboursOnlyAndOverNoLinkTwice) {
    for (const Grid& grid : grids()) {
        const CoordinateLines lines(grid);
        const LineTree tree = LineTree::to_middle(lines, -1, false, false);
        std::map<std::pair<int, int>, int> links;
        int edges = 0;
        for (int rank = 0; rank < grid.ranks(); ++rank) {
            for (const TreeEdge& edge : tree.edges(rank)) {
                if (!edge.to_parent) continue;
                ++edges;
                const int here = lines.place(rank), there = lines.place(edge.peer);
                ASSERT_LE(axes_apart_by_one(lines, here, there), 1) << grid.summary();
                if (here != there) {
                    EXPECT_EQ(++links[std::pair(here, there)], 1);
                }
            }
        }
        EXPECT_EQ(edges, grid.ranks() - 1);
    }
}

TEST(MiddleReduce, MeetsAfterHalfOfEachLine) {
    const auto rounds = [](const Grid& grid, int root) {
        return LineTree::to_middle(CoordinateLines(grid), root, false, false).rounds();
    };
    EXPECT_EQ(rounds(full_grid({8, 5}), -1), 4 + 2);
    EXPECT_EQ(rounds(full_grid({8, 5}, 1, false), -1), 4 + 2);
    EXPECT_EQ(rounds(full_grid({8, 5}, 4), -1), 4 + 2 + 2) << "and of the ranks of a host";
    EXPECT_EQ(rounds(full_grid({8, 5}), 0), 4 + 2) << "on a ring the root is as good as the middle";
    EXPECT_EQ(rounds(full_grid({8, 5}, 1, false), 0), 7 + 4) << "in the corner of a mesh";
    EXPECT_EQ(LineTree::in_coordinate_order(CoordinateLines(full_grid({8, 5}))).rounds(), 7 + 4);
}

TEST(MiddleReduce, MeetsAtTheRootOfAReduce) {
    for (const Grid& grid : grids()) {
        for (int root = 0; root < grid.ranks(); ++root) {
            for (const bool second : {false, true}) {
                EXPECT_EQ(LineTree::to_middle(CoordinateLines(grid), root, false, second).top(), root);
            }
        }
    }
}

TEST(MiddleReduce, HalvesUseBothDirectionsOfARing) {
    const Grid grid = full_grid({8});
    const CoordinateLines lines(grid);
    const LineTree first = LineTree::to_middle(lines, -1, false, false),
                   second = LineTree::to_middle(lines, -1, false, true);
    EXPECT_EQ(first.top(), 4);
    EXPECT_EQ(second.top(), 0);
    EXPECT_EQ(first.rounds(), second.rounds());
}

TEST(MiddleReduce, HalvesMeetInBothPlacesInTheMiddleOfALine) {
    for (const bool ascending : {false, true}) {
        const Grid grid = full_grid({8}, 1, false);
        const CoordinateLines lines(grid);
        EXPECT_EQ(LineTree::to_middle(lines, -1, ascending, false).top(), 4);
        EXPECT_EQ(LineTree::to_middle(lines, -1, ascending, true).top(), 3);
    }
}

}  // namespace
}  // namespace coll_topo::test
