// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/stages/stage_way.hpp"

#include "coll_topo/algorithm/stages/cable_load.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace coll_topo {
namespace {

/// Every message on every cable of its way, one by one.
class OneByOne {
public:
    explicit OneByOne(const Torus& torus) : torus_(torus) {}

    void add(std::int64_t from, std::int64_t to) {
        for (const std::int64_t link : route(from, to)) ++messages_[link];
    }
    int most(std::int64_t from, std::int64_t to) {
        int most = 0;
        for (const std::int64_t link : route(from, to)) most = std::max(most, messages_[link]);
        return most;
    }
    std::vector<std::int64_t> route(std::int64_t from, std::int64_t to) const {
        std::vector<std::int64_t> links;
        torus_.route(from, to, links);
        return links;
    }

private:
    const Torus& torus_;
    std::map<std::int64_t, int> messages_;  // by link
};

TEST(CableLoad, CountsTheMessagesOnTheWaysThatRoutingTakes) {
    for (const Tie tie : {Tie::parity, Tie::positive, Tie::negative}) {
        const Torus torus("mixed", {{5, false, 1, 0.25}, {4, true, 1, 0.25}, {2, true, 1, 0.25}}, tie);
        std::mt19937 random(7);
        const auto cell = [&] { return static_cast<std::int64_t>(random() % torus.cells()); };
        std::vector<std::pair<std::int64_t, std::int64_t>> messages;
        for (int i = 0; i < 200; ++i) messages.emplace_back(cell(), cell());
        CableLoad load(torus);
        OneByOne count(torus);
        for (const auto& [from, to] : messages) {
            load.add(from, to);
            count.add(from, to);
        }
        load.sum_up();
        for (const auto& [from, to] : messages) {
            const CableLoad::Way way = load.way(from, to);
            EXPECT_EQ(way.per_byte, count.most(from, to)) << from << " to " << to;
            EXPECT_EQ(way.latency, 0.25 * static_cast<double>(count.route(from, to).size())) << from << " to " << to;
        }
    }
}

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
        OneByOne count(grid.cells()->part());
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
