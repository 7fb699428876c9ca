// SPDX-License-Identifier: BSD-3-Clause
#include "test/verify/program_writer.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

// What is found wrong when the program of rank 1 of two is this one and rank 0 is right.
std::string finding_in(Program program, Collective collective = Collective::allreduce) {
    Program idle;
    idle.blocks = program.blocks;
    idle.lanes.resize(program.lanes.size(), {0, 0, 1});
    return finding(collective, {idle, std::move(program)});
}

TEST(Form, HeadersMustMakeSense) {
    EXPECT_EQ(finding_in(ProgramWriter(0)), "rank 0: the vector has no blocks; it needs at least one");
    EXPECT_EQ(finding_in(ProgramWriter(1), static_cast<Collective>(collective_count)),
              "rank 0: the collective is unknown");
    EXPECT_EQ(finding_in(ProgramWriter(1, -1)), "rank 1: scratch_blocks is negative");
    EXPECT_EQ(finding(Collective::allreduce, {ProgramWriter(1), ProgramWriter(2)}),
              "rank 1: cuts the vector into 2 blocks, but rank 0 into 1");
}

TEST(Form, PiecesHaveOneBlockInEachLane) {
    for (const Collective collective :
         {Collective::reduce_scatter, Collective::reduce_scatter_block, Collective::allgather}) {
        EXPECT_EQ(finding_in(ProgramWriter(6).lane().lane(), collective),
                  "rank 0: the vector has 6 blocks instead of one for each of 2 ranks and 2 lanes");
    }
}

TEST(Form, ScratchIsInAnOrderThatTheExecutorCanFollow) {
    const auto ordered = [](std::vector<std::int32_t> order) {
        return finding_in(ProgramWriter(4, 4).lane().lane().scratch_order(std::move(order)), Collective::allgather);
    };
    EXPECT_EQ(ordered({0, 2}), "rank 1: scratch_order names 2 blocks, but there are 4 scratch blocks");
    EXPECT_EQ(ordered({0, 2, 1, 4}), "rank 1: scratch_order names a block the vector lacks");
    EXPECT_EQ(ordered({0, -2, 1, 3}), "rank 1: scratch_order names a block the vector lacks");
    EXPECT_EQ(ordered({0, 1, 2, 2}),
              "rank 1: scratch block 1 is in the part of lane 0, but scratch_order makes it a share of lane 1");
    EXPECT_TRUE(says(ordered({2, 0, 1, 3}), "ends with nothing"));
    EXPECT_TRUE(says(ordered({2, 3, 0, 1}), "ends with nothing"));
    EXPECT_EQ(finding_in(ProgramWriter(4, 5).lane().lane().scratch_order({0, 2, 1, 3, 1}), Collective::allgather),
              "rank 1: scratch has more blocks than the vector");
}

TEST(Form, ScratchOfOneLaneOrOfAVectorHasAnyBlocks) {
    for (const Collective collective : {Collective::allgather, Collective::allreduce}) {
        const auto ordered = [&](std::vector<std::int32_t> order) {
            return finding_in(ProgramWriter(4, 5).lane().scratch_order(std::move(order)), collective);
        };
        EXPECT_EQ(ordered({0, 2}), "rank 1: scratch_order names 2 blocks, but there are 5 scratch blocks");
        EXPECT_EQ(ordered({0, 2, 1, 4, 0}), "rank 1: scratch_order names a block the vector lacks");
        EXPECT_TRUE(says(ordered({2, 0, 1, 3, 2}), "ends with"));
    }
}

TEST(Form, AlltoallCutsAllPiecesIntoAsManySlicesInAnyNumberOfLanes) {
    EXPECT_EQ(finding_in(ProgramWriter(3).lane().lane(), Collective::alltoall),
              "rank 0: the buffers have 3 blocks instead of as many for each of 2 ranks");
    EXPECT_EQ(finding_in(ProgramWriter(4, 3).lane(), Collective::alltoall),
              "rank 1: scratch has 3 blocks instead of as many for each of 2 slices");
    EXPECT_EQ(finding_in(ProgramWriter(2, 2).scratch_order({0, 1}), Collective::alltoall),
              "rank 1: scratch_order has no meaning in alltoall, whose pieces are all alike");
    EXPECT_TRUE(says(finding_in(ProgramWriter(2, 7).lane().lane(), Collective::alltoall), "ends with nothing"));
}

