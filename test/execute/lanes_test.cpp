// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/lanes.hpp"

#include "test/verify/hand_written.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace coll_topo::test {
namespace {

/// A transport on which the message posted last arrives first, one each time progress is made. Counts how often it is
/// asked for a request.
class LastPostedFirstDone : public coll_topo_transport {
public:
    LastPostedFirstDone() : coll_topo_transport{} {
        extent = sizeof(int);
        element_bytes = sizeof(int);
        commutative = 1;
        send = [](coll_topo_transport* t, const void*, size_t, int, int, void** request) {
            return self(t).post(request);
        };
        receive = [](coll_topo_transport* t, void* data, size_t n, int peer, int, void** request) {
            std::fill_n(static_cast<int*>(data), n, peer);
            return self(t).post(request);
        };
        test = [](coll_topo_transport* t, void** request) {
            ++self(t).tests;
            return self(t).done_[reinterpret_cast<std::uintptr_t>(*request) - 1] ? 1 : 0;
        };
        progress = [](coll_topo_transport* t) {
            auto& done = self(t).done_;
            const auto last = std::find(done.rbegin(), done.rend(), false);
            if (last != done.rend()) *last = true;
        };
        reduce = [](coll_topo_transport* t, const void* source, void* target, size_t n) {
            self(t).order.push_back(*static_cast<const int*>(source));
            for (size_t i = 0; i < n; ++i) static_cast<int*>(target)[i] += static_cast<const int*>(source)[i];
        };
        copy = [](coll_topo_transport*, void* target, const void* source, size_t n) {
            std::memcpy(target, source, n * sizeof(int));
            return 0;
        };
    }

    std::size_t posts() const { return done_.size(); }

    std::size_t tests = 0;
    std::vector<int> order;  ///< from whom the operands came, as they were combined

private:
    static LastPostedFirstDone& self(coll_topo_transport* transport) {
        return *static_cast<LastPostedFirstDone*>(transport);
    }
    int post(void** request) {
        done_.push_back(false);
        *request = reinterpret_cast<void*>(done_.size());
        return 0;
    }

    std::vector<bool> done_;
};

/// A transport on which messages end only when progress is made, one by one or all at once. Writes down what is posted
/// and combined.
class OneAtATime : public coll_topo_transport {
public:
    /// What ends next, given what is under way, in the order posted. Null: all ends.
    using Choose = std::size_t (*)(const std::vector<std::string>& under_way);

    explicit OneAtATime(Choose choose) : coll_topo_transport{}, choose_(choose) {
        extent = element_bytes = sizeof(int);
        commutative = 1;
        send = [](coll_topo_transport* t, const void*, size_t, int peer, int, void** request) {
            return self(t).post("send to " + std::to_string(peer), request);
        };
        receive = [](coll_topo_transport* t, void*, size_t, int peer, int, void** request) {
            return self(t).post("receive from " + std::to_string(peer), request);
        };
        test = [](coll_topo_transport* t, void** request) {
            return static_cast<int>(self(t).done_[reinterpret_cast<std::uintptr_t>(*request) - 1]);
        };
        progress = [](coll_topo_transport* t) { self(t).end_one(); };
        reduce = [](coll_topo_transport* t, const void*, void*, size_t) { self(t).note("combine"); };
        copy = [](coll_topo_transport*, void*, const void*, size_t) { return 0; };
    }

    /// "receive from 1, send to 2; ...": what was posted and combined, a group before each time progress was made.
    std::string log;

private:
    static OneAtATime& self(coll_topo_transport* transport) { return *static_cast<OneAtATime*>(transport); }
    void note(const std::string& what) { log += (log.empty() || log.back() == ' ' ? "" : ", ") + what; }
    int post(const std::string& what, void** request) {
        note(what);
        posted_.push_back(what);
        done_.push_back(false);
        *request = reinterpret_cast<void*>(done_.size());
        return 0;
    }
    void end_one() {
        std::vector<std::string> under_way;
        std::vector<std::size_t> which;
        for (std::size_t i = 0; i < done_.size(); ++i) {
            if (done_[i]) continue;
            under_way.push_back(posted_[i]);
            which.push_back(i);
        }
        ASSERT_FALSE(which.empty()) << "nothing is under way, and it waits: " << log;
        if (choose_ == nullptr)
            std::fill(done_.begin(), done_.end(), true);
        else
            done_[which[choose_(under_way)]] = true;
        log += "; ";
    }

