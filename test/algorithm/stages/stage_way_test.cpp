// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/stages/stage_way.hpp"

#include "test/fabric/one_by_one.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace coll_topo {
namespace {

/// On a cable of a byte and a link a second.
Fabric unit_torus(const std::vector<int>& sizes) {
    Fabric fabric = test::equal_torus(sizes);
    std::vector<TorusDimension> dimensions;
    for (const int size : sizes) dimensions.push_back({size, true, 1, 1});
    fabric.network = Torus("unit", dimensions, Tie::parity);
    return fabric;
}

TEST(StageWay, IsCountedOnALineThatWindsThroughATorus) {
    // 12 hosts that fill no box: stages of 2, 2 and 3.
    const Fabric fabric = unit_torus({6, 6});
    const Grid grid = Grid::from_torus(fabric, test::ranks_on({0, 3, 7, 10, 14, 17, 18, 22, 26, 27, 31, 35})).value();
    ASSERT_EQ(grid.axes().size(), 1u);
    ASSERT_EQ(grid.extra_hosts(), 0);
    const StageOrder stage_order(grid, 0);
    ASSERT_EQ(stage_order.stages().size(), 3u);
    for (const Stage& stage : stage_order.stages()) {
        test::OneByOne count(grid.cells()->part());
        const auto for_messages = [&](auto visit) {
            for (int place = 0; place < grid.places(); ++place) {
                for (int member = 0; member < stage.radix; ++member) {
                    const int other = stage_order.place_of_member(place, stage, member);
                    if (other != place) visit(grid.cells()->cell(place), grid.cells()->cell(other));
                }
            }
        };
        for_messages([&](auto from, auto to) { count.add(from, to); });
        double sum = 0, longest = 0;
        for_messages([&](auto from, auto to) {
            sum += count.most(from, to);
            longest = std::max(longest, static_cast<double>(count.route(from, to).size()));
        });
        const StageWay way = stage_way(grid, stage_order, stage);
        EXPECT_EQ(way.latency, longest);
        EXPECT_DOUBLE_EQ(way.per_byte, sum / (12 * (stage.radix - 1)));
    }
}

TEST(StageWay, OfADimensionIsThatOfItsFormula) {
    const Fabric fabric = unit_torus({8, 3});
    const Grid grid = Grid::from_torus(fabric, test::ranks_on_all(fabric)).value();
    const StageOrder stage_order(grid, 0);
    const Stage& farthest = stage_order.stages()[2];  // 4 apart on the ring of 8: half of the messages either way
    ASSERT_EQ(farthest.stride, 4);
    EXPECT_EQ(stage_way(grid, stage_order, farthest).latency, 4);
    EXPECT_EQ(stage_way(grid, stage_order, farthest).per_byte, 2);
}

}  // namespace
}  // namespace coll_topo
