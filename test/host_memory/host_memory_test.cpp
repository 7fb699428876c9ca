// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/host_memory/host_memory.h"
#include "coll_topo/execute/transport.h"
#include "coll_topo/host_memory/slot.hpp"
#include "test/host_memory/members.hpp"

#include <cstddef>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace coll_topo {
namespace {

constexpr std::size_t shortest = 1, inside = Slot::most_inside, beside = Slot::most_beside(2), long_message = 1'000'001;

void* send(const Memory& memory, const std::vector<std::byte>& message, int rank, int lane) {
    void* request = nullptr;
    EXPECT_EQ(coll_topo_host_memory_send(memory.get(), message.data(), message.size(), rank, lane, &request), 0);
    return request;
}

void* receive(const Memory& memory, std::byte* into, std::size_t bytes, int rank, int lane) {
    void* request = nullptr;
    EXPECT_EQ(coll_topo_host_memory_receive(memory.get(), into, bytes, rank, lane, &request), 0);
    return request;
}

void wait(const Memory& memory, void* request) {
    int state = 0;
    while ((state = coll_topo_host_memory_test(memory.get(), &request)) == 0) {
        coll_topo_host_memory_progress(memory.get());
    }
    EXPECT_EQ(state, 1);
    EXPECT_EQ(request, nullptr);
}

TEST(HostMemory, MovesMessagesOfAllLengthsBothWays) {
    const auto members = connected(2);
    ASSERT_EQ(members.size(), 2u);
    const auto run = [&](int own) {
        const int peer = 2 * (1 - own) + 1;
        for (const std::size_t bytes :
             {shortest, inside, inside + 1, beside, beside + 1, long_message, shortest, long_message}) {
            const auto sent = data(bytes, own);
            std::vector<std::byte> received(bytes);
            void* const incoming = receive(members[own], received.data(), bytes, peer, 1);
            void* const outgoing = send(members[own], sent, peer, 1);
            wait(members[own], incoming);
            wait(members[own], outgoing);
            EXPECT_EQ(received, data(bytes, 1 - own)) << bytes;
        }
    };
    std::thread other(run, 1);
    run(0);
    other.join();
}

TEST(HostMemory, ALongMessageIsNotSentBeforeItIsTaken) {
    const auto members = connected(2);
    ASSERT_EQ(members.size(), 2u);
    const auto sent = data(long_message, 1);
    void* outgoing = send(members[0], sent, 3, 0);
    EXPECT_EQ(coll_topo_host_memory_test(members[0].get(), &outgoing), 0);
    std::vector<std::byte> received(long_message);
    wait(members[1], receive(members[1], received.data(), received.size(), 1, 0));
    EXPECT_EQ(received, sent);
    wait(members[0], outgoing);
}

TEST(HostMemory, AShortMessageIsSentAtOnceWhereASlotIsFree) {
    const auto members = connected(2);
    ASSERT_EQ(members.size(), 2u);
    const auto sent = data(beside, 1);
    for (int slot = 0; slot < 4; ++slot) EXPECT_EQ(send(members[0], sent, 3, 0), nullptr) << slot;
    void* const fifth = send(members[0], sent, 3, 0);
    EXPECT_NE(fifth, nullptr);
    std::vector<std::byte> received(beside);
    for (int message = 0; message < 5; ++message) {
        wait(members[1], receive(members[1], received.data(), received.size(), 1, 0));
        EXPECT_EQ(received, sent) << message;
        coll_topo_host_memory_progress(members[0].get());
    }
    wait(members[0], fifth);
}

// More than the slot holds: those posted later wait, and lanes do not wait for each other.
TEST(HostMemory, KeepsTheOrderOfALane) {
    const auto members = connected(2);
    ASSERT_EQ(members.size(), 2u);
    std::vector<std::vector<std::byte>> sent;
    for (int number = 0; number < 40; ++number) sent.push_back(data(number % 2 == 0 ? 100 : 2 * beside, number));
    std::vector<void*> outgoing;
    for (const auto& message : sent) outgoing.push_back(send(members[0], message, 3, 0));
    const auto aside = data(17, 99);
    void* const of_other_lane = send(members[0], aside, 3, 1);

    std::vector<std::byte> received(aside.size());
    wait(members[1], receive(members[1], received.data(), received.size(), 1, 1));
    EXPECT_EQ(received, aside);
    wait(members[0], of_other_lane);
    for (const auto& message : sent) {
        received.assign(message.size(), std::byte{});
        wait(members[1], receive(members[1], received.data(), received.size(), 1, 0));
        EXPECT_EQ(received, message);
        coll_topo_host_memory_progress(members[0].get());
    }
    for (void* const request : outgoing) wait(members[0], request);
}

TEST(HostMemory, ReceivesPostedAheadGetTheirOwnMessages) {
    const auto members = connected(2);
    ASSERT_EQ(members.size(), 2u);
    std::vector<std::byte> first(100), second(100);
    void* early = receive(members[1], first.data(), first.size(), 1, 0);
    void* late = receive(members[1], second.data(), second.size(), 1, 0);
    EXPECT_EQ(coll_topo_host_memory_test(members[1].get(), &early), 0);
    const auto sent = data(100, 1);
    wait(members[0], send(members[0], sent, 3, 0));
    EXPECT_EQ(coll_topo_host_memory_test(members[1].get(), &late), 0);
    wait(members[1], early);
    EXPECT_EQ(first, sent);
    coll_topo_host_memory_cancel(members[1].get(), &late);
    EXPECT_EQ(late, nullptr);
}

TEST(HostMemory, AMessageMayBeShorterThanItsReceiveButNotLonger) {
    const auto members = connected(2);
    ASSERT_EQ(members.size(), 2u);
    for (const std::size_t bytes : {std::size_t{100}, long_message}) {
        const auto sent = data(bytes, 3);
        std::vector<std::byte> received(bytes + 10, std::byte{9});
        void* outgoing = send(members[0], sent, 3, 0);
        wait(members[1], receive(members[1], received.data(), received.size(), 1, 0));
        wait(members[0], outgoing);
        EXPECT_TRUE(std::equal(sent.begin(), sent.end(), received.begin()));
        EXPECT_EQ(received[bytes], std::byte{9});

        outgoing = send(members[0], sent, 3, 0);
        void* incoming = receive(members[1], received.data(), bytes - 1, 1, 0);
        EXPECT_EQ(coll_topo_host_memory_test(members[1].get(), &incoming), COLL_TOPO_TRUNCATED);
        EXPECT_EQ(incoming, nullptr);
        wait(members[0], outgoing);
    }
}

// After an error on one side, what was posted is cancelled, and the next messages are to meet.
TEST(HostMemory, MessagesMeetTheirReceivesAfterCancellations) {
    const auto members = connected(2);
    ASSERT_EQ(members.size(), 2u);
    const auto lost = data(2 * beside, 1), last = data(200, 2);
    std::vector<std::byte> received(last.size());
    constexpr int many = Slot::per_lane + 2;  // the last ones are not even announced
    std::vector<void*> sends, receives;
    for (int i = 0; i < many; ++i) {
        sends.push_back(send(members[0], lost, 3, 0));
        receives.push_back(receive(members[1], received.data(), 2 * beside, 1, 0));
    }
    for (void*& request : receives) coll_topo_host_memory_cancel(members[1].get(), &request);
    for (void*& request : sends) coll_topo_host_memory_cancel(members[0].get(), &request);
    void* const incoming = receive(members[1], received.data(), received.size(), 1, 0);
    void* const outgoing = send(members[0], last, 3, 0);
    for (int round = 0; round < 3; ++round) {
        for (const Memory& memory : members) coll_topo_host_memory_progress(memory.get());
    }
    wait(members[1], incoming);
    wait(members[0], outgoing);
    EXPECT_EQ(received, last);
}

// Looking for messages must not take long where those of a network wait to be passed on.
TEST(HostMemory, LongMessagesAreCopiedByProgressUnlessAllRanksAreMembers) {
    for (const int apart : {1, 2}) {
        const auto members = connected(2, apart);
        ASSERT_EQ(members.size(), 2u);
        const auto sent = data(long_message, 7);
        void* const outgoing = send(members[0], sent, 2 * apart - 1, 0);
        std::vector<std::byte> received(long_message);
        void* incoming = receive(members[1], received.data(), received.size(), apart - 1, 0);
        int looks = 0, progresses = 0;
        while (looks < 10 && incoming != nullptr) {
            ++looks;
            EXPECT_GE(coll_topo_host_memory_test(members[1].get(), &incoming), 0);
        }
        EXPECT_EQ(incoming == nullptr, apart == 1) << looks;
        while (progresses < 10 && incoming != nullptr) {
            ++progresses;
            coll_topo_host_memory_progress(members[1].get());
            EXPECT_GE(coll_topo_host_memory_test(members[1].get(), &incoming), 0);
        }
        EXPECT_EQ(progresses, apart == 1 ? 0 : 4) << "a quarter of a megabyte each time";
        EXPECT_EQ(received, sent);
        wait(members[0], outgoing);
    }
}

// The first is partly copied when it is cancelled.
TEST(HostMemory, CopiesThatAreCancelledAreLeft) {
    const auto members = connected(2);
    ASSERT_EQ(members.size(), 2u);
    const auto lost = data(long_message, 1), kept = data(long_message, 2);
    std::vector<std::byte> first(long_message), second(long_message);
    void* outgoing[] = {send(members[0], lost, 3, 0), send(members[0], kept, 3, 0)};
    void* early = receive(members[1], first.data(), first.size(), 1, 0);
    void* const late = receive(members[1], second.data(), second.size(), 1, 0);
    EXPECT_EQ(coll_topo_host_memory_test(members[1].get(), &early), 0);
    coll_topo_host_memory_progress(members[1].get());
    coll_topo_host_memory_cancel(members[1].get(), &early);
    const auto before = first;
    wait(members[1], late);
    EXPECT_EQ(second, kept);
    EXPECT_EQ(first, before) << "memory that is not the receiver's any more";
    for (void* const request : outgoing) wait(members[0], request);
}

TEST(HostMemory, DataAreReadWhereTheyAre) {
    const auto members = connected(2);
    ASSERT_EQ(members.size(), 2u);
    for (const std::size_t bytes : {inside, beside, long_message}) {
        const auto sent = data(bytes, 5);
        void* outgoing = send(members[0], sent, 3, 0);
        void* incoming = receive(members[1], nullptr, bytes, 1, 0);
        ASSERT_EQ(coll_topo_host_memory_test(members[1].get(), &incoming), 1);
        ASSERT_NE(incoming, nullptr);
        if (bytes > beside) {
            EXPECT_EQ(coll_topo_host_memory_test(members[0].get(), &outgoing), 0);
        }
        std::vector<std::byte> received(bytes);
        const std::size_t half = bytes / 2;
        ASSERT_EQ(coll_topo_host_memory_read(members[1].get(), incoming, half, received.data() + half, bytes - half),
                  0);
        ASSERT_EQ(coll_topo_host_memory_read(members[1].get(), incoming, 0, received.data(), half), 0);
        coll_topo_host_memory_release(members[1].get(), &incoming);
        EXPECT_EQ(incoming, nullptr);
        EXPECT_EQ(received, sent);
        wait(members[0], outgoing);
    }
}

}  // namespace
}  // namespace coll_topo
