// SPDX-License-Identifier: BSD-3-Clause
#include "test/verify/program_writer.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

TEST(Matching, EverySendNeedsItsReceive) {
    Schedule schedule = exchange();
    schedule[1] = ProgramWriter(1).step().send(0, output(0));
    EXPECT_EQ(finding(Collective::allreduce, schedule),
              "rank 0, lane 0, step 0: sends to rank 1 a message that is never received");
}

TEST(Matching, EveryReceiveNeedsItsSend) {
    Schedule schedule = exchange();
    schedule[1] = ProgramWriter(1).step().step().receive_reduce(0, output(0));
    EXPECT_EQ(finding(Collective::allreduce, schedule),
              "rank 0, lane 0, step 0: receives from rank 1 a message that is never sent");
}

TEST(Matching, LanesDoNotMixTheirMessages) {
    const Schedule schedule = {
        ProgramWriter(1).lane().lane().step(true).receive_reduce(1, output(0)).send(1, output(0)),
        ProgramWriter(1).lane().step(true).receive_reduce(0, output(0)).send(0, output(0))};
    EXPECT_EQ(finding(Collective::allreduce, schedule),
              "rank 1, lane 0, step 0: receives from rank 0 a message that is never sent");
}

TEST(Matching, BothSidesCountTheSameBlocks) {
    const Schedule schedule = {ProgramWriter(2).step().send(1, output(0, 2)),
                               ProgramWriter(2).step().receive(0, output(0))};
    EXPECT_EQ(finding(Collective::allreduce, schedule),
              "rank 0, lane 0, step 0: sends 2 blocks to rank 1, which receives 1");
}

TEST(Matching, BothSidesMeanTheSameBlocksOfTheVector) {
    const auto with_order = [](std::vector<std::int32_t> order) -> Schedule {
        const auto program = [] { return ProgramWriter(3, 3); };
        return {
            program().scratch_order({0, 1, 2}).step().copy(input(1, 2), scratch(1, 2)).step().send(1, scratch(1, 2)),
            program().scratch_order(std::move(order)).step().step().receive(0, scratch(0, 2)),
            program().lane().scratch_order({0, 1, 2})};
    };
    EXPECT_EQ(finding(Collective::reduce_scatter, with_order({1, 0, 2})),
              "rank 0, lane 0, step 1: sends scratch block 2, which is vector block 2, to rank 1, which receives it as "
              "scratch block 1, vector block 0");
    EXPECT_EQ(finding(Collective::reduce_scatter, with_order({1, 2, 0})),
              "rank 0: output block 0 ends with nothing instead of all ranks' contributions");
}

TEST(Matching, ScratchWithoutAnOrderRepeatsTheVector) {
    const auto with_scratch = [](int block) -> Schedule {
        return {ProgramWriter(2).step().send(1, output(1)).step().receive(1, output(0, 2)),
                ProgramWriter(2, 4).step().receive(0, scratch(block)).step().send(0, output(0, 2))};
    };
    EXPECT_EQ(finding(Collective::allreduce, with_scratch(2)),
              "rank 0, lane 0, step 0: sends output block 1, which is vector block 1, to rank 1, which receives it as "
              "scratch block 2, vector block 0");
    // The message matches; what is wrong with this one is its result.
    EXPECT_EQ(finding(Collective::allreduce, with_scratch(3)),
              "rank 0: output block 0 ends with ranks 1 instead of all ranks' contributions");
}

TEST(Matching, MessagesBetweenTwoRanksMatchInOrder) {
    // Were the messages matched by their blocks, this would be a right exchange.
    const Schedule schedule = {ProgramWriter(2)
                                   .step(true)
                                   .receive_reduce(1, output(0))
                                   .send(1, output(0))
                                   .step(true)
                                   .receive_reduce(1, output(1))
                                   .send(1, output(1)),
                               ProgramWriter(2)
                                   .step(true)
                                   .receive_reduce(0, output(1))
                                   .send(0, output(1))
                                   .step(true)
                                   .receive_reduce(0, output(0))
                                   .send(0, output(0))};
    EXPECT_EQ(finding(Collective::allreduce, schedule),
              "rank 0, lane 0, step 0: sends output block 0, which is vector block 0, to rank 1, which receives it as "
              "output block 1, vector block 1");
}

}  // namespace
}  // namespace coll_topo::test
