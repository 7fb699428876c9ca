// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/replay/host_memories.hpp"

#include "test/grid/torus_fixture.hpp"
#include "test/replay/replayed.hpp"
#include "test/verify/program_writer.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <utility>
#include <vector>

namespace coll_topo::test {
namespace {

constexpr double us = 1e-6;
constexpr std::uint64_t bytes = 60000;

/// A ring of 2 hosts with so many ranks each, whose memory is worth two that receive and a half.
Grid grid_of(int ranks_per_host) {
    Fabric fabric = equal_torus({2});
    fabric.costs.local_bandwidth = 4e9;
    fabric.costs.reduce_bandwidth = 8e9;
    fabric.costs.memory_bandwidth = 10e9;
    return Grid::from_torus(fabric, ranks_on_all(fabric, ranks_per_host)).value();
}

/// Seconds if each of so many ranks of a host gets a message from another one of it, all at once.
double seconds_of(int messages, bool combined = false) {
    const int ranks = 8;
    std::vector<Program> programs(2 * ranks, ProgramWriter(1));
    for (int i = 0; i < messages; ++i) {
        programs[2 * i] = ProgramWriter(1).step().send(2 * i + 1, output(0));
        ProgramWriter receiver(1);
        receiver.step();
        programs[2 * i + 1] = combined ? receiver.receive_reduce(2 * i, output(0)) : receiver.receive(2 * i, output(0));
    }
    return replayed_seconds(grid_of(ranks), Collective::reduce, std::move(programs), bytes).value_or(0);
}

TEST(HostMemories, FewGoOnAsIfAlone) {
    EXPECT_NEAR(seconds_of(1), 1 * us + bytes / 4e9, 1e-12);
    EXPECT_NEAR(seconds_of(2), 1 * us + bytes / 4e9, 1e-12);
}

TEST(HostMemories, ManyShareIt) {
    EXPECT_NEAR(seconds_of(4), 1 * us + 4 * bytes / 10e9, 1e-12);
    EXPECT_NEAR(seconds_of(2, true), 1 * us + bytes / 4e9 + 2 * bytes / 10e9, 1e-12);
}

TEST(HostMemories, TheSlowerOfTwoLeavesTheRestToTheOther) {
    const Grid grid = grid_of(4);
    replay::HostMemories memories(grid);
    EXPECT_FALSE(memories.is_enough(0, replay::MemoryWork::receive));
    memories.begin(0, replay::MemoryWork::receive, bytes, nullptr, 0);
    memories.begin(0, replay::MemoryWork::reduce, bytes, nullptr, 0);
    std::vector<std::coroutine_handle<>> ended;
    EXPECT_NEAR(memories.next_end(), bytes / 6e9, 1e-15);
    memories.take_ended(memories.next_end(), ended);
    EXPECT_EQ(ended.size(), 1u);
    EXPECT_NEAR(memories.next_end(), bytes / 4e9, 1e-15) << "goes no faster alone";
    memories.take_ended(memories.next_end(), ended);
    EXPECT_EQ(ended.size(), 2u);
    EXPECT_EQ(memories.next_end(), std::numeric_limits<double>::infinity());
}

TEST(HostMemories, WhatBeginsLaterSlowsDownWhatIsUnderWay) {
    const Grid grid = grid_of(4);
    replay::HostMemories memories(grid);
    memories.begin(1, replay::MemoryWork::reduce, 16000, nullptr, 0);
    memories.begin(1, replay::MemoryWork::reduce, 16000, nullptr, 1 * us);  // 8000 are left of the first
    EXPECT_NEAR(memories.next_end(), 1 * us + 8000 / 5e9, 1e-15);
}

}  // namespace
}  // namespace coll_topo::test
