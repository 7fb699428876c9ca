// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/memory_need.hpp"

#include "test/verify/program_writer.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

std::int64_t need(const Program& program) {
    return bytes_to_prove(Collective::allreduce, program, 0, 4);
}

Program with_messages(int steps, int blocks) {
    ProgramWriter writer(blocks, blocks);
    for (int step = 0; step < steps; ++step) writer.step().receive(1, scratch(0)).send(1, output(0));
    return writer;
}

// The sizes that measurements of whole proofs gave: 150 to 300 bytes a message of a ring, four a block.
TEST(MemoryNeed, GrowsWithMessagesAndBlocks) {
    const std::int64_t few = need(with_messages(1, 1));
    EXPECT_LT(few, 2000);
    const std::int64_t messages = need(with_messages(1001, 1)) - few;
    EXPECT_GT(messages, 150 * 1000);
    EXPECT_LT(messages, 500 * 1000);
    EXPECT_EQ(need(with_messages(0, 1001)) - need(with_messages(0, 1)), 4 * 2 * 1000);
}

}  // namespace
}  // namespace coll_topo::test
