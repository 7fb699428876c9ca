// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/lanes.hpp"

#include "test/verify/hand_written.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
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

constexpr int many = 500;

TEST(Lanes, ManyMessagesOfAStepAreNotLookedAtAgainAndAgain) {
    Plan plan(linear_alltoall(many)[3], Collective::alltoall, many, 3, 0);
    std::vector<int> sent(many, 3), received(many);
    LastPostedFirstDone transport;
    Workspace workspace;
    ASSERT_EQ(execute_lanes(plan, transport, {sent.data(), received.data(), 1, nullptr}, workspace), 0);
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
    ASSERT_EQ(execute_lanes(plan, transport, {nullptr, value.data(), 1, nullptr}, workspace), 0);
    EXPECT_EQ(value[0], many * (many - 1) / 2);
    EXPECT_TRUE(std::ranges::is_sorted(transport.order)) << "as listed, whatever arrives first";
    EXPECT_LE(transport.tests, 2 * transport.posts() + 1);
}

}  // namespace
}  // namespace coll_topo::test
