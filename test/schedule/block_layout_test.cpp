// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/schedule/block_layout.hpp"

#include <gtest/gtest.h>
#include <ostream>

namespace coll_topo {

bool operator==(BlockRange a, BlockRange b) {
    return a.begin == b.begin && a.end == b.end;
}
std::ostream& operator<<(std::ostream& stream, BlockRange range) {
    return stream << '[' << range.begin << ", " << range.end << ')';
}

namespace {

Program program_of(int blocks, int lanes, std::vector<std::int32_t> scratch_order) {
    Program program;
    program.blocks = blocks;
    program.scratch_blocks = static_cast<int>(scratch_order.size());
    program.scratch_order = std::move(scratch_order);
    program.lanes.resize(lanes);
    return program;
}

TEST(BlockLayout, KnowsWhichBlocksExistOnARank) {
    const Program program = program_of(6, 2, {0, 2, 4});
    const BlockLayout allreduce(Collective::allreduce, program, 3);
    EXPECT_EQ(allreduce.existing(Buffer::input, 1), (BlockRange{0, 0}));
    EXPECT_EQ(allreduce.existing(Buffer::output, 1), (BlockRange{0, 6}));
    EXPECT_EQ(allreduce.existing(Buffer::scratch, 1), (BlockRange{0, 3}));
    const BlockLayout allgather(Collective::allgather, program, 3);
    EXPECT_EQ(allgather.existing(Buffer::input, 1), (BlockRange{2, 4}));
    EXPECT_EQ(allgather.existing(Buffer::output, 1), (BlockRange{0, 6}));
    const BlockLayout reduce_scatter(Collective::reduce_scatter, program, 3);
    EXPECT_EQ(reduce_scatter.existing(Buffer::input, 2), (BlockRange{0, 6}));
    EXPECT_EQ(reduce_scatter.existing(Buffer::output, 2), (BlockRange{4, 6}));
    const BlockLayout alltoall(Collective::alltoall, program, 3);
    EXPECT_EQ(alltoall.existing(Buffer::input, 2), (BlockRange{0, 6}));
    EXPECT_EQ(alltoall.existing(Buffer::output, 2), (BlockRange{0, 6}));
    const BlockLayout for_each(Collective::neighbor_alltoall, program_of(4, 2, {}), 3);
    EXPECT_EQ(for_each.existing(Buffer::input, 2), (BlockRange{0, 4}));
    EXPECT_EQ(for_each.existing(Buffer::output, 2), (BlockRange{0, 4}));
    const BlockLayout for_all(Collective::neighbor_allgather, program_of(4, 2, {}), 3);
    EXPECT_EQ(for_all.existing(Buffer::input, 2), (BlockRange{0, 1}));
    EXPECT_EQ(for_all.existing(Buffer::output, 2), (BlockRange{0, 4}));
}

TEST(BlockLayout, CutsTheVectorOrItsPieces) {
    EXPECT_EQ(BlockLayout(Collective::bcast, program_of(6, 1, {}), 3).cuts(), 6);
    EXPECT_EQ(BlockLayout(Collective::allgather, program_of(6, 2, {}), 3).cuts(), 2);
    EXPECT_EQ(BlockLayout(Collective::alltoall, program_of(6, 1, {}), 3).cuts(), 2);
    EXPECT_EQ(BlockLayout(Collective::alltoall, program_of(6, 1, {}), 3).pieces(), 3);
    EXPECT_EQ(BlockLayout(Collective::neighbor_alltoall, program_of(4, 2, {}), 3).cuts(), 1);
    EXPECT_EQ(BlockLayout(Collective::neighbor_alltoall, program_of(4, 2, {}), 3).pieces(), 4);
    EXPECT_EQ(BlockLayout(Collective::bcast, program_of(6, 1, {}), 3).vector(13).offset(5), 10u);
    EXPECT_EQ(BlockLayout(Collective::allgather, program_of(6, 2, {}), 3).vector(5).offset(5), 12u);
}

TEST(BlockLayout, NeedsATableWhereScratchDoesNotRepeatTheCuts) {
    const BlockLayout repeats(Collective::allgather, program_of(6, 1, {2, 3, 0, 1}), 3);
    EXPECT_FALSE(repeats.needs_table(5));
    const BlockLayout packs(Collective::allgather, program_of(6, 1, {3, 0, 1}), 3);
    EXPECT_TRUE(packs.needs_table(5));
    EXPECT_FALSE(packs.needs_table(4)) << "all blocks are of one size";
    EXPECT_FALSE(BlockLayout(Collective::allgather, program_of(6, 2, {3, 0, 1}), 3).packs()) << "lane by lane";
}

TEST(BlockLayout, HoldsTheSharesOfAPieceTogetherOrThoseOfALane) {
    const auto first_of_lane_1 = [](const std::vector<std::int32_t>& order, std::int32_t block) {
        const BlockLayout layout(Collective::allgather, program_of(6, 2, order), 3);
        return layout.scratch(5, layout.vector(5)).offset(block);
    };
    EXPECT_EQ(first_of_lane_1({0, 1, 2, 3, 4, 5}, 1), 2u) << "behind 2 of the 5 elements of its piece";
    EXPECT_EQ(first_of_lane_1({0, 2, 4, 1, 3, 5}, 3), 6u) << "behind 2 elements of each of 3 pieces";
}

TEST(BlockLayout, KnowsTheBlockThatGivesScratchItsSize) {
    const std::vector<std::int32_t> order = {3, 0, 1};
    EXPECT_EQ(BlockLayout(Collective::allreduce, program_of(6, 1, order), 3).vector_block(order, 1), 0);
    EXPECT_EQ(BlockLayout(Collective::allreduce, program_of(6, 1, {}), 3).vector_block({}, 8), 2);
    Program square = program_of(6, 1, {});
    square.scratch_blocks = 8;
    EXPECT_EQ(BlockLayout(Collective::alltoall, square, 3).vector_block({}, 5), 1) << "the second slice of a piece";
}

}  // namespace
}  // namespace coll_topo
