// SPDX-License-Identifier: BSD-3-Clause
//
// What the builder finds of steps that may overlap: receives that are early, sends that may be passed.
#include "coll_topo/schedule/builder.hpp"
#include "test/verify/program_writer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace coll_topo {
namespace {

using test::output;
using test::scratch;

// Whether the only step's reductions must wait for its send.
bool reductions_wait(Blocks sent, Blocks reduced) {
    ProgramBuilder builder(8, 8);
    builder.lane();
    builder.send(1, sent);
    builder.receive_reduce(1, reduced, Operand::left);
    return builder.finish().steps[0].sends_overlap_receives;
}

TEST(ProgramBuilder, ReductionsWaitForSendsOfTheSameBlocks) {
    EXPECT_TRUE(reductions_wait(output(0, 4), output(3, 4)));
    EXPECT_TRUE(reductions_wait(output(3, 4), output(0, 4)));
    EXPECT_TRUE(reductions_wait(output(0, 8), output(3)));
    EXPECT_FALSE(reductions_wait(output(0, 4), output(4, 4)));
    EXPECT_FALSE(reductions_wait(output(4, 4), output(0, 4)));
    EXPECT_FALSE(reductions_wait(output(0, 4), scratch(0, 4)));
}

// Steps of many messages are not examined block by block.
TEST(ProgramBuilder, ReductionsOfManyMessagesWaitForTheSendsWhateverTheirBlocks) {
    for (const bool reduces : {false, true}) {
        ProgramBuilder builder(200, 0);
        builder.lane();
        for (int peer = 1; peer < 100; ++peer) {
            builder.send(peer, output(peer));
            if (reduces)
                builder.receive_reduce(peer, output(100 + peer), Operand::left);
            else
                builder.receive(peer, output(100 + peer));
        }
        EXPECT_EQ(builder.finish().steps[0].sends_overlap_receives, reduces);
    }
}

// Whether a receive from rank 2 may be early after a step written by `before`.
template <typename Before>
bool early(Before&& before, Blocks into, bool reduced = false) {
    ProgramBuilder builder(8, 8);
    builder.lane();
    before(builder);
    builder.next_step();
    if (reduced)
        builder.receive_reduce(2, into, Operand::left);
    else
        builder.receive(2, into);
    return builder.finish().steps.back().receives_ahead > 0;
}

TEST(ProgramBuilder, ReceivesAreEarlyIfTheStepBeforeLeavesTheirBlocksAlone) {
    const auto send = [](ProgramBuilder& builder) { builder.send(1, output(2, 2)); };
    const auto receive = [](ProgramBuilder& builder) { builder.receive(1, output(2, 2)); };
    const auto copy_from = [](ProgramBuilder& builder) { builder.copy(output(2, 2), Buffer::scratch, 6); };
    const auto copy_to = [](ProgramBuilder& builder) { builder.copy(scratch(6, 2), Buffer::output, 2); };
    const auto reduce_to = [](ProgramBuilder& builder) {
        builder.reduce(scratch(6, 2), Buffer::output, 2, Operand::left);
    };
    const std::vector<void (*)(ProgramBuilder&)> all = {send, receive, copy_from, copy_to, reduce_to};
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_FALSE(early(all[i], output(3, 2))) << i;
        EXPECT_FALSE(early(all[i], output(1, 2))) << i;
        EXPECT_TRUE(early(all[i], output(4, 2))) << i;
        EXPECT_TRUE(early(all[i], output(0, 2))) << i;
        EXPECT_TRUE(early(all[i], scratch(2, 2))) << i;
        EXPECT_TRUE(early(all[i], output(2, 2), true)) << i << ": reduced only when its step has come";
    }
}

// The middle of a chain: it receives block after block and passes each on one step later.
Program middle_of_a_chain(bool reduces, int blocks) {
    ProgramBuilder builder(blocks, 0);
    builder.lane();
    for (int step = 0; step <= blocks; ++step) {
        if (step < blocks && reduces) builder.receive_reduce(1, output(step), Operand::left);
        if (step < blocks && !reduces) builder.receive(1, output(step));
        if (step > 0) builder.send(2, output(step - 1));
        builder.next_step();
    }
    return builder.finish();
}

