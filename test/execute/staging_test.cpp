// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/staging.hpp"

#include "coll_topo/execute/transfer.hpp"
#include "coll_topo/execute/workspace.hpp"
#include "coll_topo/schedule/builder.hpp"
#include "test/verify/program_writer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <utility>
#include <vector>

namespace coll_topo::test {
namespace {

/// Bytes of elements of 4, each in memory of its own.
std::size_t room_for(std::initializer_list<std::size_t> operands) {
    std::size_t bytes = 0;
    for (const std::size_t elements : operands) bytes += Workspace::aligned(4 * elements);
    return bytes;
}

/// Rank 1 of two, which receives so many operands of a block in each step.
Program receiver(int blocks, std::initializer_list<int> operands) {
    ProgramBuilder builder(blocks, blocks);
    builder.lane();
    for (const int count : operands) {
        for (int i = 0; i < count; ++i) builder.receive_reduce(0, scratch(1), Operand::left);
        builder.next_step();
    }
    std::vector<std::int32_t> order(blocks);
    std::iota(order.begin(), order.end(), 0);
    return builder.finish(std::move(order));
}

std::size_t room_of(Plan& plan, const coll_topo_buffers& buffers, std::size_t segment = uncut) {
    coll_topo_transport transport{};
    transport.extent = transport.element_bytes = 4;
    const Data data(plan, plan.tables, transport, buffers);
    update_staging(plan.tables.staging, plan.program, data, {4, 0, segment}, buffers);
    return plan.tables.staging.begin.back();
}

TEST(Staging, IsThatOfTheLargestEvenAndTheLargestOddStep) {
    Plan plan(receiver(2, {3, 2, 1, 1}), Collective::reduce_scatter_block, 2, 1, 0);
    EXPECT_EQ(room_of(plan, {nullptr, nullptr, 100, {}, nullptr}), room_for({100, 100, 100, 100, 100}));
    EXPECT_EQ(plan.tables.staging.begin[1], room_for({100, 100, 100}));
}

TEST(Staging, HoldsTwoSegmentsOfALongOperand) {
    Plan plan(receiver(2, {1}), Collective::reduce_scatter_block, 2, 1, 0);
    EXPECT_EQ(room_of(plan, {nullptr, nullptr, 100, {}, nullptr}, 30), room_for({60}));
    EXPECT_EQ(room_of(plan, {nullptr, nullptr, 100, {}, nullptr}, 70), room_for({100}));
    EXPECT_EQ(room_of(plan, {nullptr, nullptr, 100, {}, nullptr}, 100), room_for({100}));
}

TEST(Staging, FollowsTheSizesOfPieces) {
    Plan plan(receiver(2, {1}), Collective::reduce_scatter, 2, 1, 0);
    const int nothing_here[] = {100, 0}, all_here[] = {0, 100};
    EXPECT_EQ(room_of(plan, {nullptr, nullptr, 100, {nothing_here, nullptr}, nullptr}), 0u);
    EXPECT_EQ(room_of(plan, {nullptr, nullptr, 100, {all_here, nullptr}, nullptr}), room_for({100}));
    EXPECT_EQ(room_of(plan, {nullptr, nullptr, 100, {nothing_here, nullptr}, nullptr}), 0u);
    EXPECT_EQ(room_of(plan, {nullptr, nullptr, 100, {}, nullptr}), room_for({100})) << "equal pieces after others";
    EXPECT_EQ(room_of(plan, {nullptr, nullptr, 7, {}, nullptr}), room_for({7}));
}

}  // namespace
}  // namespace coll_topo::test
