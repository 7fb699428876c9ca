// SPDX-License-Identifier: BSD-3-Clause
#include "test/verify/program_writer.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

TEST(DataFlow, TheShortestAllreduceIsRight) {
    EXPECT_EQ(finding(Collective::allreduce, exchange()), "");
    EXPECT_EQ(finding(Collective::allreduce, exchange(), true), "");
    EXPECT_EQ(finding(Collective::allreduce, {ProgramWriter(3)}, true), "");
}

TEST(DataFlow, SendsThatWaitForEachOtherAreADeadlock) {
    // With buffered sends this would pass.
    const Schedule schedule = {ProgramWriter(1, 1)
                                   .step()
                                   .send(1, output(0))
                                   .step()
                                   .receive(1, scratch(0))
                                   .step()
                                   .reduce(scratch(0), output(0)),
                               ProgramWriter(1, 1)
                                   .step()
                                   .send(0, output(0))
                                   .step()
                                   .receive(0, scratch(0))
                                   .step()
                                   .reduce(scratch(0), output(0))};
    EXPECT_EQ(finding(Collective::allreduce, schedule),
              "rank 0, lane 0, step 0: deadlock: waits to send to rank 1, which would receive in its step 1 but is "
              "stuck in step 0");
}

TEST(DataFlow, ReceivesThatWaitInARingAreADeadlock) {
    const auto program = [](int from, int to) -> Program {
        return ProgramWriter(1, 1).lane().lane().step().receive(from, scratch(0)).step().send(to, output(0));
    };
    EXPECT_EQ(finding(Collective::allreduce, {program(2, 1), program(0, 2), program(1, 0)}),
              "rank 0, lane 1, step 0: deadlock: waits to receive from rank 2, which would send in its step 1 but is "
              "stuck in step 0");
}

TEST(DataFlow, WhatIsPostedTogetherCannotDeadlock) {
    const auto program = [](int peer) -> Program {
        return ProgramWriter(1, 1).step().receive(peer, scratch(0)).send(peer, output(0)).reduce(scratch(0), output(0));
    };
    EXPECT_EQ(finding(Collective::allreduce, {program(1), program(0)}), "");
}

TEST(DataFlow, NothingIsUsedBeforeItIsThere) {
    const Program receiver = ProgramWriter(1, 1).step().receive(0, scratch(0));
    EXPECT_EQ(finding(Collective::allreduce, {ProgramWriter(1, 1).step().send(1, scratch(0)), receiver}),
              "rank 0, lane 0, step 0: sends scratch block 0, which holds nothing yet");
    EXPECT_EQ(finding(Collective::allreduce, {ProgramWriter(1, 1).step().step().copy(scratch(0), output(0))}),
              "rank 0, lane 0, step 1: copies scratch block 0, which holds nothing yet");
    EXPECT_EQ(finding(Collective::allreduce, {ProgramWriter(1, 1).step().reduce(scratch(0), output(0))}),
              "rank 0, lane 0, step 0: reduces scratch block 0, which holds nothing yet");
    EXPECT_EQ(finding(Collective::allreduce, {ProgramWriter(1, 1).step().reduce(output(0), scratch(0))}),
              "rank 0, lane 0, step 0: reduces into scratch block 0, which holds nothing yet");
    EXPECT_EQ(finding(Collective::allreduce, {ProgramWriter(1).step().send(1, output(0)),
                                              ProgramWriter(1, 1).step().receive_reduce(0, scratch(0))}),
              "rank 1, lane 0, step 0: from rank 0, reduces into scratch block 0, which holds nothing yet");
    EXPECT_EQ(finding(Collective::reduce_scatter, {ProgramWriter(1).step().reduce(input(0), output(0))}),
              "rank 0, lane 0, step 0: reduces into output block 0, which holds nothing yet");
}

TEST(DataFlow, SendsReadWhatStoodBeforeTheStep) {
    // Rank 0 passes on in step 1 what it received in step 0, not what it is about to receive.
    const Schedule schedule = {
        ProgramWriter(1, 1).step().receive(1, scratch(0)).step(true).send(1, output(0)).reduce(scratch(0), output(0)),
        ProgramWriter(1).step().send(0, output(0)).step().receive_reduce(0, output(0))};
    EXPECT_EQ(finding(Collective::allreduce, schedule), "");
}

TEST(DataFlow, AContributionCountsOnce) {
    Schedule schedule = exchange();
    for (Program& program : schedule) {
        const int peer = program.actions[0].peer;
        program = ProgramWriter(1)
                      .step(true)
                      .receive_reduce(peer, output(0))
                      .send(peer, output(0))
                      .step(true)
                      .receive_reduce(peer, output(0))
                      .send(peer, output(0));
    }
    EXPECT_TRUE(says(finding(Collective::allreduce, schedule),
                     "lane 0, step 1: from rank 1, reduces ranks 0-1 into output block 0 from the right, which "
                     "holds ranks 0-1: a contribution counts twice"));
}