TEST(ProgramBuilder, APipelineReceivesAheadAndPassesItsSends) {
    const Program bcast = middle_of_a_chain(false, 6), reduce = middle_of_a_chain(true, 6);
    for (int step = 0; step < 6; ++step) {
        EXPECT_EQ(bcast.steps[step].receives_ahead, std::min(step, most_steps_ahead));
        EXPECT_EQ(reduce.steps[step].receives_ahead, std::min(step, 1)) << "operands take memory";
        EXPECT_EQ(bcast.steps[step].passes_sends, std::min(step, most_steps_ahead));
        EXPECT_EQ(reduce.steps[step].passes_sends, std::min(step, most_steps_ahead));
    }
}

TEST(ProgramBuilder, AWindowLimitsTheStepsInFlight) {
    ProgramBuilder builder(9, 0);
    builder.lane(4);
    for (int step = 0; step < 9; ++step) {
        builder.receive(1, output(step));
        builder.send(2, {Buffer::input, step, 1});
        builder.next_step();
    }
    const Program program = builder.finish();
    for (int step = 0; step < 9; ++step) {
        EXPECT_EQ(program.steps[step].passes_sends, std::min(step, 3));
        EXPECT_EQ(program.steps[step].receives_ahead, std::min(step, 7)) << "for ranks that are a window ahead";
    }
}

TEST(ProgramBuilder, AStepPassesSendsOfWhatItDoesNotChange) {
    using Write = void (*)(ProgramBuilder&);
    const std::vector<Write> writes = {
        [](ProgramBuilder& builder) { builder.receive(2, output(3, 2)); },
        [](ProgramBuilder& builder) { builder.receive_reduce(2, output(3, 2), Operand::left); },
        [](ProgramBuilder& builder) { builder.copy(scratch(0, 2), Buffer::output, 3); },
        [](ProgramBuilder& builder) { builder.reduce(scratch(0, 2), Buffer::output, 3, Operand::left); },
    };
    const auto passed = [](Blocks sent, Write write) {
        ProgramBuilder builder(8, 8);
        builder.lane();
        builder.send(1, sent);
        builder.next_step();
        builder.send(1, scratch(7));
        builder.next_step();
        write(builder);
        return builder.finish().steps[2].passes_sends;
    };
    for (std::size_t i = 0; i < writes.size(); ++i) {
        EXPECT_EQ(passed(output(2, 2), writes[i]), 1) << i;
        EXPECT_EQ(passed(output(4, 2), writes[i]), 1) << i;
        EXPECT_EQ(passed(output(5), writes[i]), 2) << i;
        EXPECT_EQ(passed(output(2), writes[i]), 2) << i;
        EXPECT_EQ(passed(scratch(3, 2), writes[i]), 2) << i << ": sent from another buffer";
    }
    EXPECT_EQ(passed(output(0, 8), [](ProgramBuilder& builder) { builder.send(2, output(3)); }), 2)
        << "changes nothing";
    EXPECT_EQ(passed(scratch(0), [](ProgramBuilder& builder) { builder.copy(scratch(0), Buffer::output, 3); }), 2);
}

TEST(ProgramBuilder, TheFirstStepOfALaneHasNoneBeforeIt) {
    ProgramBuilder builder(8, 0);
    builder.lane();
    builder.receive(1, output(0));
    builder.lane();
    builder.receive(1, output(1));
    const Program program = builder.finish();
    EXPECT_EQ(program.steps[0].receives_ahead, 0);
    EXPECT_EQ(program.steps[1].receives_ahead, 0);
    EXPECT_EQ(program.steps[1].passes_sends, 0);
}

TEST(ProgramBuilder, StepsTooLargeToExamineAreTakenForTheWorst) {
    const int peers = 100;
    ProgramBuilder builder(peers + 1, 0);
    builder.lane();
    for (int peer = 1; peer <= peers; ++peer) builder.send(peer, output(0));
    builder.next_step();
    for (int peer = 1; peer <= peers; ++peer) builder.receive(peer, output(peer));
    builder.next_step();
    for (int peer = 1; peer <= peers; ++peer) {
        builder.send(peer, output(0));
        builder.receive_reduce(peer, output(peer), Operand::left);
    }
    const Program program = builder.finish();
    EXPECT_FALSE(program.steps[0].sends_overlap_receives) << "there is no reduction to wait";
    EXPECT_EQ(program.steps[1].receives_ahead, 0);
    EXPECT_EQ(program.steps[1].passes_sends, 0);
    EXPECT_TRUE(program.steps[2].sends_overlap_receives);
}

}  // namespace
}  // namespace coll_topo
