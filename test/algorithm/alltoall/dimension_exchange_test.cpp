// SPDX-License-Identifier: BSD-3-Clause
//
// Exchange along dimensions, and Bruck's along dimensions: how many messages, over which links, how many copies. The
// proof grid shows that they are right.

#include "test/algorithm/fat_tree.hpp"
#include "test/algorithm/machine.hpp"
#include "test/algorithm/rounds.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>

namespace coll_topo::test {
namespace {

constexpr Problem alltoall(int aggregators, int lanes) {
    return {Collective::alltoall, aggregators, lanes};
}

const Algorithm& exchange() {
    return *find_algorithm("dimension_exchange");
}
const Algorithm& bruck() {
    return *find_algorithm("dimension_bruck");
}

int count(const Program& program, bool (*matches)(const Action&)) {
    return static_cast<int>(std::ranges::count_if(program.actions, matches));
}

int blocks_copied(const Program& program) {
    int blocks = 0;
    for (const Action& action : program.actions) blocks += is_transfer(action) ? 0 : action.count;
    return blocks;
}

const std::vector<std::vector<int>> shapes = {{2}, {7}, {4, 4}, {3, 5}, {2, 2, 2}, {5, 4, 3}, {2, 3, 2, 4}, {9, 8}};

TEST(DimensionExchange, SendsOneMessageToEachOtherPlaceOfItsLines) {
    for (const std::vector<int>& sizes : shapes) {
        int others = 0, bits = 0;
        for (const int size : sizes) {
            others += size - 1;
            bits += std::bit_width(static_cast<unsigned>(size - 1));
        }
        for (const bool wrapped : {true, false}) {
            const Grid grid = full_grid(sizes, 1, wrapped);
            SCOPED_TRACE(grid.summary());
            for (const int lanes : {1, 2, 3}) {
                for (const Program& program : build_all(exchange(), grid, alltoall(1, lanes))) {
                    EXPECT_EQ(count(program, is_send), lanes * others);
                    EXPECT_EQ(count(program, is_receive), lanes * others);
                }
            }
            for (const Program& program : build_all(bruck(), grid, alltoall(1, 1))) {
                EXPECT_EQ(count(program, is_send), bits);
                EXPECT_EQ(count(program, is_receive), bits);
            }
        }
    }
}

// Messages to ranks of other hosts.
int messages_between_hosts(const Schedule& schedule, const Grid& grid) {
    int messages = 0;
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        for (const Action& action : schedule[rank].actions) {
            if (is_send(action) && grid.host(action.peer) != grid.host(rank)) ++messages;
        }
    }
    return messages;
}

TEST(DimensionExchange, SendsOneMessageForEachAggregatorBetweenTwoHostsOfALine) {
    const Grid grid = full_grid({4, 3}, 6);
    for (const int aggregators : {1, 2, 3, 6}) {
        const Schedule schedule = build_all(exchange(), grid, alltoall(aggregators, 1));
        EXPECT_EQ(messages_between_hosts(schedule, grid), 12 * aggregators * (3 + 2));
        // What goes to the aggregators of a host, less what these have themselves, and back.
        const int within_host = 6 * aggregators - aggregators + 6 - aggregators;
        EXPECT_EQ(test::messages_sent(schedule), 12 * (aggregators * (3 + 2) + within_host))
            << aggregators << " aggregators";
    }
}

// Slices on the busiest link, step by step, where every lane has as many steps with messages.
std::vector<std::int64_t> busiest_links(const std::vector<int>& sizes, bool wrapped, int lanes) {
    const Fabric fabric = equal_torus(sizes, wrapped);
    const Placement placement = ranks_on_all(fabric);
    const Grid grid = Grid::from_torus(fabric, placement).value();
    std::vector<std::int64_t> blocks;
    for (const StepLoad& load : link_load(build_all(exchange(), grid, alltoall(1, lanes)), fabric, placement)) {
        if (load.messages > 0) blocks.push_back(load.blocks);
    }
    return blocks;
}

std::int64_t sum(const std::vector<std::int64_t>& blocks) {
    return std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0});
}

