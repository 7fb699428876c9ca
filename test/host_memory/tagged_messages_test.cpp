// SPDX-License-Identifier: BSD-3-Clause
#include "test/host_memory/tagged_members.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace coll_topo {
namespace {

using test::all_lengths;
using test::beside;
using test::long_message;
using test::TaggedMessages;

TEST_F(TaggedMessages, MoveBothWays) {
    const auto run = [&](int own) {
        for (int round = 0; round < 50; ++round) {
            for (const std::size_t bytes : all_lengths) {
                const auto sent = data(bytes, own + round);
                std::vector<std::byte> into(bytes);
                void* const incoming = receive(own, into.data(), bytes, -7);
                void* const outgoing = send(own, sent, -7);
                wait(own, incoming);
                wait(own, outgoing);
                EXPECT_EQ(into, data(bytes, 1 - own + round)) << bytes;
            }
        }
    };
    std::thread other(run, 1);
    run(0);
    other.join();
}

TEST_F(TaggedMessages, FindTheirReceivesInWhateverOrderTheyArrive) {
    constexpr int messages = 300;
    std::vector<int> order(messages);
    std::iota(order.begin(), order.end(), 0);
    std::mt19937 random(5);
    const auto length = [&](int number) { return all_lengths[number % std::size(all_lengths)]; };
    std::vector<std::vector<std::byte>> sent, into;
    std::vector<void*> outgoing(messages), incoming(messages);
    for (int number = 0; number < messages; ++number) {
        sent.push_back(data(length(number) % 50'000, number));
        into.emplace_back(sent.back().size());
    }
    // Half of the receives are posted before anything is sent.
    std::shuffle(order.begin(), order.end(), random);
    for (int i = 0; i < messages / 2; ++i) {
        incoming[order[i]] = receive(1, into[order[i]].data(), into[order[i]].size(), order[i]);
    }
    for (int number = 0; number < messages; ++number) outgoing[number] = send(0, sent[number], number);
    for (int i = messages / 2; i < messages; ++i) {
        incoming[order[i]] = receive(1, into[order[i]].data(), into[order[i]].size(), order[i]);
    }
    std::shuffle(order.begin(), order.end(), random);
    std::thread sender([&] {
        for (void* request : outgoing) wait(0, request);
    });
    for (const int number : order) wait(1, incoming[number]);
    sender.join();
    EXPECT_EQ(into, sent);
}

TEST_F(TaggedMessages, OfOneTagArriveInTheOrderSent) {
    std::vector<void*> outgoing;
    std::vector<std::vector<std::byte>> sent;
    for (int number = 0; number < 70; ++number) {
        // Where a long one waits for room, short ones behind it wait too.
        sent.push_back(data(number % 3 == 0 ? beside : 9, number));
        outgoing.push_back(send(0, sent.back(), 1));
    }
    for (const auto& message : sent) {
        EXPECT_EQ(received(message.size(), 1), message);
        for (void*& request : outgoing) {
            if (request != nullptr) test(0, request);
        }
    }
    for (void* request : outgoing) wait(0, request);
}

// A run that nobody goes on with, as another is waited for, has taken all the room there is.
TEST_F(TaggedMessages, OfOneRunDoNotKeepBackThoseOfAnother) {
    const auto many = data(beside, 1), long_one = data(long_message, 2), last = data(20, 3);
    std::vector<void*> waiting;
    for (int number = 0; number < 40; ++number) {
        waiting.push_back(send(0, many, 1));
        waiting.push_back(send(0, long_one, 1));
    }
    void* outgoing = send(0, last, 2);
    std::vector<std::byte> into(last.size());
    void* incoming = receive(1, into.data(), into.size(), 2);
    bool sent = outgoing == nullptr, arrived = false;
    for (int round = 0; round < 200 && !(sent && arrived); ++round) {
        sent = sent || test(0, outgoing) == 1;
        arrived = arrived || test(1, incoming) == 1;
    }
    EXPECT_TRUE(sent);
    EXPECT_TRUE(arrived);
    EXPECT_EQ(into, last);
    std::thread sender([&] {
        for (void* request : waiting) wait(0, request);
    });
    for (int number = 0; number < 40; ++number) {
        EXPECT_EQ(received(beside, 1), many);
        EXPECT_EQ(received(long_message, 1), long_one);
    }
    sender.join();
}

TEST_F(TaggedMessages, ThatAreLongAreNotSentBeforeTheyAreTaken) {
    const auto sent = data(long_message, 1);
    void* outgoing = send(0, sent, 4);
    EXPECT_EQ(test(0, outgoing), 0);
    EXPECT_EQ(received(long_message, 4), sent);
    wait(0, outgoing);
}

// Where there is no room to say that a message has been read, the sender learns it all the same.
TEST_F(TaggedMessages, AreAcknowledgedWithoutRoom) {
    const auto sent = data(long_message, 1), aside = data(1, 2);
    void* outgoing = send(0, sent, 4);
    std::vector<void*> others;
    for (std::uint32_t i = 0; i < Channel::length + 1; ++i) others.push_back(send(1, aside, 5));
    EXPECT_NE(others.back(), nullptr) << "no room is left";
    EXPECT_EQ(received(long_message, 4), sent);
    EXPECT_EQ(coll_topo_tagged_test(members_[0].get(), &outgoing), 1);
    std::byte into{};
    for (std::size_t i = 0; i + 1 < others.size(); ++i) wait(0, receive(0, &into, 1, 5));
    wait(1, others.back());
    wait(0, receive(0, &into, 1, 5));
}

TEST_F(TaggedMessages, OfSeveralThreadsAreNotMixed) {
    constexpr int threads = 4, rounds = 200;
    const auto run = [&](int own, int tag) {
        for (int round = 0; round < rounds; ++round) {
            const std::size_t bytes = all_lengths[(round + tag) % std::size(all_lengths)] % 100'000;
            const auto sent = data(bytes, round + tag);
            std::vector<std::byte> into(bytes);
            void* const incoming = receive(own, into.data(), bytes, tag);
            void* const outgoing = send(own, sent, tag);
            wait(own, incoming);
            wait(own, outgoing);
            EXPECT_EQ(into, sent);
        }
    };
    std::vector<std::thread> all;
    for (int own = 0; own < 2; ++own) {
        for (int tag = 0; tag < threads; ++tag) all.emplace_back(run, own, tag);
    }
    for (std::thread& thread : all) thread.join();
}

TEST_F(TaggedMessages, OfACallThatWaitsAreApart) {
    const auto first = data(30, 1), second = data(30, 2);
    void* request = nullptr;
    std::vector<std::byte> into(30);
    wait(0, send(0, first, 0));
    ASSERT_EQ(coll_topo_host_memory_send(members_[0].get(), second.data(), 30, 1, 0, &request), 0);
    ASSERT_EQ(coll_topo_host_memory_receive(members_[1].get(), into.data(), 30, 0, 0, &request), 0);
    ASSERT_EQ(coll_topo_host_memory_test(members_[1].get(), &request), 1);
    EXPECT_EQ(into, second);
    EXPECT_EQ(received(30, 0), first);
}

}  // namespace
}  // namespace coll_topo
