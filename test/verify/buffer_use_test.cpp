// SPDX-License-Identifier: BSD-3-Clause
#include "test/verify/program_writer.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

// What is found wrong with the program of rank 0 of two, of one lane. The other is silent, so a program that passes
// this check fails in matching or by its result.
std::string finding_in(Collective collective, Program program) {
    Program idle;
    idle.blocks = 2;
    idle.lanes = {{0, 0, 1}};
    return finding(collective, {std::move(program), idle});
}

ProgramWriter program() {
    return ProgramWriter(2, 2).scratch_order({0, 1});
}

const char* const unmatched = "never";

TEST(BufferUse, InputIsNotReadAfterTheFirstMessage) {
    const char* const wrong = "reads input after the lane's first message; in place, output may have overwritten it";
    const auto scatter = [](Program p) { return finding_in(Collective::reduce_scatter, std::move(p)); };
    EXPECT_EQ(scatter(program().step().send(1, input(1))), std::string("rank 0, lane 0, step 0: ") + wrong);
    EXPECT_EQ(scatter(program().step().receive(1, scratch(0)).copy(input(1), scratch(1))),
              std::string("rank 0, lane 0, step 0: ") + wrong);
    EXPECT_EQ(scatter(program().step().receive(1, scratch(0)).step().reduce(input(0), scratch(0))),
              std::string("rank 0, lane 0, step 1: ") + wrong);
    EXPECT_TRUE(says(
        scatter(
            program().step().copy(input(0), scratch(0)).step().copy(input(1), scratch(1)).step().send(1, scratch(1))),
        unmatched));
}

TEST(BufferUse, OutputIsNotWrittenBeforeTheFirstMessage) {
    EXPECT_EQ(finding_in(Collective::reduce_scatter_block, program().step().copy(input(0), output(0))),
              "rank 0, lane 0, step 0: writes output before the lane's first message; in place, this overwrites input");
    EXPECT_TRUE(says(finding_in(Collective::reduce_scatter_block, program().step().receive(1, output(0))), unmatched));
}

TEST(BufferUse, CollectivesThatNeverShareTheirBuffersUseThemAtWill) {
    const Schedule writes_early = {
        ProgramWriter(2).step().copy(input(0), output(0)).step().receive(1, output(1)).send(1, input(1)),
        ProgramWriter(2).step().receive(0, output(0)).send(0, input(0)).step().copy(input(1), output(1))};
    EXPECT_EQ(finding(Collective::alltoall, writes_early), "");
    EXPECT_NE(finding(Collective::reduce_scatter, writes_early), "");
}

TEST(BufferUse, ARankOnItsOwnMayCopyAsItLikes) {
    EXPECT_EQ(finding(Collective::reduce_scatter, {ProgramWriter(1).step().copy(input(0), output(0))}), "");
    EXPECT_EQ(
        finding(Collective::allgather,
                {ProgramWriter(1, 1).scratch_order({0}).step().copy(input(0), scratch(0)).copy(scratch(0), output(0))}),
        "");
}

TEST(BufferUse, AllgatherTouchesTheCallersBuffersOnlyByCopiesThroughScratch) {
    const auto gather = [](Program p) { return finding_in(Collective::allgather, std::move(p)); };
    const char* const wrong =
        "rank 0, lane 0, step 0: uses input or output other than to copy it to or from scratch, where its elements are "
        "packed";
    EXPECT_EQ(gather(program().step().send(1, input(0))), wrong);
    EXPECT_EQ(gather(program().step().send(1, output(0))), wrong);
    EXPECT_EQ(gather(program().step().receive(1, output(1))), wrong);
    EXPECT_EQ(gather(program().step().copy(input(0), output(0))), wrong);
    EXPECT_EQ(gather(program().step().copy(output(0), scratch(0))), wrong);
    EXPECT_TRUE(
        says(gather(program().step().copy(input(0), scratch(0)).step().send(1, scratch(0)).copy(scratch(0), output(0))),
             unmatched));
}

}  // namespace
}  // namespace coll_topo::test
