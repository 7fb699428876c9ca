// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/schedule/gathers_in_output.hpp"

#include "test/verify/program_writer.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

/// Rank 0 of two gets the piece of rank 1 into scratch.
ProgramWriter received(int scratch_blocks = 2) {
    ProgramWriter writer(2, scratch_blocks);
    return writer.step().copy(input(0), scratch(0)).step().receive(1, scratch(1)).send(1, scratch(0)).step();
}

TEST(GathersInOutput, WhereEveryBlockOfScratchIsToBeDeliveredToItsOwnNumber) {
    const Program delivering = received().copy(scratch(0, 2), output(0, 2));
    EXPECT_TRUE(gathers_in_output(delivering, Collective::allgather));
    const Program in_order = received().scratch_order({0, 1}).copy(scratch(0, 2), output(0, 2));
    EXPECT_TRUE(gathers_in_output(in_order, Collective::allgather));
    EXPECT_FALSE(gathers_in_output(delivering, Collective::reduce_scatter)) << "output is one piece";
}

TEST(GathersInOutput, NotWhereBlocksStandElsewhere) {
    const Program turned = received().scratch_order({1, 0}).copy(scratch(0, 2), output(0, 2));
    EXPECT_FALSE(gathers_in_output(turned, Collective::allgather));
    const Program crossed = received().copy(scratch(0), output(1)).copy(scratch(1), output(0));
    EXPECT_FALSE(gathers_in_output(crossed, Collective::allgather));
    const Program with_more = received(3).copy(scratch(0, 2), output(0, 2));
    EXPECT_FALSE(gathers_in_output(with_more, Collective::allgather));
    const Program from_input = received().copy(input(0), output(0)).copy(scratch(1), output(1));
    EXPECT_FALSE(gathers_in_output(from_input, Collective::allgather)) << "which the plan would have to tell apart";
    const Program sends_output = received().copy(scratch(0, 2), output(0, 2)).step().send(1, output(0));
    EXPECT_FALSE(gathers_in_output(sends_output, Collective::allgather));
}

}  // namespace
}  // namespace coll_topo::test
