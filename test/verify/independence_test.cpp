// SPDX-License-Identifier: BSD-3-Clause
#include "test/verify/program_writer.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

// What is found wrong with the program of rank 0 of three. The other two are silent, so a program that passes this
// check fails in matching.
std::string finding_in(const Program& program) {
    Program idle;
    idle.blocks = program.blocks;
    return finding(Collective::allreduce, {program, idle, idle});
}

const char* const unmatched = "never";

TEST(Independence, AReductionIntoWhatIsBeingSentMustWaitForTheSend) {
    const auto step = [](bool waits, int received) {
        return finding_in(ProgramWriter(4).step(waits).receive_reduce(2, output(received, 2)).send(1, output(1, 2)));
    };
    EXPECT_EQ(step(false, 2),
              "rank 0, lane 0, step 0: reduces the message of rank 2 into output block 2 while sending it to rank 1; "
              "set sends_overlap_receives");
    EXPECT_TRUE(says(step(true, 2), unmatched));
    EXPECT_TRUE(
        says(finding_in(ProgramWriter(4).step().receive_reduce(2, output(2, 2)).send(1, output(0, 2))), unmatched));
}

TEST(Independence, AReceiveMayNotOverwriteWhatIsBeingSent) {
    for (const bool waits : {false, true}) {
        EXPECT_EQ(finding_in(ProgramWriter(4).step(waits).receive(2, output(0, 2)).send(1, output(1, 2))),
                  "rank 0, lane 0, step 0: receives from rank 2 into output block 1 while sending it to rank 1");
    }
}

TEST(Independence, TwoMessagesMayOnlyMeetInABlockIfBothAreReduced) {
    EXPECT_EQ(finding_in(ProgramWriter(2).step().receive(1, output(0, 2)).receive(2, output(1))),
              "rank 0, lane 0, step 0: two messages arrive in output block 1, from rank 1 and rank 2");
    EXPECT_TRUE(says(finding_in(ProgramWriter(2).step().receive_reduce(1, output(0)).receive(2, output(0))),
                     "two messages arrive in output block 0"));
    EXPECT_TRUE(
        says(finding_in(ProgramWriter(2).step().receive_reduce(1, output(0)).receive_reduce(2, output(0))), unmatched));
}

TEST(Independence, OneConflictAmongManyMessagesIsFound) {
    const int ranks = 30;
    const auto finding_if = [&](int received, int sent) {
        ProgramWriter writer(2 * ranks);
        writer.step();
        for (int peer = 1; peer < ranks; ++peer) writer.receive(peer, output(peer == 7 ? received : peer));
        for (int peer = 1; peer < ranks; ++peer) writer.send(peer, output(peer == 9 ? sent : ranks));
        Program idle;
        idle.blocks = 2 * ranks;
        Schedule schedule(ranks, idle);
        schedule[0] = writer;
        return finding(Collective::allreduce, schedule);
    };
    EXPECT_TRUE(says(finding_if(7, ranks), unmatched)) << "what is sent to all may be the same";
    EXPECT_EQ(finding_if(21, ranks),
              "rank 0, lane 0, step 0: two messages arrive in output block 21, from rank 7 and rank 21");
    EXPECT_EQ(finding_if(7, 3),
              "rank 0, lane 0, step 0: receives from rank 3 into output block 3 while sending it to rank 9");
    EXPECT_EQ(finding_if(7, 21),
              "rank 0, lane 0, step 0: receives from rank 21 into output block 21 while sending it to rank 9");
}

TEST(Independence, CopiesDoNotOverlapThemselves) {
    EXPECT_EQ(finding_in(ProgramWriter(4).step().copy(output(0, 2), output(1, 2))),
              "rank 0, lane 0, step 0: source and target of a copy or reduce share output block 1");
    EXPECT_TRUE(says(finding_in(ProgramWriter(4).step().reduce(output(0), output(0))), "share output block 0"));
}