TEST(Form, WhatOnlyMovesDataReducesNothing) {
    for (const Collective collective : {Collective::allgather, Collective::bcast, Collective::alltoall}) {
        const auto program = [&] { return ProgramWriter(2, collective == Collective::allgather ? 2 : 3); };
        const auto ordered = [&](ProgramWriter writer) -> Program {
            if (collective == Collective::allgather) writer.scratch_order({0, 1});
            return writer;
        };
        const char* const wrong = "rank 1, lane 0, step 0: reduces, but the collective only moves data";
        EXPECT_EQ(finding_in(ordered(program().step().receive_reduce(0, scratch(0))), collective), wrong);
        EXPECT_EQ(finding_in(ordered(program().step().reduce(scratch(0), scratch(1))), collective), wrong);
    }
}

TEST(Form, BcastAndReduceHaveNoInput) {
    for (const Collective collective : {Collective::bcast, Collective::reduce}) {
        EXPECT_TRUE(says(finding_in(ProgramWriter(2).step().send(0, input(0)), collective),
                         "of input reach outside the [0, 0)"));
    }
}

TEST(Form, MessagesComeBeforeLocalWork) {
    EXPECT_EQ(finding_in(ProgramWriter(2, 2).step().copy(output(0), scratch(0)).send(0, output(1))),
              "rank 1, lane 0, step 0: lists receives, sends and local work in another order than this");
}

TEST(Form, EveryStepAndActionRunsOnce) {
    Program shared = ProgramWriter(1).lane().step().lane().step();
    shared.lanes[1].begin_step = 0;
    EXPECT_EQ(finding_in(shared), "rank 1: lane 1 does not begin at step 1, where the lane before it ends");

    Program lost = ProgramWriter(1).step().step();
    lost.lanes[0].end_step = 1;
    EXPECT_EQ(finding_in(lost), "rank 1: the lanes hold 1 of the 2 steps");

    Program beyond = ProgramWriter(1).step();
    beyond.lanes[0].end_step = 5;
    EXPECT_EQ(finding_in(beyond), "rank 1: the lanes hold 5 of the 1 steps");

    Program backwards = ProgramWriter(1).step();
    backwards.lanes[0].end_step = -1;
    EXPECT_TRUE(says(finding_in(backwards), "rank 1: lane 0 does not begin at step 0"));

    Program twice = ProgramWriter(2, 1).step().copy(output(0), scratch(0)).step().copy(output(0), scratch(0));
    twice.steps[1].begin = 0;
    EXPECT_TRUE(says(finding_in(twice), "rank 1: step 1 of the program does not begin at action 1"));

    Program unused = ProgramWriter(2, 1).step().copy(output(0), scratch(0));
    unused.steps[0].end = 0;
    EXPECT_EQ(finding_in(unused), "rank 1: the steps hold 0 of the 1 actions");

    EXPECT_EQ(finding_in(ProgramWriter(1).lane(0).step()), "rank 1: lane 0 has no window; it must be at least 1");
}

TEST(Form, StepsOverlapNoFurtherThanTheExecutorKeepsThem) {
    EXPECT_EQ(finding_in(ProgramWriter(1).lane(largest_window + 1).step()),
              "rank 1: lane 0 has a window of 33; it may be at most 32");
    for (const int steps : {-1, most_steps_ahead + 1}) {
        EXPECT_EQ(finding_in(ProgramWriter(1).step(false, steps).receive(0, output(0))),
                  "rank 1, lane 0, step 0: overlaps with more steps than the executor keeps");
        EXPECT_EQ(finding_in(ProgramWriter(1).step(false, 0, steps).receive(0, output(0))),
                  "rank 1, lane 0, step 0: overlaps with more steps than the executor keeps");
    }
    // A window of two: two steps send, and receives are posted for two more.
    EXPECT_EQ(finding_in(ProgramWriter(1).lane(2).step(false, 4, 1).receive(0, output(0))),
              "rank 1, lane 0, step 0: overlaps with more steps than the executor keeps");
    EXPECT_EQ(finding_in(ProgramWriter(1).lane(2).step(false, 3, 2).receive(0, output(0))),
              "rank 1, lane 0, step 0: overlaps with more steps than the executor keeps");
    EXPECT_EQ(finding_in(ProgramWriter(1).step(false, 2).receive_reduce(0, output(0))),
              "rank 1, lane 0, step 0: receives operands more than one step ahead");
    EXPECT_EQ(finding_in(ProgramWriter(1).lane(2).step().receive_reduce(0, output(0))),
              "rank 1, lane 0, step 0: reduces what it receives in a lane with a window");
}

