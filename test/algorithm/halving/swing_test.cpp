// SPDX-License-Identifier: BSD-3-Clause
//
// The distances and link loads that Swing claims.
#include "coll_topo/algorithm/catalogue.hpp"
#include "coll_topo/algorithm/stages/stages.hpp"
#include "coll_topo/verify/proof.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace coll_topo {
namespace {

using test::build_all;
using test::equal_torus;
using test::full_grid;
using test::ranks_on_all;

const Algorithm& swing = *find_algorithm("swing");

TEST(SecondsOfHalves, AreThoseOfOneHalfForReduceScatterOfEqualBlocksToo) {
    const Fabric torus = equal_torus({4, 4});
    const Grid grid = Grid::from_torus(torus, ranks_on_all(torus)).value();
    for (const char* name : {"halving_doubling", "swing", "bucket", "bfb", "bfb_packed"}) {
        const Algorithm& row = *find_algorithm(name);
        EXPECT_EQ(row.seconds(grid, {.collective = Collective::reduce_scatter_block}, 1e6),
                  row.seconds(grid, {.collective = Collective::reduce_scatter}, 1e6))
            << name;
    }
}

TEST(Swing, PartnersAreAsFarApartAsThePaperSays) {
    const Grid ring = full_grid({64});
    const Program program = swing.build(ring, {Collective::allreduce}, 10);
    std::vector<int> ahead;
    for (int step = 0; step < 6; ++step) {
        const int peer = program.actions_of(program.steps[step])[0].peer;
        ahead.push_back((peer - 10 + 32 + 64) % 64 - 32);
    }
    EXPECT_EQ(ahead, (std::vector<int>{1, -1, 3, -5, 11, -21}));
}

TEST(Swing, OnRingsOfThreeToTheKPartnersAreThoseOfTrivance) {
    const Grid ring = full_grid({27});
    const Program program = swing.build(ring, {Collective::reduce_scatter}, 10);
    std::vector<std::vector<int>> partners;  // by step that has any, as places ahead
    int blocks = 0;
    for (const Step& step : program.steps) {
        std::vector<int> ahead;
        for (const Action& action : program.actions_of(step)) {
            if (!is_send(action)) continue;
            ahead.push_back((action.peer - 10 + 13 + 27) % 27 - 13);
            blocks += action.count;
        }
        std::ranges::sort(ahead);
        if (!ahead.empty()) partners.push_back(ahead);
    }
    EXPECT_EQ(partners, (std::vector<std::vector<int>>{{-1, 1}, {-3, 3}, {-9, 9}})) << "log3 of 27 steps, both ports";
    EXPECT_EQ(blocks, 26) << "nothing is sent twice";
}

TEST(Swing, OnOddRingsACableCarriesNoMoreThanTheStride) {
    const Fabric fabric = equal_torus({27});
    const Placement placement = ranks_on_all(fabric);
    const Grid grid = Grid::from_torus(fabric, placement).value();
    const auto load = [&](const char* name) {
        std::vector<int> messages;
        for (const StepLoad& step :
             link_load(build_all(*find_algorithm(name), grid, {Collective::allreduce}), fabric, placement)) {
            messages.push_back(step.messages);
        }
        return messages;
    };
    EXPECT_EQ(load("swing"), (std::vector<int>{1, 3, 9, 9, 3, 1})) << "as Trivance claims";
    EXPECT_EQ(load("halving_doubling"), (std::vector<int>{2, 6, 9, 9, 6, 2}));
}

TEST(Swing, DimensionsTakeTurns) {
    const Grid grid = full_grid({8, 2, 4});
    std::vector<std::string> order;
    const StageOrder stage_order = StageOrder::of_swing(grid, 0);
    for (const Stage& stage : stage_order.stages()) order.push_back(grid.axes()[stage.axis].name);
    // The ring of two has both its cables to one neighbour and comes first.
    EXPECT_EQ(order, (std::vector<std::string>{"y", "x", "z", "x", "z", "x"}));
}

TEST(Swing, SendsTwiceTheVectorLessItsOwnShare) {
    for (const std::vector<int>& sizes :
         std::vector<std::vector<int>>{{16}, {8, 8}, {8, 4, 2}, {6, 5}, {11}, {32, 2}}) {
        const Grid grid = full_grid(sizes);
        for (const int lanes : {1, static_cast<int>(2 * grid.axes().size())}) {
            const Program program = swing.build(grid, {Collective::allreduce, 1, lanes}, grid.ranks() / 2);
            EXPECT_EQ(blocks_sent(program) * grid.ranks(), std::int64_t{2} * program.blocks * (grid.ranks() - 1));
        }
    }
}

TEST(Swing, LinksCarryHalfADistanceOfMessages) {
    const Fabric fabric = equal_torus({32});
    const Placement placement = ranks_on_all(fabric);
    const Grid grid = Grid::from_torus(fabric, placement).value();
    const auto alone = link_load(build_all(*find_algorithm("swing"), grid, {Collective::allreduce}), fabric, placement);
    const auto mirrored =
        link_load(build_all(*find_algorithm("swing"), grid, {Collective::allreduce, 1, 2}), fabric, placement);
    const std::vector<int> distances = {1, 1, 3, 5, 11};
    for (int step = 0; step < 5; ++step) {
        const int distance = distances[step];
        EXPECT_EQ(alone[step].messages, (distance + 1) / 2) << "step " << step;
        EXPECT_EQ(mirrored[step].messages, distance) << "step " << step;
    }
}

TEST(Swing, LanesOfDifferentDimensionsShareNoLink) {
    for (const std::vector<int>& sizes : std::vector<std::vector<int>>{{8, 8}, {8, 8, 8}, {16, 16}}) {
        const Fabric fabric = equal_torus(sizes);
        const Placement placement = ranks_on_all(fabric);
        const Grid grid = Grid::from_torus(fabric, placement).value();
        const auto one =
            link_load(build_all(*find_algorithm("swing"), grid, {Collective::allreduce}), fabric, placement);
        const int lanes = static_cast<int>(sizes.size());
        const auto all =
            link_load(build_all(*find_algorithm("swing"), grid, {Collective::allreduce, 1, lanes}), fabric, placement);
        for (std::size_t step = 0; step < one.size(); ++step) EXPECT_EQ(all[step].messages, one[step].messages);
    }
}

}  // namespace
}  // namespace coll_topo
