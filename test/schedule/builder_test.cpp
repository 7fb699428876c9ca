// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/schedule/builder.hpp"
#include "test/verify/program_writer.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace coll_topo {
namespace {

using test::output;
using test::scratch;

std::vector<ActionKind> kinds(const Program& program, std::size_t step) {
    std::vector<ActionKind> kinds;
    for (const Action& action : program.actions_of(program.steps[step])) kinds.push_back(action.kind);
    return kinds;
}

TEST(ProgramBuilder, AnUnusedBuilderGivesAnEmptyProgram) {
    const Program program = ProgramBuilder(4, 2).finish();
    EXPECT_EQ(program.blocks, 4);
    EXPECT_EQ(program.scratch_blocks, 2);
    EXPECT_TRUE(program.scratch_order.empty());
    EXPECT_TRUE(program.lanes.empty());
    EXPECT_TRUE(program.steps.empty());
    EXPECT_TRUE(program.actions.empty());
}

TEST(ProgramBuilder, LanesFollowEachOtherEvenIfEmpty) {
    ProgramBuilder builder(4, 0);
    builder.lane();
    builder.send(1, output(0));
    builder.next_step();
    builder.receive(1, output(0));
    builder.lane(3);
    builder.lane();
    builder.send(2, output(1));
    const Program program = builder.finish();
    ASSERT_EQ(program.lanes.size(), 3u);
    EXPECT_EQ(program.steps_of(program.lanes[0]).size(), 2u);
    EXPECT_EQ(program.lanes[0].window, 1);
    EXPECT_EQ(program.steps_of(program.lanes[1]).size(), 0u);
    EXPECT_EQ(program.lanes[1].window, 3);
    ASSERT_EQ(program.steps_of(program.lanes[2]).size(), 1u);
    EXPECT_EQ(program.actions_of(program.steps_of(program.lanes[2])[0])[0].peer, 2);
}

TEST(ProgramBuilder, EmptyStepsAndActionsVanish) {
    ProgramBuilder builder(4, 4);
    builder.lane();
    builder.next_step();
    builder.send(1, output(0, 0));
    builder.receive_reduce(1, output(2, 0), Operand::left);
    builder.copy(output(0, 0), Buffer::scratch, 0);
    builder.reduce(scratch(0, 0), Buffer::output, 0, Operand::left);
    builder.next_step();
    builder.send(1, output(0));
    builder.next_step();
    builder.next_step();
    const Program program = builder.finish();
    EXPECT_EQ(program.steps.size(), 1u);
    EXPECT_EQ(program.actions.size(), 1u);
}

TEST(ProgramBuilder, AStepListsReceivesThenSendsThenLocalWork) {
    ProgramBuilder builder(4, 4);
    builder.lane();
    builder.reduce(scratch(0), Buffer::output, 0, Operand::right);
    builder.send(1, output(2));
    builder.copy(output(0), Buffer::scratch, 1);
    builder.receive(2, scratch(0));
    builder.send(3, output(1));
    builder.receive_reduce(1, output(3), Operand::left);
    const Program program = builder.finish();
    EXPECT_EQ(kinds(program, 0),
              (std::vector<ActionKind>{ActionKind::receive, ActionKind::receive_reduce, ActionKind::send,
                                       ActionKind::send, ActionKind::reduce, ActionKind::copy}));
    EXPECT_EQ(program.actions[2].peer, 1);
    EXPECT_EQ(program.actions[3].peer, 3);
}

TEST(ProgramBuilder, ActionsKeepWhatTheyWereGiven) {
    ProgramBuilder builder(9, 9);
    builder.lane();
    builder.receive_reduce(5, output(1, 2), Operand::left);
    builder.copy({Buffer::input, 3, 4}, Buffer::scratch, 2);
    builder.reduce(scratch(6, 3), Buffer::output, 5, Operand::right);
    const Program program = builder.finish({8, 7, 6, 5, 4, 3, 2, 1, 0});
    const Action& received = program.actions[0];
    EXPECT_EQ(received.peer, 5);
    EXPECT_EQ(received.buffer, Buffer::output);
    EXPECT_EQ(received.first, 1);
    EXPECT_EQ(received.count, 2);
    EXPECT_EQ(received.operand, Operand::left);
    const Action& copied = program.actions[1];
    EXPECT_EQ(copied.buffer, Buffer::input);
    EXPECT_EQ(copied.first, 3);
    EXPECT_EQ(copied.count, 4);
    EXPECT_EQ(copied.target, Buffer::scratch);
    EXPECT_EQ(copied.at, 2);
    const Action& reduced = program.actions[2];
    EXPECT_EQ(reduced.buffer, Buffer::scratch);
    EXPECT_EQ(reduced.target, Buffer::output);
    EXPECT_EQ(reduced.at, 5);
    EXPECT_EQ(reduced.operand, Operand::right);
    EXPECT_EQ(program.scratch_order, (std::vector<std::int32_t>{8, 7, 6, 5, 4, 3, 2, 1, 0}));
}

TEST(ProgramBuilder, CopiesOfNeighboursBecomeOne) {
    ProgramBuilder builder(9, 9);
    builder.lane();
    builder.copy(output(0), Buffer::scratch, 3);
    builder.copy(output(1, 2), Buffer::scratch, 4);
    builder.copy(output(3), Buffer::scratch, 7);  // a gap in the target
    builder.copy(output(5), Buffer::scratch, 8);  // a gap in the source
    builder.next_step();
    builder.copy(output(6), Buffer::scratch, 9);  // another step
    const Program program = builder.finish();
    ASSERT_EQ(program.actions.size(), 4u);
    EXPECT_EQ(program.actions[0].first, 0);
    EXPECT_EQ(program.actions[0].count, 3);
    EXPECT_EQ(program.actions[0].at, 3);
    EXPECT_EQ(program.actions[1].count, 1);
    EXPECT_EQ(program.actions[2].count, 1);
    EXPECT_EQ(program.steps.size(), 2u);
}

}  // namespace
}  // namespace coll_topo
