// SPDX-License-Identifier: BSD-3-Clause
//
// The worked examples of the source (JP 7087953 B2), the amounts of data, and the link loads that are claimed.
#include "coll_topo/algorithm/catalogue.hpp"
#include "coll_topo/algorithm/stages/stages.hpp"
#include "coll_topo/verify/proof.hpp"
#include "test/grid/switch_fixture.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace coll_topo {
namespace {

using test::equal_torus;
using test::full_grid;
using test::ranks_on_all;

const Algorithm& halving_doubling = *find_algorithm("halving_doubling");

constexpr Problem allreduce(int aggregators = 1, int lanes = 1) {
    return {Collective::allreduce, aggregators, lanes};
}

Schedule schedule(const Grid& grid, const Problem& problem) {
    Schedule programs;
    for (int rank = 0; rank < grid.ranks(); ++rank) programs.push_back(halving_doubling.build(grid, problem, rank));
    return programs;
}

/// Blocks of the first receive of every step.
std::vector<int> received_blocks(const Program& program) {
    std::vector<int> counts;
    for (const Step& step : program.steps) {
        for (const Action& action : program.actions_of(step)) {
            if (action.kind != ActionKind::receive && action.kind != ActionKind::receive_reduce) continue;
            counts.push_back(action.count);
            break;
        }
    }
    return counts;
}

TEST(HalvingDoubling, Pieces4x4x4x4With4Aggregators) {
    const Grid grid = full_grid({4, 4, 4, 4}, 4);
    const Program program = halving_doubling.build(grid, allreduce(4), 777);
    ASSERT_EQ(program.blocks, 1024);
    // Of 1024 blocks: ranks of the host 1/4; W 1/16, X 1/64, Y 1/256, Z 1/1024, each in two steps; and back up.
    EXPECT_EQ(received_blocks(program),
              (std::vector<int>{256, 128, 64, 32, 16, 8, 4, 2, 1, 1, 2, 4, 8, 16, 32, 64, 128, 256}));
}

/// Runs the programs in lockstep on numbers: one value for each rank and block of `output`.
class Lockstep {
public:
    explicit Lockstep(Schedule programs) : programs_(std::move(programs)) {
        for (std::size_t rank = 0; rank < programs_.size(); ++rank) {
            values_.emplace_back(programs_[0].blocks, static_cast<int>(rank) + 1);
        }
    }

    void run_step(int step) {
        const auto before = values_;
        for (std::size_t rank = 0; rank < programs_.size(); ++rank) {
            const Program& program = programs_[rank];
            for (const Action& action : program.actions_of(program.steps[step])) {
                for (int block = action.first; block < action.first + action.count; ++block) {
                    if (action.kind == ActionKind::receive_reduce) values_[rank][block] += before[action.peer][block];
                    if (action.kind == ActionKind::receive) values_[rank][block] = before[action.peer][block];
                }
                if (action.kind == ActionKind::receive_reduce) first_kept_[rank] = action.first;
            }
        }
    }

