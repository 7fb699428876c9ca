// SPDX-License-Identifier: BSD-3-Clause
#include "test/verify/program_writer.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

// Rank 2 sends to rank 0 first and to rank 1 then, and rank 1 waits for that before it sends to rank 0. Rank 0 takes
// both in one step, adding up in the order given.
Schedule gather_in_order(int first, int second) {
    ProgramWriter root(1);
    root.step().receive_reduce(first, output(0)).receive_reduce(second, output(0));
    root.step().send(1, output(0)).send(2, output(0));
    return {root,
            ProgramWriter(1, 1).step().receive(2, scratch(0)).step().send(0, output(0)).step().receive(0, output(0)),
            ProgramWriter(1).step().send(0, output(0)).step().send(1, output(0)).step().receive(0, output(0))};
}

TEST(Passage, AReductionWaitsForTheOneListedBefore) {
    EXPECT_EQ(finding(Collective::allreduce, gather_in_order(2, 1)), "");
    // Uncut, the message of rank 2 waits at rank 0 as a whole, and all goes well.
    EXPECT_TRUE(says(finding(Collective::allreduce, gather_in_order(1, 2)), "deadlock: "));
}

// Rank 0 sends block 0 to rank 1 while it reduces what rank 2 sends into `reduced`; rank 1 hears of rank 2 first.
Schedule pass_on(int reduced) {
    return {ProgramWriter(2).step(true).receive_reduce(2, output(reduced)).send(1, output(0)),
            ProgramWriter(2, 2).step().receive(2, scratch(0)).step().receive(0, scratch(0)),
            ProgramWriter(2).step().send(0, output(reduced)).step().send(1, output(0))};
}

TEST(Passage, AReductionWaitsForSendsThatOverlapIt) {
    EXPECT_EQ(
        finding(Collective::allreduce, pass_on(0)),
        "rank 0, lane 0, step 0: deadlock: waits to send to rank 1, which would receive in its step 1 but is stuck "
        "in step 0");
    EXPECT_TRUE(says(finding(Collective::allreduce, pass_on(1)), "instead of all ranks' contributions"));
}

// Two ranks that send blocks [first, first + 2) to each other in a step of which rank 1 sends from `other` on.
Schedule exchange_of(int first, int other) {
    return {ProgramWriter(4).step(true).receive_reduce(1, output(other, 2)).send(1, output(first, 2)),
            ProgramWriter(4).step(true).receive_reduce(0, output(first, 2)).send(0, output(other, 2))};
}

TEST(Passage, AnExchangeOfTheSameBlocksGoesSegmentBySegment) {
    EXPECT_TRUE(says(finding(Collective::allreduce, exchange_of(0, 0)), "output block 2 ends with"));
}

TEST(Passage, AnExchangeOfPartlyTheSameBlocksWaitsForItself) {
    EXPECT_EQ(
        finding(Collective::allreduce, exchange_of(0, 1)),
        "rank 0, lane 0, step 0: deadlock: the message from rank 1 to rank 0, if cut into segments, waits for the "
        "message from rank 0 to rank 1, which cannot pass before it");
    EXPECT_TRUE(says(finding(Collective::allreduce, exchange_of(0, 2)), "instead of all ranks' contributions"));
}

TEST(Passage, ARingOfExchangesGoesSegmentBySegment) {
    Schedule ring;
    for (int rank = 0; rank < 5; ++rank) {
        ring.push_back(
            ProgramWriter(1).step(true).receive_reduce((rank + 4) % 5, output(0)).send((rank + 1) % 5, output(0)));
    }
    EXPECT_TRUE(says(finding(Collective::allreduce, ring), "instead of all ranks' contributions"));
}

// Rank 0 sends to rank 1 and rank 2, of which rank 1 waits until rank 2 has heard of rank 0.
Schedule tell_the_waiting_one_first(int sends_at_once) {
    return {ProgramWriter(1).lane(1, sends_at_once).step().send(1, output(0)).send(2, output(0)),
            ProgramWriter(1, 1).step().receive(2, scratch(0)).step().receive(0, output(0)),
            ProgramWriter(1).step().receive(0, output(0)).step().send(1, output(0))};
}

TEST(Passage, ASendThatIsKeptBackWaitsForTheOnesBefore) {
    EXPECT_EQ(finding(Collective::bcast, tell_the_waiting_one_first(0)), "");
    EXPECT_EQ(finding(Collective::bcast, tell_the_waiting_one_first(2)), "");
    EXPECT_TRUE(says(finding(Collective::bcast, tell_the_waiting_one_first(1)), "deadlock: "));
}

}  // namespace
}  // namespace coll_topo::test
