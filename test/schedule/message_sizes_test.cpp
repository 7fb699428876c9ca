// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/schedule/message_sizes.hpp"
#include "test/verify/program_writer.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

/// Of a program that sends each block of a buffer by itself.
std::vector<std::uint64_t> block_sizes(Collective collective, ProgramWriter writer, Blocks blocks, int ranks,
                                       std::uint64_t bytes) {
    for (int block = 0; block < blocks.count; ++block) writer.step().send(1, {blocks.buffer, block, 1});
    const Program program = writer;
    const MessageSizes sizes(collective, program, 0, ranks, bytes);
    std::vector<std::uint64_t> found;
    for (const Action& action : program.actions) found.push_back(sizes.bytes(action));
    return found;
}

using Sizes = std::vector<std::uint64_t>;

TEST(MessageSizes, AVectorIsCutEvenly) {
    EXPECT_EQ(block_sizes(Collective::allreduce, ProgramWriter(4), output(0, 4), 2, 10), (Sizes{2, 3, 2, 3}));
    EXPECT_EQ(block_sizes(Collective::bcast, ProgramWriter(4), output(0, 4), 7, 2), (Sizes{0, 1, 0, 1}));
    EXPECT_EQ(block_sizes(Collective::reduce, ProgramWriter(2, 4), scratch(0, 4), 7, 3), (Sizes{1, 2, 1, 2}));
}

TEST(MessageSizes, PiecesAreEqual) {
    EXPECT_EQ(block_sizes(Collective::alltoall, ProgramWriter(3), input(0, 3), 3, 11), (Sizes{3, 3, 3}));
    EXPECT_EQ(block_sizes(Collective::reduce_scatter, ProgramWriter(3, 3), scratch(0, 3), 3, 9), (Sizes{3, 3, 3}));
}

TEST(MessageSizes, LanesCutPieces) {
    // Two ranks with a piece of 5 bytes each; two lanes: in the vector piece by piece, in scratch lane by lane.
    const ProgramWriter two_lanes = ProgramWriter(4, 4).scratch_order({0, 2, 1, 3}).lane().lane();
    EXPECT_EQ(block_sizes(Collective::allgather, two_lanes, output(0, 4), 2, 10), (Sizes{2, 3, 2, 3}));
    EXPECT_EQ(block_sizes(Collective::reduce_scatter, two_lanes, scratch(0, 4), 2, 10), (Sizes{2, 2, 3, 3}));
}

TEST(MessageSizes, WhatAnAllgatherReceivesWhereItBelongsIsNotCopied) {
    const auto copied = [](const std::vector<std::int32_t>& order) {
        const Program program = ProgramWriter(2, 2).scratch_order(order).step().copy(scratch(0, 2), output(0, 2));
        return MessageSizes(Collective::allgather, program, 0, 2, 10).bytes(program.actions[0]);
    };
    EXPECT_EQ(copied({0, 1}), 0u);
    EXPECT_EQ(copied({1, 0}), 10u);
}

TEST(MessageSizes, WhatTheRootSendsFromWhereItLiesIsNotCopied) {
    const auto copied = [](const std::vector<std::int32_t>& order) {
        const Program program = ProgramWriter(2, 2)
                                    .scratch_order(order)
                                    .step()
                                    .copy(input(0, 2), scratch(0, 2))
                                    .step()
                                    .copy(scratch(0), output(0));
        const MessageSizes sizes(Collective::scatter, program, 0, 2, 10);
        return Sizes{sizes.bytes(program.actions[0]), sizes.bytes(program.actions[1])};
    };
    EXPECT_EQ(copied({0, 1}), (Sizes{0, 5}));
    EXPECT_EQ(copied({1, 0}), (Sizes{10, 5}));
}

TEST(MessageSizes, PackedBlocksAreAsLongAsTheOnesTheyStandFor) {
    EXPECT_EQ(block_sizes(Collective::allreduce, ProgramWriter(4, 3).scratch_order({1, 3, 2}), scratch(0, 3), 2, 10),
              (Sizes{3, 3, 2}));
    EXPECT_EQ(block_sizes(Collective::allgather, ProgramWriter(4, 5).lane().scratch_order({0, 1, 3, 1, 2}),
                          scratch(0, 5), 2, 10),
              (Sizes{2, 3, 3, 3, 2}));
}

}  // namespace
}  // namespace coll_topo::test
