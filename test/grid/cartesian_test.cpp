// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/cartesian.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

namespace coll_topo {
namespace {

using test::full_grid;
using Neighbors = std::vector<int>;

Neighbors neighbors_of(const Cartesian& cartesian, int rank) {
    Neighbors all;
    for (int number = 0; number < cartesian.neighbors(); ++number) all.push_back(cartesian.neighbor(rank, number));
    return all;
}

TEST(Cartesian, NumbersRanksAndNeighboursAsMpiDoes) {
    const Cartesian box({{2, false}, {3, true}});  // 0 1 2 above 3 4 5
    EXPECT_EQ(box.ranks(), 6);
    EXPECT_EQ(neighbors_of(box, 0), (Neighbors{-1, 3, 2, 1}));
    EXPECT_EQ(neighbors_of(box, 4), (Neighbors{1, -1, 3, 5}));
    EXPECT_EQ(box.text(), "2x3 ranks, periodic in dimension 1");
}

TEST(Cartesian, MayHaveARankAsBothNeighboursOrAsItsOwn) {
    EXPECT_EQ(neighbors_of(Cartesian({{2, true}}), 0), (Neighbors{1, 1}));
    EXPECT_EQ(neighbors_of(Cartesian({{2, false}}), 0), (Neighbors{-1, 1}));
    EXPECT_EQ(neighbors_of(Cartesian({{1, true}, {1, false}}), 0), (Neighbors{0, 0, -1, -1}));
    EXPECT_EQ(neighbors_of(Cartesian({}), 0), Neighbors());
}

TEST(Cartesian, IsWhatItIsToItsNeighboursTheOtherWayRound) {
    const Cartesian box({{3, true}, {2, true}, {4, false}});
    for (int rank = 0; rank < box.ranks(); ++rank) {
        for (int number = 0; number < box.neighbors(); ++number) {
            const int neighbor = box.neighbor(rank, number);
            if (neighbor < 0) continue;
            EXPECT_EQ(box.neighbor(neighbor, Cartesian::opposite(number)), rank);
        }
    }
}

TEST(Cartesian, LiesAlongTheAxesOfAGridWithTheFirstOneLast) {
    using Dimensions = std::vector<Cartesian::Dimension>;
    EXPECT_EQ(cartesian_along_axes(full_grid({3, 4}))->dimensions(), (Dimensions{{4, true}, {3, true}}));
    EXPECT_EQ(cartesian_along_axes(full_grid({3, 4}, 2, false))->dimensions(),
              (Dimensions{{4, false}, {3, false}, {2, false}}));
    EXPECT_EQ(cartesian_along_axes(full_grid({1}, 3))->dimensions(), (Dimensions{{3, false}}));
    const Fabric fabric = test::equal_torus({3, 2});
    const Grid with_extra = Grid::from_torus(fabric, test::ranks_on({0, 1, 2, 3, 4})).value();
    EXPECT_EQ(cartesian_along_axes(with_extra), std::nullopt);
}

}  // namespace
}  // namespace coll_topo
