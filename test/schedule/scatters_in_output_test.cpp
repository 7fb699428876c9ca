// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/schedule/scatters_in_output.hpp"

#include "test/verify/program_writer.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

/// Of rank 1 among three.
BlockRange found(const Program& program, Collective collective = Collective::reduce_scatter) {
    return scatters_in_output(program, collective, 3, 1, find_untouched_operands(program, collective));
}

void expect_apart(const Program& program, std::int32_t begin, std::int32_t end) {
    EXPECT_EQ(found(program).begin, begin);
    EXPECT_EQ(found(program).end, end);
}

ProgramWriter with_operands(int blocks = 3) {
    return ProgramWriter(blocks, blocks).step().copy(input(0, blocks), scratch(0, blocks)).step();
}

TEST(ScattersInOutput, WhereThePieceIsCombinedApartFromOthers) {
    const Program direct = with_operands()
                               .receive_reduce(0, scratch(1))
                               .receive_reduce(2, scratch(1))
                               .send(0, scratch(0))
                               .step()
                               .copy(scratch(1), output(1));
    expect_apart(direct, 1, 2);
    EXPECT_EQ(found(direct, Collective::alltoall).end, 0);
    const Program cut = with_operands(6).receive_reduce(0, scratch(2)).step().copy(scratch(2, 2), output(2, 2));
    expect_apart(cut, 2, 4);
    const Program ordered = ProgramWriter(3, 3)
                                .scratch_order({1, 0, 2})
                                .step()
                                .copy(input(1), scratch(0))
                                .step()
                                .receive_reduce(0, scratch(0))
                                .step()
                                .copy(scratch(0), output(1));
    expect_apart(ordered, 0, 1);
}

TEST(ScattersInOutput, NotWhereItIsPartOfMore) {
    expect_apart(with_operands().receive_reduce(0, scratch(1, 2)).step().copy(scratch(1), output(1)), 0, 0);
    expect_apart(
        with_operands().receive_reduce(0, scratch(1)).send(0, scratch(0, 2)).step().copy(scratch(1), output(1)), 0, 0);
    const Program copied = with_operands()
                               .receive(0, scratch(0, 2))
                               .step()
                               .reduce(scratch(0, 2), scratch(1, 2))
                               .copy(scratch(1), output(1));
    expect_apart(copied, 0, 0);
}

TEST(ScattersInOutput, NotWhereTheDeliveryIsNotOneCopyAtTheEnd) {
    const Program halves = with_operands(6)
                               .receive_reduce(0, scratch(2, 2))
                               .step()
                               .copy(scratch(2), output(2))
                               .copy(scratch(3), output(3));
    expect_apart(halves, 0, 0);
    const Program goes_on =
        with_operands().receive_reduce(0, scratch(1)).step().copy(scratch(1), output(1)).step().receive(0, scratch(1));
    expect_apart(goes_on, 0, 0);
    const Program other_sizes = ProgramWriter(3, 3)
                                    .scratch_order({0, 2, 1})
                                    .step()
                                    .copy(input(0), scratch(0))
                                    .step()
                                    .receive_reduce(0, scratch(1))
                                    .step()
                                    .copy(scratch(1), output(1));
    expect_apart(other_sizes, 0, 0);
}

}  // namespace
}  // namespace coll_topo::test
