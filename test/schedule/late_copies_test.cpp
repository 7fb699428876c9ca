// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/schedule/late_copies.hpp"

#include "test/verify/program_writer.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

/// Rank 0 of three: the steps to which others may be added, and with how they end.
ProgramWriter gathered() {
    return ProgramWriter(3, 3).step().copy(input(0), scratch(0)).step().receive(1, scratch(1)).send(2, scratch(0));
}

Program delivered(ProgramWriter writer) {
    return writer.step().receive(2, scratch(2)).step().copy(scratch(0, 3), output(0, 3));
}

bool is_late(const Program& program, Collective collective = Collective::allgather) {
    return may_copy_own_piece_late(program, collective, 3, 0);
}

TEST(LateCopies, WhereTheOwnPieceIsSentAlone) {
    EXPECT_TRUE(is_late(delivered(gathered())));
    EXPECT_TRUE(is_late(delivered(gathered().step().send(2, scratch(1)))));
    EXPECT_FALSE(is_late(delivered(gathered()), Collective::reduce_scatter));
}

TEST(LateCopies, NotWhereItIsNeededBesideOthers) {
    EXPECT_FALSE(is_late(delivered(gathered().step().send(2, scratch(0, 2))))) << "together with one that was received";
    EXPECT_FALSE(is_late(delivered(gathered().step().copy(scratch(0), scratch(2)))));
    EXPECT_FALSE(is_late(delivered(gathered().step().receive(1, scratch(0)))));
    EXPECT_FALSE(is_late(delivered(gathered().step().copy(input(0), scratch(0))))) << "after messages";
}

/// Rank 0 of two, likewise.
ProgramWriter exchanged() {
    return ProgramWriter(2, 2).step().copy(input(0), output(0)).step().receive(1, output(1)).send(1, input(1));
}

bool is_late_in_alltoall(const Program& program) {
    return may_copy_own_piece_late(program, Collective::alltoall, 2, 0);
}

TEST(LateCopies, OfAnAlltoallThatBeginsWithTheOwnPiece) {
    EXPECT_TRUE(is_late_in_alltoall(exchanged()));
    EXPECT_TRUE(is_late_in_alltoall(exchanged().step().copy(output(1), scratch(0))));
    EXPECT_FALSE(is_late_in_alltoall(exchanged().step().copy(output(0), scratch(0)))) << "it is needed";
    EXPECT_FALSE(is_late_in_alltoall(exchanged().step().send(1, output(0)))) << "it is needed";
    EXPECT_FALSE(is_late_in_alltoall(exchanged().step().receive(1, output(0)))) << "it is replaced";
    EXPECT_FALSE(is_late_in_alltoall(exchanged().step().copy(scratch(0), output(0)))) << "it is replaced";
}

TEST(LateCopies, NotOfAnAlltoallThatBeginsOtherwise) {
    const auto is_late_after = [](const ProgramWriter& writer) {
        return is_late_in_alltoall(ProgramWriter(writer).step().receive(1, output(1)).send(1, input(1)));
    };
    EXPECT_TRUE(is_late_after(ProgramWriter(2, 2).step().copy(input(0), output(0))));
    EXPECT_FALSE(is_late_after(ProgramWriter(2, 2).step().copy(input(0), output(0)).copy(input(1), scratch(1))));
    EXPECT_FALSE(is_late_after(ProgramWriter(2, 2).step().copy(input(0), scratch(0)).copy(scratch(0), output(0))));
    EXPECT_FALSE(is_late_after(ProgramWriter(2, 2))) << "it comes there in another way";
}

TEST(LateCopies, NotWhereScratchIsNotTheOutput) {
    EXPECT_FALSE(is_late(delivered(gathered().scratch_order({2, 1, 0}))));
}

TEST(LateCopies, AreWithWhatLanesBegin) {
    const Program program = delivered(gathered());
    EXPECT_EQ(first_step_with_messages(program, program.lanes[0]), 1);
    const MessageSizes sizes(Collective::allgather, program, 0, 3, 3 * 5000);
    EXPECT_EQ(bytes_of_late_copies(program, sizes), 5000U);
    EXPECT_TRUE(copies_own_piece_late(program, Collective::allgather, 3, 0, sizes));
    const MessageSizes few(Collective::allgather, program, 0, 3, 3 * 4096);
    EXPECT_FALSE(copies_own_piece_late(program, Collective::allgather, 3, 0, few)) << "bound by latency";
}

TEST(LateCopies, AreDoneInShares) {
    EXPECT_EQ(late_copy_share(100), 64U * 1024);
    EXPECT_EQ(late_copy_share(64 << 20), 2U << 20);
}

}  // namespace
}  // namespace coll_topo::test