// d²/8 pairs of places of a ring use a link, (d² - 1)/8 if d is odd, d²/4 on a line; p/d² pieces go from place to
// place.
TEST(DimensionExchange, LoadsLinksUpToTheBisectionBoundWithALaneForEachAxis) {
    for (const int size : {3, 4, 5, 7, 8}) {
        const int slices = 2, pieces = size * (size % 2 == 0 ? size * size : size * size - 1) / 8;
        EXPECT_EQ(sum(busiest_links({size, size}, true, 2)), pieces * slices) << size << "x" << size << " torus";
        EXPECT_EQ(sum(busiest_links({size, size}, true, 1)), 2 * pieces) << "one axis after the other";
    }
    for (const int size : {2, 4, 6, 8}) {
        const int slices = 2, pieces = size * size * size / 4;
        EXPECT_EQ(sum(busiest_links({size, size}, false, 2)), pieces * slices) << size << "x" << size << " mesh";
    }
    for (const std::vector<int>& sizes : std::vector<std::vector<int>>{{4, 4, 4}, {8, 4, 4}, {5, 5, 5}, {4, 8, 4}}) {
        const int longest = *std::ranges::max_element(sizes), lanes = 3;
        const int ranks = std::accumulate(sizes.begin(), sizes.end(), 1, std::multiplies<>());
        const int pieces = longest % 2 == 0 ? ranks * longest / 8 : ranks / longest * (longest * longest - 1) / 8;
        EXPECT_EQ(sum(busiest_links(sizes, true, lanes)), pieces * lanes);
    }
}

// Where all messages of a host take the same one of the two cables.
TEST(DimensionExchange, TakesAsLongInARingOfTwoAsOnALine) {
    for (const std::vector<int>& sizes : std::vector<std::vector<int>>{{2}, {2, 2}, {2, 2, 2}}) {
        const Grid rings = full_grid(sizes, 1, true), lines = full_grid(sizes, 1, false);
        ASSERT_EQ(rings.axes()[0].bandwidth, 2 * lines.axes()[0].bandwidth);
        for (const Algorithm* algorithm : {&exchange(), &bruck()}) {
            const Problem problem = alltoall(1, 1);
            EXPECT_EQ(algorithm->seconds(rings, problem, 1 << 20), algorithm->seconds(lines, problem, 1 << 20));
        }
    }
}

TEST(DimensionExchange, CopiesABlockOncePerAxisAtMostWhereRanksFollowTheAxes) {
    for (const std::vector<int>& sizes : shapes) {
        const Grid grid = full_grid(sizes);
        const int axes = static_cast<int>(grid.axes().size());
        for (const Program& program : build_all(exchange(), grid, alltoall(1, 1))) {
            EXPECT_LE(blocks_copied(program), axes * grid.ranks()) << grid.summary();
        }
        for (const Program& program : build_all(exchange(), grid, alltoall(1, axes))) {
            EXPECT_LE(blocks_copied(program), (axes + 1) * axes * grid.ranks()) << grid.summary();
        }
    }
    const Grid line = full_grid({9});
    for (const Program& program : build_all(exchange(), line, alltoall(1, 1))) {
        EXPECT_EQ(blocks_copied(program), 1) << "all but the own piece go from buffer to buffer";
    }
}

TEST(DimensionExchange, ServesUnequalHostsAndHoles) {
    const Shape shape{{4, 3}};
    const Machine machine = make_machine(shape, {3, 1, 2, 0, 1, 1, 4, 1, 2, 1, 1, 1}, RankOrder::shuffled, 3);
    const Grid grid = Grid::from_torus(machine.fabric, machine.placement).value();
    ASSERT_GT(grid.extra_hosts(), 0);
    for (const Algorithm* algorithm : {&exchange(), &bruck()}) {
        const auto proved = prove(Collective::alltoall, build_all(*algorithm, grid, alltoall(1, 1)));
        EXPECT_TRUE(proved) << proved.error().text();
    }
}

TEST(DimensionExchange, LeavesSwitchesToBruckWhichSendsAMessagePerBitOfALine) {
    bool some_with_extras = false, some_without = false;
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        const Machine machine = roll_fat_tree(static_cast<int>(3 + seed), seed);
        const Grid grid = Grid::from_fabric(machine.fabric, machine.placement).value();
        if (grid.most_ranks_per_host() > 1) continue;
        SCOPED_TRACE(grid.summary() + ", seed " + std::to_string(seed));
        EXPECT_EQ(exchange().refusal(grid, alltoall(1, 1)), "made for tori and meshes");
        int bits = 0;
        for (const Axis& axis : grid.axes()) bits += std::bit_width(static_cast<unsigned>(axis.size - 1));
        const bool extras = grid.extra_hosts() > 0;
        if (extras) bits = std::bit_width(static_cast<unsigned>(grid.hosts() - 1));
        (extras ? some_with_extras : some_without) = true;
        for (const Program& program : build_all(bruck(), grid, alltoall(1, 1))) {
            EXPECT_EQ(count(program, is_send), bits);
            EXPECT_EQ(count(program, is_receive), bits);
        }
    }
    EXPECT_TRUE(some_with_extras && some_without);
}

}  // namespace
}  // namespace coll_topo::test
