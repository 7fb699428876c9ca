// SPDX-License-Identifier: BSD-3-Clause
// Receives of messages with tags that are not of the length sent, read where the sender has them, cancelled, or of a
// sender that is gone.
#include "coll_topo/execute/transport.h"
#include "test/host_memory/tagged_members.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

namespace coll_topo {
namespace {

using test::all_lengths;
using test::beside;
using test::inside;
using test::long_message;
using test::TaggedMessages;

TEST_F(TaggedMessages, MayBeShorterThanTheirReceiveButNotLonger) {
    for (const std::size_t bytes : {inside, beside, long_message}) {
        for (const bool early : {false, true}) {
            const auto sent = data(bytes, 3);
            std::vector<std::byte> into(bytes + 10, std::byte{9});
            void* outgoing = send(0, sent, 1);
            wait(1, receive(1, into.data(), into.size(), 1));
            wait(0, outgoing);
            EXPECT_TRUE(std::equal(sent.begin(), sent.end(), into.begin()));
            EXPECT_EQ(into[bytes], std::byte{9});

            void* incoming = early ? receive(1, into.data(), bytes - 1, 1) : nullptr;
            outgoing = send(0, sent, 1);
            if (!early) incoming = receive(1, into.data(), bytes - 1, 1);
            EXPECT_EQ(test(1, incoming), COLL_TOPO_TRUNCATED);
            EXPECT_EQ(incoming, nullptr);
            wait(0, outgoing);
        }
    }
}

TEST_F(TaggedMessages, CanBeReadWhereTheyAre) {
    for (const std::size_t bytes : all_lengths) {
        for (const bool early : {false, true}) {
            const auto sent = data(bytes, 5);
            void* incoming = early ? receive(1, nullptr, bytes, 1) : nullptr;
            void* outgoing = send(0, sent, 1);
            if (!early) incoming = receive(1, nullptr, bytes, 1);
            ASSERT_EQ(test(1, incoming), 1);
            ASSERT_NE(incoming, nullptr);
            if (coll_topo_tagged_stays(bytes)) {
                EXPECT_EQ(test(0, outgoing), 0);
            }
            std::vector<std::byte> into(bytes);
            const std::size_t half = bytes / 2;
            coll_topo_host_memory* const memory = members_[1].get();
            ASSERT_EQ(coll_topo_tagged_read(memory, incoming, half, into.data() + half, bytes - half), 0);
            ASSERT_EQ(coll_topo_tagged_read(memory, incoming, 0, into.data(), half), 0);
            coll_topo_tagged_release(memory, &incoming);
            EXPECT_EQ(incoming, nullptr);
            EXPECT_EQ(into, sent);
            wait(0, outgoing);
        }
    }
}

// After an error on one side, what was posted is cancelled; messages of other runs meet their own receives.
TEST_F(TaggedMessages, MeetTheirReceivesAfterCancellations) {
    const auto lost = data(9000, 1), last = data(200, 2);
    std::vector<std::byte> never(9000, std::byte{9}), into(last.size());
    std::vector<void*> sends, receives;
    for (std::uint32_t i = 0; i < Channel::length + 2; ++i) {  // the last ones are not even announced
        sends.push_back(send(0, lost, 3));
        receives.push_back(receive(1, never.data(), never.size(), 3));
    }
    for (void*& request : receives) coll_topo_tagged_cancel(members_[1].get(), &request);
    for (void*& request : sends) coll_topo_tagged_cancel(members_[0].get(), &request);
    void* incoming = receive(1, into.data(), into.size(), 4);
    void* outgoing = send(0, last, 4);
    for (int round = 0; round < 10 && incoming != nullptr; ++round) {
        if (outgoing != nullptr) test(0, outgoing);
        test(1, incoming);
    }
    EXPECT_EQ(incoming, nullptr);
    EXPECT_EQ(into, last);
    EXPECT_TRUE(std::ranges::all_of(never, [](std::byte value) { return value == std::byte{9}; }));
}

TEST(TaggedMessagesOfProcesses, SayThatTheSenderIsGone) {
    coll_topo_memory_offer offer{};
    const Memory own = create(2, offer);
    ASSERT_NE(own, nullptr);
    const int ranks[] = {0, 1};
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        const Memory theirs = join(offer, 2, 1);
        const auto sent = data(long_message, 1);
        void* request = nullptr;
        const bool good = theirs != nullptr && coll_topo_host_memory_begin(theirs.get(), ranks, 2, false) &&
                          coll_topo_tagged_send(theirs.get(), sent.data(), sent.size(), 0, 1, &request) == 0;
        _exit(good ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
    ASSERT_TRUE(coll_topo_host_memory_begin(own.get(), ranks, 2, false));
    // The segment names the processes when all have joined.
    std::vector<std::byte> into(long_message);
    void* request = nullptr;
    ASSERT_EQ(coll_topo_tagged_receive(own.get(), into.data(), into.size(), 1, 1, &request), 0);
    EXPECT_EQ(coll_topo_tagged_test(own.get(), &request), COLL_TOPO_FAILED);
    EXPECT_EQ(request, nullptr);
}

}  // namespace
}  // namespace coll_topo
