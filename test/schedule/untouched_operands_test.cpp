// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/schedule/untouched_operands.hpp"

#include "test/verify/program_writer.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

constexpr std::int32_t none = UntouchedOperands::none, brings = UntouchedOperands::brings;
using FirstBlocks = std::vector<std::int32_t>;
using Needed = std::vector<bool>;

TEST(UntouchedOperands, AreReadUntilTheirBlocksChange) {
    const Program program = ProgramWriter(2)
                                .step()
                                .receive_reduce(1, output(0))
                                .send(1, output(1))
                                .step()
                                .receive(1, output(1))
                                .send(1, output(0));
    const UntouchedOperands found = find_untouched_operands(program, Collective::allreduce);
    EXPECT_EQ(found.first_block, (FirstBlocks{0, 1, none, none})) << "first the own block, then the sum";
    EXPECT_EQ(found.needed, (Needed{false, false}));
}

TEST(UntouchedOperands, SendsReadThemBeforeReceivesOfTheirStepChangeThem) {
    const Program program = ProgramWriter(1).step().receive_reduce(1, output(0)).send(1, output(0));
    EXPECT_EQ(find_untouched_operands(program, Collective::allreduce).first_block, (FirstBlocks{0, 0}));
}

TEST(UntouchedOperands, AreNeededAmongBlocksThatHaveChanged) {
    const Program program = ProgramWriter(2).step().receive_reduce(1, output(0)).step().send(1, output(0, 2));
    const UntouchedOperands found = find_untouched_operands(program, Collective::reduce);
    EXPECT_EQ(found.first_block, (FirstBlocks{0, none}));
    EXPECT_EQ(found.needed, (Needed{false, true}));
}

TEST(UntouchedOperands, AreFollowedFromInputToScratch) {
    // Blocks 1 and 0 of scratch are pieces 0 and 1, so that both together do not lie together.
    const auto turned = [] {
        return ProgramWriter(2, 2).scratch_order({1, 0}).step().copy(input(0), scratch(1)).copy(input(1), scratch(0));
    };
    const Program one = turned().step().send(1, scratch(0));
    EXPECT_EQ(find_untouched_operands(one, Collective::reduce_scatter).first_block, (FirstBlocks{brings, brings, 1}));
    const Program both = turned().step().send(1, scratch(0, 2));
    const UntouchedOperands found = find_untouched_operands(both, Collective::reduce_scatter);
    EXPECT_EQ(found.first_block, (FirstBlocks{brings, brings, none}));
    EXPECT_EQ(found.needed, (Needed{true, true}));
}

TEST(UntouchedOperands, WhatIsReducedIntoMustBeThere) {
    const Program program = ProgramWriter(1, 1)
                                .step()
                                .copy(input(0), scratch(0))
                                .step()
                                .receive(1, output(0))
                                .step()
                                .reduce(output(0), scratch(0));
    EXPECT_EQ(find_untouched_operands(program, Collective::reduce_scatter).needed, (Needed{true}));
}

TEST(UntouchedOperands, AreNeededAtTheEndOfAScanWhereTheyAreTheResult) {
    const Program program = ProgramWriter(2).step().receive_reduce(1, output(1)).send(1, output(0));
    EXPECT_EQ(find_untouched_operands(program, Collective::scan).needed, (Needed{true, false}));
    EXPECT_EQ(find_untouched_operands(program, Collective::exscan).needed, (Needed{false, false}));
}

TEST(UntouchedOperands, AreNotLookedForWhereNothingIsCombinedOrSent) {
    const Program moving = ProgramWriter(1).step().send(1, output(0));
    EXPECT_TRUE(find_untouched_operands(moving, Collective::bcast).first_block.empty());
    EXPECT_TRUE(find_untouched_operands(ProgramWriter(1), Collective::allreduce).first_block.empty())
        << "the result of one rank is its operands, which must get to the output";
}

}  // namespace
}  // namespace coll_topo::test