TEST(Independence, AnEarlyReceiveTouchesNothingTheStepsBeforeUse) {
    const auto after = [](ProgramWriter before) { return finding_in(before.step(false, 1).receive(2, output(1, 2))); };
    const char* const wrong =
        "rank 0, lane 0, step 1: the early receive from rank 2 goes to output block 2, which a step before uses; "
        "lower receives_ahead";
    EXPECT_EQ(after(ProgramWriter(4, 4).step().send(1, output(2, 2))), wrong);
    EXPECT_EQ(after(ProgramWriter(4, 4).step().receive(1, output(2, 2))), wrong);
    EXPECT_EQ(after(ProgramWriter(4, 4).step().receive_reduce(1, output(2, 2))), wrong);
    EXPECT_EQ(after(ProgramWriter(4, 4).step().copy(output(2), scratch(2))), wrong);
    EXPECT_EQ(after(ProgramWriter(4, 4).step().copy(scratch(2), output(2))), wrong);
    EXPECT_EQ(after(ProgramWriter(4, 4).step().reduce(output(2), scratch(2))), wrong);
    EXPECT_EQ(after(ProgramWriter(4, 4).step().reduce(scratch(2), output(2))), wrong);
    EXPECT_TRUE(says(after(ProgramWriter(4, 4).step().receive(2, output(3))), unmatched));
    EXPECT_TRUE(says(after(ProgramWriter(4, 4).step().send(2, output(3))), unmatched));
    // What is received to be reduced does not touch its target before its step.
    EXPECT_TRUE(says(finding_in(ProgramWriter(1).step().send(1, output(0)).step(false, 1).receive_reduce(2, output(0))),
                     unmatched));
}

TEST(Independence, AnEarlyReceiveMattersToTheStepsItIsAheadOfInItsLane) {
    const auto ahead = [](int steps) {
        return finding_in(ProgramWriter(2)
                              .step()
                              .send(1, output(1))
                              .step()
                              .send(1, output(0))
                              .step(false, steps)
                              .receive(2, output(1)));
    };
    EXPECT_TRUE(says(ahead(1), unmatched));
    EXPECT_TRUE(says(ahead(2), "rank 0, lane 0, step 2: the early receive from rank 2 goes to output block 1"));
    EXPECT_TRUE(says(
        finding_in(ProgramWriter(2).lane().step().receive(2, output(1)).lane().step(false, 1).receive(2, output(0))),
        unmatched));
}

TEST(Independence, AStepDoesNotChangeWhatThoseItPassesSend) {
    const auto passing = [](int steps, const Program& before) {
        Program program = before;
        program.steps.back().passes_sends = static_cast<std::int8_t>(steps);
        return finding_in(program);
    };
    const auto begin = [] {
        return ProgramWriter(4, 4).step().send(1, output(2, 2)).step().send(1, scratch(0)).step();
    };
    const char* const wrong =
        "rank 0, lane 0, step 2: changes output block 2 while a step before may be sending it to rank 1; lower "
        "passes_sends";
    const std::vector<Program> changes = {begin().receive(2, output(1, 2)), begin().receive_reduce(2, output(1, 2)),
                                          begin().copy(scratch(0, 2), output(1, 2)),
                                          begin().reduce(scratch(0, 2), output(1, 2))};
    for (const Program& program : changes) {
        EXPECT_TRUE(says(passing(1, program), unmatched));
        EXPECT_EQ(passing(2, program), wrong);
    }
    EXPECT_TRUE(says(passing(2, begin().receive(2, output(1))), unmatched));
    EXPECT_TRUE(says(passing(2, begin().send(2, output(2))), unmatched));
}

TEST(Independence, StepsOfAWindowAreInFlightTogether) {
    const auto program = [](int window) {
        return finding_in(ProgramWriter(3)
                              .lane(window)
                              .step()
                              .receive(1, output(0))
                              .step()
                              .send(2, output(1))
                              .step()
                              .send(1, output(0)));
    };
    EXPECT_TRUE(says(program(2), unmatched));
    EXPECT_EQ(program(3),
              "rank 0, lane 0, step 2: uses blocks of an earlier step that the window lets be in flight with it; "
              "narrow the window");
}

TEST(Independence, LanesDoNotTouchWhatAnotherWrites) {
    EXPECT_EQ(finding_in(ProgramWriter(2).lane().step().receive(1, output(0)).lane().step().receive(1, output(0, 2))),
              "rank 0, lane 1, step 0: writes output block 0, which lane 0 writes; lanes must be independent");
    EXPECT_EQ(
        finding_in(ProgramWriter(2).lane().step().step().send(1, output(0, 2)).lane().step().receive(1, output(1))),
        "rank 0, lane 0, step 1: reads output block 1, which lane 1 writes; lanes must be independent");
    EXPECT_TRUE(says(
        finding_in(
            ProgramWriter(2, 2).lane().step().copy(output(1), scratch(0)).lane().step().reduce(output(0), output(1))),
        "reads output block 1, which lane 1 writes"));
    EXPECT_TRUE(says(finding_in(ProgramWriter(2).lane().step().send(1, output(0)).lane().step().send(2, output(0))),
                     unmatched));
}

}  // namespace
}  // namespace coll_topo::test