TEST(DataFlow, OrderIsLostWhenTheOperandIsOnTheWrongSide) {
    Schedule schedule = exchange();
    schedule[1].actions[0].operand = Operand::right;
    EXPECT_EQ(finding(Collective::allreduce, schedule), "");
    EXPECT_EQ(finding(Collective::allreduce, schedule, true),
              "rank 1, lane 0, step 0: from rank 0, reduces ranks 0 into output block 0 from the right, which holds "
              "ranks 1: a contribution counts twice, or the order of ranks is lost");
}

TEST(DataFlow, OrderIsLostWhenARankIsLeftOut) {
    const auto gather = [](int first, int second) -> Schedule {
        ProgramWriter root(1);
        root.step().receive_reduce(first, output(0)).step().receive_reduce(second, output(0));
        root.step().send(1, output(0)).send(2, output(0));
        const Program leaf = ProgramWriter(1).step().send(0, output(0)).step().receive(0, output(0));
        return {root, leaf, leaf};
    };
    EXPECT_EQ(finding(Collective::allreduce, gather(1, 2), true), "");
    EXPECT_EQ(finding(Collective::allreduce, gather(2, 1)), "");
    EXPECT_TRUE(says(finding(Collective::allreduce, gather(2, 1), true),
                     "rank 0, lane 0, step 0: from rank 2, reduces ranks 2 into output block 0 from the right"));
}

TEST(DataFlow, ReductionsOfAStepApplyAsListed) {
    const auto gather = [](int first, int second) -> Schedule {
        ProgramWriter root(1);
        root.step().receive_reduce(first, output(0)).receive_reduce(second, output(0));
        root.step().send(1, output(0)).send(2, output(0));
        const Program leaf = ProgramWriter(1).step().send(0, output(0)).step().receive(0, output(0));
        return {root, leaf, leaf};
    };
    EXPECT_EQ(finding(Collective::allreduce, gather(1, 2), true), "");
    EXPECT_TRUE(says(finding(Collective::allreduce, gather(2, 1), true), "the order of ranks is lost"));
}

TEST(DataFlow, BlocksKeepTheirPlaceInTheVector) {
    EXPECT_EQ(finding(Collective::allreduce, {ProgramWriter(2, 2).step().copy(output(1), scratch(0))}),
              "rank 0, lane 0, step 0: copies output block 1, which is vector block 1, into scratch block 0, which is "
              "vector block 0");
    EXPECT_TRUE(says(finding(Collective::allreduce, {ProgramWriter(2).step().reduce(output(1), output(0))}),
                     "reduces output block 1, which is vector block 1, into output block 0"));
}

TEST(DataFlow, TheResultMustBeComplete) {
    EXPECT_EQ(finding(Collective::allreduce, {ProgramWriter(1), ProgramWriter(1)}),
              "rank 0: output block 0 ends with ranks 0 instead of all ranks' contributions");
}

// Two ranks swap what the other needs through scratch.
Schedule pairwise_reduce_scatter() {
    Schedule schedule;
    for (const int rank : {0, 1}) {
        const int peer = 1 - rank;
        schedule.push_back(ProgramWriter(2, 2)
                               .scratch_order({0, 1})
                               .step()
                               .copy(input(0, 2), scratch(0, 2))
                               .step()
                               .receive_reduce(peer, scratch(rank), rank == 0 ? Operand::right : Operand::left)
                               .send(peer, scratch(peer))
                               .copy(scratch(rank), output(rank)));
    }
    return schedule;
}

Schedule pairwise_allgather() {
    Schedule schedule;
    for (const int rank : {0, 1}) {
        const int peer = 1 - rank;
        schedule.push_back(ProgramWriter(2, 2)
                               .scratch_order({0, 1})
                               .step()
                               .copy(input(rank), scratch(rank))
                               .step()
                               .receive(peer, scratch(peer))
                               .send(peer, scratch(rank))
                               .copy(scratch(0, 2), output(0, 2)));
    }
    return schedule;
}

TEST(DataFlow, TheOtherCollectivesStartFromInput) {
    EXPECT_EQ(finding(Collective::reduce_scatter, pairwise_reduce_scatter(), true), "");
    EXPECT_EQ(finding(Collective::reduce_scatter_block, pairwise_reduce_scatter(), true), "");
    EXPECT_EQ(finding(Collective::allgather, pairwise_allgather()), "");
    EXPECT_NE(finding(Collective::reduce_scatter, pairwise_allgather()), "");
    EXPECT_NE(finding(Collective::allgather, pairwise_reduce_scatter()), "");
}

TEST(DataFlow, TheOtherCollectivesMustFillOutput) {
    Schedule scatter = pairwise_reduce_scatter();
    scatter[1].actions.pop_back();
    --scatter[1].steps.back().end;
    EXPECT_EQ(finding(Collective::reduce_scatter_block, scatter),
              "rank 1: output block 1 ends with nothing instead of all ranks' contributions");
    Schedule gather = pairwise_allgather();
    gather[0].actions.back().count = 1;
    EXPECT_EQ(finding(Collective::allgather, gather),
              "rank 0: output block 1 ends with nothing instead of the piece of rank 1");
}

}  // namespace
}  // namespace coll_topo::test