TEST(Form, PeersMustBeOtherRanks) {
    EXPECT_EQ(finding_in(ProgramWriter(1).lane().step().lane().step().step().send(2, output(0))),
              "rank 1, lane 1, step 1: peer 2 is no rank");
    EXPECT_EQ(finding_in(ProgramWriter(1).step().receive(-1, output(0))), "rank 1, lane 0, step 0: peer -1 is no rank");
    EXPECT_EQ(finding_in(ProgramWriter(1).step().send(1, output(0))),
              "rank 1, lane 0, step 0: a message to itself; use a copy or a reduce");
}

TEST(Form, OneMessageEachWayInAStep) {
    EXPECT_EQ(finding_in(ProgramWriter(2).step().send(0, output(0)).send(0, output(1))),
              "rank 1, lane 0, step 0: two messages to rank 0; a step has at most one each way");
    EXPECT_EQ(finding_in(ProgramWriter(2).step().receive(0, output(0)).receive_reduce(0, output(1))),
              "rank 1, lane 0, step 0: two messages from rank 0; a step has at most one each way");
}

TEST(Form, BlocksMustExist) {
    EXPECT_EQ(finding_in(ProgramWriter(2).step().send(0, output(1, 2))),
              "rank 1, lane 0, step 0: blocks [1, 3) of output reach outside the [0, 2) that exist on this rank");
    EXPECT_TRUE(says(finding_in(ProgramWriter(2).step().send(0, output(-1))), "blocks [-1, 0) of output"));
    EXPECT_TRUE(says(finding_in(ProgramWriter(2).step().send(0, output(0, 2147483647))), "reach outside"));
    EXPECT_TRUE(says(finding_in(ProgramWriter(2, 1).step().send(0, scratch(1))), "of scratch reach outside"));
    EXPECT_TRUE(says(finding_in(ProgramWriter(2, 1).step().copy(output(0), scratch(1))), "[1, 2) of scratch"));
    EXPECT_TRUE(says(finding_in(ProgramWriter(2).step().send(0, output(0, 0))), "about no block"));
}

TEST(Form, OnlyTheOwnPieceOfAScatteredBufferExists) {
    EXPECT_TRUE(
        says(finding_in(ProgramWriter(4).lane().step().copy(input(0), output(0)).lane(), Collective::reduce_scatter),
             "blocks [0, 1) of output reach outside the [2, 4)"));
    EXPECT_TRUE(says(finding_in(ProgramWriter(4).lane().step().copy(input(1), output(2)).lane(), Collective::allgather),
                     "blocks [1, 2) of input reach outside the [2, 4)"));
    EXPECT_TRUE(says(finding_in(ProgramWriter(4).step().send(0, input(0))), "of input reach outside the [0, 0)"));
}

TEST(Form, InputIsReadOnly) {
    EXPECT_TRUE(says(finding_in(ProgramWriter(2).step().receive(0, input(1)), Collective::reduce_scatter),
                     "receives into input"));
    EXPECT_TRUE(says(finding_in(ProgramWriter(2).step().copy(input(0), input(1)), Collective::reduce_scatter),
                     "writes to input"));
}

TEST(Form, EnumeratorsMustBeKnown) {
    const auto broken = [](auto change) {
        Program program = ProgramWriter(2, 1).step().copy(output(0), scratch(0));
        change(program.actions[0]);
        return finding_in(program);
    };
    EXPECT_TRUE(says(broken([](Action& action) { action.kind = static_cast<ActionKind>(5); }), "unknown kind"));
    EXPECT_TRUE(says(broken([](Action& action) { action.buffer = static_cast<Buffer>(3); }), "buffer is unknown"));
    EXPECT_TRUE(says(broken([](Action& action) { action.target = static_cast<Buffer>(3); }), "buffer is unknown"));
    EXPECT_TRUE(says(broken([](Action& action) { action.operand = static_cast<Operand>(2); }), "unknown side"));
}

}  // namespace
}  // namespace coll_topo::test
