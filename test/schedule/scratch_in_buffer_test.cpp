// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/schedule/scratch_in_buffer.hpp"

#include "test/verify/program_writer.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

constexpr int ranks = 2;

/// The root, rank 0 of two, gets the piece of rank 1, or sends it.
ProgramWriter gathering(const std::vector<std::int32_t>& order) {
    ProgramWriter writer(ranks, 2);
    return writer.scratch_order(order).step().copy(input(0), scratch(0)).step().receive(1, scratch(1)).step();
}

ProgramWriter scattering(const std::vector<std::int32_t>& order) {
    ProgramWriter writer(ranks, 2);
    return writer.scratch_order(order).step().copy(input(0, 2), scratch(0, 2)).step().send(1, scratch(1)).step();
}

/// Rank 1 passes nothing on.
ProgramWriter leaf() {
    ProgramWriter writer(ranks, 1);
    return writer.scratch_order({1});
}

TEST(ScratchInBuffer, IsTheRootsWhereThatHasTheBlocksInTheirOrder) {
    EXPECT_EQ(scratch_in_buffer(gathering({0, 1}).copy(scratch(0, 2), output(0, 2)), Collective::gather, ranks, 0),
              Buffer::output);
    EXPECT_EQ(scratch_in_buffer(scattering({0, 1}).copy(scratch(0), output(0)), Collective::scatter, ranks, 0),
              Buffer::input);
    EXPECT_EQ(scratch_in_buffer(gathering({1, 0}).copy(scratch(0, 2), output(0, 2)), Collective::gather, ranks, 0),
              std::nullopt);
    EXPECT_EQ(scratch_in_buffer(scattering({1, 0}).copy(scratch(1), output(0)), Collective::scatter, ranks, 0),
              std::nullopt);
}

TEST(ScratchInBuffer, IsTheOnlyPieceOfRanksThatPassNothingOn) {
    const Program gather = leaf().step().copy(input(1), scratch(0)).step().send(0, scratch(0));
    EXPECT_EQ(scratch_in_buffer(gather, Collective::gather, ranks, 1), Buffer::input);
    const Program scatter = leaf().step().receive(0, scratch(0)).step().copy(scratch(0), output(1));
    EXPECT_EQ(scratch_in_buffer(scatter, Collective::scatter, ranks, 1), Buffer::output);
}

TEST(ScratchInBuffer, IsNoneWhereBlocksChangePlacesOnTheWay) {
    const Program crossed = gathering({0, 1}).copy(scratch(0), output(1)).copy(scratch(1), output(0));
    EXPECT_EQ(scratch_in_buffer(crossed, Collective::gather, ranks, 0), std::nullopt);
    const Program received = scattering({0, 1}).receive(1, scratch(1)).step().copy(scratch(0), output(0));
    EXPECT_EQ(scratch_in_buffer(received, Collective::scatter, ranks, 0), std::nullopt) << "input is not written";
}

/// Rank 1 of three gets the piece of rank 2 and sends both, one by one or together.
ProgramWriter passing_on() {
    ProgramWriter writer(3, 2);
    return writer.scratch_order({1, 2}).step().copy(input(1), scratch(0)).step().receive(2, scratch(1));
}

TEST(OwnPieceInBuffer, IsWhatNoMessageHasTogetherWithOthers) {
    const Program one_by_one = passing_on().send(0, scratch(0)).step().send(0, scratch(1));
    const BlockRange own = own_piece_in_buffer(one_by_one, Collective::gather, 3, 1);
    EXPECT_EQ(own.begin, 0);
    EXPECT_EQ(own.end, 1);
    const Program together = passing_on().step().send(0, scratch(0, 2));
    EXPECT_EQ(own_piece_in_buffer(together, Collective::gather, 3, 1).end, 0);
}

TEST(OwnPieceInBuffer, IsNotOverwritten) {
    const Program overwriting = passing_on().send(0, scratch(0)).step().receive(2, scratch(0));
    EXPECT_EQ(own_piece_in_buffer(overwriting, Collective::gather, 3, 1).end, 0);
}

TEST(ScratchInBuffer, IsForPiecesOfARootAlone) {
    const Program program = gathering({0, 1}).copy(scratch(0, 2), output(0, 2));
    EXPECT_EQ(scratch_in_buffer(program, Collective::reduce_scatter, ranks, 0), std::nullopt);
}

}  // namespace
}  // namespace coll_topo::test
