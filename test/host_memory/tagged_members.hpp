// SPDX-License-Identifier: BSD-3-Clause
// Messages with tags between two members that are both in this process.
#pragma once

#include "coll_topo/host_memory/channel.hpp"
#include "coll_topo/host_memory/host_memory.h"
#include "test/host_memory/members.hpp"

#include <cstddef>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace coll_topo::test {

inline constexpr std::size_t inside = ChannelEntry::most_inside, beside = Channel::most_beside,
                             long_message = 1'000'001;
inline constexpr std::size_t all_lengths[] = {1, inside, inside + 1, beside, beside + 1, long_message};

/// With ranks 0 and 1.
class TaggedMessages : public ::testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(members_.size(), 2u); }

    void* send(int rank, const std::vector<std::byte>& message, int tag) {
        void* request = nullptr;
        EXPECT_EQ(coll_topo_tagged_send(members_[rank].get(), message.data(), message.size(), 1 - rank, tag, &request),
                  0);
        return request;
    }

    void* receive(int rank, std::byte* into, std::size_t bytes, int tag) {
        void* request = nullptr;
        EXPECT_EQ(coll_topo_tagged_receive(members_[rank].get(), into, bytes, 1 - rank, tag, &request), 0);
        return request;
    }

    int test(int rank, void*& request) { return coll_topo_tagged_test(members_[rank].get(), &request); }

    void wait(int rank, void* request) {
        int state = 0;
        while ((state = test(rank, request)) == 0) std::this_thread::yield();
        EXPECT_EQ(state, 1);
        EXPECT_EQ(request, nullptr);
    }

    /// What arrives at rank 1.
    std::vector<std::byte> received(std::size_t bytes, int tag) {
        std::vector<std::byte> into(bytes);
        wait(1, receive(1, into.data(), bytes, tag));
        return into;
    }

    std::vector<Memory> members_ = connected(2, 1);
};

}  // namespace coll_topo::test