    Choose choose_;
    std::vector<std::string> posted_;
    std::vector<bool> done_;
};

std::string posts(const Program& program, Collective collective, OneAtATime::Choose choose, std::size_t block = 1) {
    Plan plan(program, collective, 3, 1, 0);
    std::vector<int> values(static_cast<std::size_t>(program.blocks) * block);
    OneAtATime transport(choose);
    Workspace workspace;
    EXPECT_EQ(execute_lanes(plan, transport, {nullptr, values.data(), values.size(), {}, nullptr}, workspace), 0);
    return transport.log;
}

// Rank 1 of a chain 0 -> 1 -> 2 that passes on block after block.
Program middle_of_a_chain(bool reduces, int blocks) {
    ProgramBuilder builder(blocks, 0);
    builder.lane();
    for (int step = 0; step <= blocks; ++step) {
        if (step < blocks && reduces) builder.receive_reduce(0, output(step), Operand::left);
        if (step < blocks && !reduces) builder.receive(0, output(step));
        if (step > 0) builder.send(2, output(step - 1));
        builder.next_step();
    }
    return builder.finish();
}

std::size_t first_posted(const std::vector<std::string>&) {
    return 0;
}

// Receives before sends, as on a network whose way out is slow.
std::size_t first_receive(const std::vector<std::string>& under_way) {
    const auto found = std::ranges::find(under_way, "receive from 0");
    return found == under_way.end() ? 0 : static_cast<std::size_t>(found - under_way.begin());
}

TEST(Lanes, APipelineHasReceivesPostedAheadAndPassesOnWhatHasArrivedWhileItSends) {
    EXPECT_EQ(posts(middle_of_a_chain(false, 6), Collective::bcast, first_receive),
              "receive from 0, receive from 0, receive from 0, receive from 0; "  // blocks 0 to 3
              "send to 2, receive from 0; send to 2; send to 2; send to 2; "      // blocks 0 to 3, and 4 to come
              "; "                                        // four sends are under way: block 4 waits
              "receive from 0, send to 2; ; send to 2; "  // each time a send ends
              "; ; ; ");
}

TEST(Lanes, OperandsArePostedOneStepAhead) {
    EXPECT_EQ(posts(middle_of_a_chain(true, 4), Collective::reduce, first_posted),
              "receive from 0, receive from 0; "
              "combine, send to 2, receive from 0; "
              "combine, send to 2, receive from 0; "
              "; combine, send to 2; ; combine, send to 2; ; ");
}

// Rank 1 of a chain 0 -> 1 -> 2 that adds to a block in each of two lanes and passes it on.
Program adder_with_two_lanes() {
    ProgramBuilder builder(2, 0);
    for (int lane = 0; lane < 2; ++lane) {
        builder.lane();
        builder.receive_reduce(0, output(lane), Operand::left);
        builder.next_step();
        builder.send(2, output(lane));
    }
    return builder.finish();
}

TEST(Lanes, ALaneSendsWhatItHasCombinedBeforeTheNextLaneCombines) {
    EXPECT_EQ(posts(adder_with_two_lanes(), Collective::allreduce, nullptr),
              "receive from 0, receive from 0; combine, send to 2, combine, send to 2; ");
}

TEST(Lanes, MessagesMoveBetweenLongReductions) {
    EXPECT_EQ(posts(adder_with_two_lanes(), Collective::allreduce, nullptr, 16 * 1024),
              "receive from 0, receive from 0; combine, send to 2; combine, send to 2; ");
}

// So its result travels while the others still reduce.
TEST(Lanes, TheFirstLaneGoesFirstIfTheProgramSaysSo) {
    ProgramBuilder builder(4, 0);
    for (int lane = 0; lane < 2; ++lane) {
        const int before = 2 * lane, after = 2 - before;
        builder.lane();
        for (int step = 0; step <= 2; ++step) {
            if (step > 0) builder.send(after, output(2 * lane + step - 1));
            if (step < 2) builder.receive_reduce(before, output(2 * lane + step), Operand::left);
            builder.next_step();
        }
    }
    Program program = builder.finish();
    const std::string begin = "receive from 0, receive from 0, receive from 2, receive from 2; ";
    EXPECT_EQ(posts(program, Collective::allreduce, nullptr, 16 * 1024),
              begin + "combine, send to 2; combine, send to 0; combine, send to 2; combine, send to 0; ");
    program.first_lanes_first = true;
    EXPECT_EQ(posts(program, Collective::allreduce, nullptr, 16 * 1024),
              begin + "combine, send to 2; combine, send to 2; combine, send to 0; combine, send to 0; ");
}

TEST(Lanes, NoMoreSendsThanAllowedAreUnderWayAndTheyKeepTheirOrder) {
    ProgramBuilder builder(1, 0);
    builder.lane(1, 2);
    for (const int peer : {1, 2, 3, 4}) builder.send(peer, output(0));
    EXPECT_EQ(posts(builder.finish(), Collective::bcast, first_posted),
              "send to 1, send to 2; send to 3; send to 4; ; ");
}

TEST(Lanes, ASendWaitsForTheOneSoManyPlacesBefore) {
    ProgramBuilder builder(1, 0);
    builder.lane(1, 2);
    for (const int peer : {1, 2, 3, 4}) builder.send(peer, output(0));
    const auto last_posted = [](const std::vector<std::string>& under_way) { return under_way.size() - 1; };
    EXPECT_EQ(posts(builder.finish(), Collective::bcast, last_posted),
              "send to 1, send to 2; send to 4; ; send to 3; ");
}

constexpr int many = 500;

TEST(Lanes, ManyMessagesOfAStepAreNotLookedAtAgainAndAgain) {
    Plan plan(linear_alltoall(many)[3], Collective::alltoall, many, 3, 0);
    std::vector<int> sent(many, 3), received(many);
    LastPostedFirstDone transport;
    Workspace workspace;
    ASSERT_EQ(execute_lanes(plan, transport, {sent.data(), received.data(), 1, {}, nullptr}, workspace), 0);
    for (int rank = 0; rank < many; ++rank) EXPECT_EQ(received[rank], rank);
    EXPECT_EQ(transport.posts(), 2u * (many - 1));
    // Each once when it is done, and once for each time that progress had to be made.
    EXPECT_LE(transport.tests, 2 * transport.posts() + 1);
}

TEST(Lanes, OperandsThatWaitForOthersAreNotLookedAtAgainAndAgain) {
    Plan plan(star_reduce(many, 0)[0], Collective::reduce, many, 0, 0);
    std::vector<int> value(1, 0);
    LastPostedFirstDone transport;
    Workspace workspace;
    ASSERT_EQ(execute_lanes(plan, transport, {nullptr, value.data(), 1, {}, nullptr}, workspace), 0);
    EXPECT_EQ(value[0], many * (many - 1) / 2);
    EXPECT_TRUE(std::ranges::is_sorted(transport.order)) << "as listed, whatever arrives first";
    EXPECT_LE(transport.tests, 2 * transport.posts() + 1);
}

}  // namespace
}  // namespace coll_topo::test
