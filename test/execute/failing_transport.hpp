// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/execute/transport.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

namespace coll_topo::test {

/// Transport of one rank whose peers do all they should: what is sent is taken, zeros are received. Messages end in no
/// order, while progress is made. Any call that may fail does so when it is told to, and all requests are followed from
/// their posting to their end.
class FailingTransport : public coll_topo_transport {
public:
    explicit FailingTransport(std::size_t element_size) : coll_topo_transport{}, element_size_(element_size) {
        extent = static_cast<std::ptrdiff_t>(element_size);
        element_bytes = element_size;
        commutative = 1;
        send = post_send;
        receive = post_receive;
        test = [](coll_topo_transport* t, void** request) { return self(t).finished(*request); };
        progress = [](coll_topo_transport* t) { self(t).make_progress(); };
        cancel = [](coll_topo_transport* t, void** request) { self(t).drop(*request); };
        reduce = [](coll_topo_transport* t, const void*, void*, std::size_t) { self(t).note("a reduction"); };
        copy = [](coll_topo_transport* t, void*, const void*, std::size_t) { return self(t).local("a copy"); };
    }

    /// Before each run. The n-th call that may fail, counted from 0, fails; -1: none does.
    void begin(int nth) {
        failing_ = nth;
        calls_ = 0;
        failed_ = false;
        time_ = 0;
        random_ = 1;  // the same calls in each run
        requests_.clear();
        misuse_.clear();
    }
    /// So far, of those that may fail.
    int calls() const { return calls_; }
    /// The code of the n-th.
    static int code(int nth) { return -1000 - nth; }
    /// Requests posted and neither done nor cancelled.
    std::size_t outstanding() const { return std::ranges::count(requests_, true, &Request::posted); }
    /// What was done that must not be: the first of it.
    const std::string& misuse() const { return misuse_; }

    void use_packing() {
        pack = [](coll_topo_transport* t, void*, std::size_t, std::size_t) { return self(t).local("packing"); };
        unpack = [](coll_topo_transport* t, const void*, std::size_t, std::size_t) {
            return self(t).local("unpacking");
        };
    }

    /// Of these sizes to and from each rank.
    void use_pieces(const std::vector<std::size_t>& sizes) {
        begins_.assign(1, 0);
        for (const std::size_t size : sizes) begins_.push_back(begins_.back() + size);
        const auto post = [](coll_topo_transport* t, std::size_t, std::size_t, int, int, int, void** request) {
            return self(t).post(request);
        };
        const auto copy = [](coll_topo_transport* t, int, int) { return self(t).local("a copy of the own piece"); };
        own_pieces_ = {begins_.data(), begins_.data(), post, post, copy};
        pieces = &own_pieces_;
        extent = 0;
    }

    /// Operands twice as long as results.
    void use_partial_sums() {
        const auto use_scratch = [](coll_topo_transport* t, void*, std::size_t) {
            return self(t).local("the use of scratch");
        };
        own_sums_ = {2 * extent, post_send, post_receive, post_operands, use_scratch};
        partial_sums = &own_sums_;
    }

private:
    struct Request {
        bool posted;
        int end;  // when it is done
    };

    static FailingTransport& self(coll_topo_transport* transport) { return *static_cast<FailingTransport*>(transport); }

    static int post_send(coll_topo_transport* t, const void*, std::size_t, int, int, void** request) {
        return self(t).post(request);
    }
    static int post_receive(coll_topo_transport* t, void* data, std::size_t n, int, int, void** request) {
        std::memset(data, 0, n * self(t).element_size_);
        return self(t).post(request);
    }
    static int post_operands(coll_topo_transport* t, void* data, std::size_t n, int, int, void** request) {
        std::memset(data, 0, n * 2 * self(t).element_size_);
        return self(t).post(request);
    }

    void note(const char* what) {
        if (failed_) complain(std::string(what) + " after a failure");
    }
    void complain(const std::string& what) {
        if (misuse_.empty()) misuse_ = what;
    }
    bool fails() {
        failed_ = failed_ || calls_ == failing_;
        return calls_++ == failing_;
    }
    int local(const char* what) {
        note(what);
        return fails() ? code(failing_) : 0;
    }

    int post(void** request) {
        note("a message");
        if (fails()) {
            // What is no request, and is not null either.
            *request = reinterpret_cast<void*>(std::uintptr_t{1});
            return code(failing_);
        }
        random_ = random_ * 1664525U + 1013904223U;
        requests_.push_back({true, time_ + static_cast<int>(random_ >> 30U)});
        *request = reinterpret_cast<void*>(requests_.size() * request_step);
        return 0;
    }

    /// Null, with a complaint, if it is none that is posted.
    Request* find(void* request, const char* what) {
        const auto bits = reinterpret_cast<std::uintptr_t>(request);
        const std::size_t number = bits / request_step;
        if (bits % request_step == 0 && number > 0 && number <= requests_.size() && requests_[number - 1].posted) {
            return &requests_[number - 1];
        }
        complain(std::string(what) + " of what is no request");
        return nullptr;
    }

    int finished(void* request) {
        note("a test");
        Request* const found = find(request, "a test");
        if (found == nullptr) return code(-1);
        if (fails()) {
            found->posted = false;
            return code(failing_);
        }
        if (found->end > time_) return 0;
        found->posted = false;
        return 1;
    }

    void make_progress() {
        note("waiting");
        // Of so few messages, all are done by then.
        if (++time_ > 100'000) complain("waiting without end"), std::abort();
    }

    void drop(void* request) {
        if (!failed_) complain("a cancellation without a failure");
        if (Request* const found = find(request, "a cancellation")) found->posted = false;
    }

    static constexpr std::uintptr_t request_step = 4;  // the lowest bits are for others

    const std::size_t element_size_;
    int failing_ = -1;
    int calls_ = 0;
    bool failed_ = false;
    int time_ = 0;  // times that progress was made
    std::uint32_t random_ = 1;
    std::vector<Request> requests_;
    std::string misuse_;
    std::vector<std::size_t> begins_;
    coll_topo_pieces own_pieces_{};
    coll_topo_partial_sums own_sums_{};
};

/// Lets each of the calls that a run makes fail, one in each run. run(): the code that ends it. Nothing may be under
/// way then, and another run go well.
template <typename Run>
void fail_each_call(FailingTransport& transport, Run run) {
    const auto check = [&](int nth, int expected) {
        transport.begin(nth);
        EXPECT_EQ(run(), expected) << "call " << nth;
        EXPECT_EQ(transport.outstanding(), 0u) << "call " << nth;
        EXPECT_EQ(transport.misuse(), "") << "call " << nth;
    };
    check(-1, 0);
    const int calls = transport.calls();
    for (int nth = 0; nth < calls && !testing::Test::HasFailure(); ++nth) check(nth, FailingTransport::code(nth));
    if (!testing::Test::HasFailure()) check(-1, 0);
}

}  // namespace coll_topo::test