    /// The value a rank holds in the first block it reduced last.
    int held(int rank) { return values_[rank][first_kept_[rank]]; }
    int block(int rank) { return first_kept_[rank]; }
    const std::vector<int>& values(int rank) const { return values_[rank]; }

private:
    Schedule programs_;
    std::vector<std::vector<int>> values_;
    std::map<int, int> first_kept_;
};

TEST(HalvingDoubling, Values2x2x2x2) {
    Lockstep run(schedule(full_grid({2, 2, 2, 2}), allreduce()));
    const auto held = [&] {
        std::vector<int> values;
        for (int rank = 0; rank < 16; ++rank) values.push_back(run.held(rank));
        return values;
    };
    run.run_step(0);  // W
    EXPECT_EQ(held(), (std::vector<int>{3, 3, 7, 7, 11, 11, 15, 15, 19, 19, 23, 23, 27, 27, 31, 31}));
    run.run_step(1);  // X
    EXPECT_EQ(held(), (std::vector<int>{10, 10, 10, 10, 26, 26, 26, 26, 42, 42, 42, 42, 58, 58, 58, 58}));
    run.run_step(2);  // Y
    EXPECT_EQ(held(), (std::vector<int>{36, 36, 36, 36, 36, 36, 36, 36, 100, 100, 100, 100, 100, 100, 100, 100}));
    run.run_step(3);  // Z
    EXPECT_EQ(held(), std::vector<int>(16, 136));
    // Ranks and blocks count from 1 in the source: rank 1 block 1, rank 9 block 2, rank 2 block 9.
    EXPECT_EQ(run.block(0), 0);
    EXPECT_EQ(run.block(8), 1);
    EXPECT_EQ(run.block(1), 8);
    for (int step = 4; step < 8; ++step) run.run_step(step);
    for (int rank = 0; rank < 16; ++rank) EXPECT_EQ(run.values(rank), std::vector<int>(16, 136));
}

TEST(HalvingDoubling, OrderOfDimensionsOfSizes4x2x1x4) {
    const Grid grid = full_grid({4, 2, 1, 4});
    std::vector<std::string> order;
    const StageOrder stage_order(grid, 0);
    for (const Stage& stage : stage_order.stages()) order.push_back(grid.axes()[stage.axis].name);
    // The size-2 ring has both its cables to one neighbour; size 1 is skipped; equals keep the file's order.
    EXPECT_EQ(order, (std::vector<std::string>{"y", "x", "x", "w", "w"}));
}

TEST(HalvingDoubling, DoublingStartsWithThePartnerOfTheLastHalving) {
    for (const std::vector<int>& sizes : std::vector<std::vector<int>>{{4, 4}, {8}, {2, 6}, {16, 2, 4}}) {
        const Grid grid = full_grid(sizes);
        const Program program = halving_doubling.build(grid, allreduce(), grid.ranks() / 2);
        const std::size_t middle = program.steps.size() / 2;
        EXPECT_EQ(program.actions_of(program.steps[middle - 1])[0].peer,
                  program.actions_of(program.steps[middle])[0].peer);
    }
}

/// Of one step, in their order.
std::vector<int> peers(const Program& program, std::size_t step, bool (*chosen)(const Action&)) {
    std::vector<int> peers;
    for (const Action& action : program.actions_of(program.steps[step])) {
        if (chosen(action)) peers.push_back(action.peer);
    }
    return peers;
}

// So that a rank that sends to one partner after another need not wait for what it combines first.
TEST(HalvingDoubling, GroupsReceiveInTheOrderOfSending) {
    for (const std::vector<int>& sizes : std::vector<std::vector<int>>{{5}, {3, 7}, {4, 3}}) {
        const Schedule programs = schedule(full_grid(sizes), allreduce());
        for (int rank = 0; rank < static_cast<int>(programs.size()); ++rank) {
            for (std::size_t step = 0; step < programs[rank].steps.size(); ++step) {
                const std::vector<int> senders = peers(programs[rank], step, is_receive);
                for (std::size_t i = 0; i < senders.size(); ++i) {
                    EXPECT_EQ(peers(programs[senders[i]], step, is_send).at(i), rank) << "step " << step;
                }
            }
        }
    }
}

TEST(HalvingDoubling, SendsTwiceTheVectorLessItsOwnShare) {
    for (const std::vector<int>& sizes : std::vector<std::vector<int>>{
             {2}, {16}, {4, 4}, {2, 2, 2, 2}, {8, 4, 2}, {4, 4, 4}, {3}, {6, 5}, {11}, {7, 9}}) {
        const Grid grid = full_grid(sizes);
        for (const int lanes : {1, 2, static_cast<int>(2 * grid.axes().size())}) {
            for (const int rank : {0, grid.ranks() / 2, grid.ranks() - 1}) {
                const Program program = halving_doubling.build(grid, allreduce(1, lanes), rank);
                // 2m(p-1)/p, exactly: the vector has p blocks for each lane.
                EXPECT_EQ(blocks_sent(program) * grid.ranks(), std::int64_t{2} * program.blocks * (grid.ranks() - 1));
            }
        }
    }
}

/// The claim of every step of the halving half, from the stages.
std::vector<int> claimed_loads(const Grid& grid) {
    std::vector<int> claims;
    const StageOrder stage_order(grid, 0);
    for (const Stage& stage : stage_order.stages()) {
        claims.insert(claims.end(), stage.direct ? 1 : stage.radix - 1, link_load(stage, grid.axes()[stage.axis]));
    }
    claims.insert(claims.end(), claims.rbegin(), claims.rend());
    return claims;
}

TEST(HalvingDoubling, ServesNoRootWhereHostsOfALeafTakeDifferentStages) {
    const Fabric plane = test::latin_square_fabric(3, 4);
    std::vector<int> hosts(36);
    std::iota(hosts.begin(), hosts.end(), 16);
    const Grid part = Grid::from_switches(plane, test::ranks_on(hosts)).value();
    ASSERT_TRUE(part.skewed());
    EXPECT_NE(halving_doubling.refusal(part, {.collective = Collective::reduce}), "");
    EXPECT_NE(halving_doubling.refusal(part, {.collective = Collective::bcast}), "");
    EXPECT_EQ(halving_doubling.refusal(part, {.collective = Collective::allreduce}), "");
    const Grid whole = Grid::from_switches(plane, ranks_on_all(plane)).value();
    EXPECT_EQ(halving_doubling.refusal(whole, {.collective = Collective::reduce}), "");
}

TEST(HalvingDoubling, LoadsNoLinkMoreThanClaimed) {
    for (const bool wrapped : {true, false}) {
        for (const std::vector<int>& sizes : std::vector<std::vector<int>>{
                 {2},  {3},  {4},  {5},    {6},       {7},    {8},    {9},       {10},   {12},         {13},     {16},
                 {22}, {26}, {47}, {4, 4}, {3, 3, 3}, {6, 4}, {5, 7}, {2, 3, 4}, {8, 8}, {2, 2, 2, 2}, {9, 2, 5}}) {
            const Fabric fabric = equal_torus(sizes, wrapped);
            const Placement placement = ranks_on_all(fabric);
            const Grid grid = Grid::from_torus(fabric, placement).value();
            const auto claims = claimed_loads(grid);
            const auto loads = link_load(schedule(grid, allreduce()), fabric, placement);
            ASSERT_EQ(loads.size(), claims.size()) << grid.summary();
            for (std::size_t step = 0; step < loads.size(); ++step) {
                EXPECT_LE(loads[step].messages, claims[step])
                    << grid.summary() << (wrapped ? " ring" : " mesh") << ", step " << step;
            }
            // The claim is not too generous: the first stage, which moves most, is as busy as it says.
            EXPECT_EQ(loads[0].messages, claims[0]) << grid.summary() << (wrapped ? " ring" : " mesh");
        }
    }
}

TEST(HalvingDoubling, HasNoContentionOnPowersOfTwoUpToFour) {
    for (const std::vector<int>& sizes : std::vector<std::vector<int>>{{4}, {4, 4}, {2, 4}, {4, 4, 4}, {2, 2, 2, 2}}) {
        const Fabric fabric = equal_torus(sizes);
        const Placement placement = ranks_on_all(fabric);
        const Grid grid = Grid::from_torus(fabric, placement).value();
        for (const StepLoad& load : link_load(schedule(grid, allreduce()), fabric, placement))
            EXPECT_EQ(load.messages, 1);
    }
}

TEST(HalvingDoubling, LanesOfDifferentDimensionsShareNoLink) {
    for (const std::vector<int>& sizes : std::vector<std::vector<int>>{{4, 4}, {4, 4, 4}, {2, 2, 2}}) {
        const Fabric fabric = equal_torus(sizes);
        const Placement placement = ranks_on_all(fabric);
        const Grid grid = Grid::from_torus(fabric, placement).value();
        const int lanes = static_cast<int>(sizes.size());
        for (const StepLoad& load : link_load(schedule(grid, allreduce(1, lanes)), fabric, placement)) {
            EXPECT_EQ(load.messages, 1);
        }
    }
}

TEST(HalvingDoubling, MirroredLanesUseTheOtherCablesBetweenNeighbours) {
    const Fabric fabric = equal_torus({4, 4});
    const Placement placement = ranks_on_all(fabric);
    const Grid grid = Grid::from_torus(fabric, placement).value();
    const auto loads = link_load(schedule(grid, allreduce(1, 4)), fabric, placement);
    EXPECT_EQ(loads.front().messages, 1);
    EXPECT_EQ(loads.back().messages, 1);
}

TEST(HalvingDoubling, KnowsWhenItCombinesInRankOrder) {
    const auto in_order = [](const Grid& grid, Problem problem) {
        problem.in_rank_order = true;
        return halving_doubling.in_order(grid, problem);
    };
    EXPECT_TRUE(in_order(full_grid({4, 3}, 2), allreduce(2)));
    EXPECT_FALSE(halving_doubling.in_order(full_grid({4, 3}, 2), allreduce(2))) << "nobody asks for it";
    EXPECT_FALSE(in_order(full_grid({4, 3}, 2), allreduce(2, 2))) << "lanes start with another dimension";
    EXPECT_FALSE(in_order(full_grid({11}), allreduce())) << "rings turn the order";
    EXPECT_FALSE(in_order(full_grid({4, 2}), allreduce())) << "y is faster and comes first";
}

}  // namespace
}  // namespace coll_topo
