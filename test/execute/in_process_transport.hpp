// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/execute/transport.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>
#include <vector>

namespace coll_topo::test {

/// Messages between ranks that are threads of this process. Rendezvous: a send ends when its receive has taken it.
class MessageBoard {
public:
    struct Message {
        std::vector<std::byte> bytes;
        bool taken = false;
    };
    using Key = std::tuple<int, int, int>;  // from, to, lane

    std::mutex mutex;
    std::atomic<bool> broken = false;  // a rank has failed: what is not done will never be
    std::map<Key, std::list<Message*>> waiting;
    std::list<Message> of_done_sends;
};

/// Transport of one rank, for elements of `extent` bytes that are all data. It holds its caller to what MPI asks for:
/// what is being sent must not change, and what is being received has no contents to be read.
class InProcessTransport : public coll_topo_transport {
public:
    using Operation = std::function<void(const void* left, void* right)>;  // right = left (op) right, one element

    InProcessTransport(MessageBoard& board, int rank, std::size_t element_size, Operation operation, bool commutes)
        : coll_topo_transport{},
          board_(board),
          rank_(rank),
          element_size_(element_size),
          operation_(std::move(operation)) {
        extent = static_cast<std::ptrdiff_t>(element_size);
        element_bytes = element_size;
        scratch_lead = scratch_tail = 0;
        commutative = commutes;
        send = [](coll_topo_transport* t, const void* data, size_t n, int peer, int lane, void** request) {
            return self(t).post_send(data, n, peer, lane, request);
        };
        receive = [](coll_topo_transport* t, void* data, size_t n, int peer, int lane, void** request) {
            return self(t).post_receive(data, n, peer, lane, request);
        };
        test = [](coll_topo_transport* t, void** request) { return self(t).finished(request); };
        progress = [](coll_topo_transport*) { std::this_thread::yield(); };
        cancel = [](coll_topo_transport* t, void** request) { self(t).drop(request); };
        reduce = [](coll_topo_transport* t, const void* source, void* target, size_t n) {
            self(t).combine(source, target, n);
        };
        reduce_apart = [](coll_topo_transport* t, const void* left, const void* right, void* target, size_t n) {
            std::memcpy(target, right, n * self(t).element_size_);
            self(t).combine(left, target, n);
        };
        copy = [](coll_topo_transport* t, void* target, const void* source, size_t n) {
            std::memcpy(target, source, n * self(t).element_size_);
            return 0;
        };
    }

    /// From half of its peers, by an even or odd distance, operands are read where they are, if any. Short sends to
    /// them are done at once.
    void read_from_peers(int parity) {
        static constexpr coll_topo_readable_peers peers{
            [](coll_topo_transport* t, std::size_t, int peer) { return self(t).shares_memory_with(peer) ? 1 : 0; },
            [](coll_topo_transport* t, std::size_t n, int peer, int lane, void** request) {
                return self(t).post_receive(nullptr, n, peer, lane, request);
            },
            [](coll_topo_transport* t, void* request, std::size_t at, void* operands, std::size_t n) {
                self(t).read_some(request, at, operands, n);
                return 0;
            },
            [](coll_topo_transport* t, void** request) { self(t).end_reading(request); }};
        parity_ = parity;
        readable = &peers;
    }

    /// The n-th post or test that finds a message, counted from 0, fails with this code, and so does whatever other
    /// ranks wait for then.
    void fail_at(int countdown) { countdown_ = countdown; }
    int failure_code() const { return -17 - rank_; }
    /// Requests posted and neither done nor cancelled.
    int outstanding() const { return outstanding_; }
    std::size_t longest_message() const { return longest_message_; }
    std::size_t bytes_sent() const { return bytes_sent_; }

private:
    static constexpr std::size_t most_at_once = 64;  // bytes

    struct Request {
        bool is_send;
        MessageBoard::Message message;  // of a send
        MessageBoard::Key key;
        std::byte* data;  // null: to be read
        std::size_t bytes;
        MessageBoard::Message* readable;  // found, and not yet released
        std::vector<std::byte> before;    // contents of a receive's memory, of which a shorter message leaves the rest
    };

    static InProcessTransport& self(coll_topo_transport* transport) {
        return *static_cast<InProcessTransport*>(transport);
    }
    bool shares_memory_with(int peer) const { return ((rank_ + peer + parity_) & 1) != 0; }
    [[noreturn]] static void stop(const char* wrong) {
        std::fprintf(stderr, "in-process transport: %s\n", wrong);
        std::terminate();
    }
    bool fails() {
        if (countdown_ < 0 || countdown_-- > 0) return false;
        board_.broken = true;
        return true;
    }

    /// What a request is after it could not be posted is not for its caller to use.
    int refuse(void** request) {
        *request = reinterpret_cast<void*>(~std::uintptr_t{0} - 63);
        return failure_code();
    }

    int post_send(const void* data, std::size_t n, int peer, int lane, void** request) {
        if (fails()) return refuse(request);
        auto* bytes = static_cast<std::byte*>(const_cast<void*>(data));  // only read
        longest_message_ = std::max(longest_message_, n);
        bytes_sent_ += n * element_size_;
        const std::size_t size = n * element_size_;
        const std::lock_guard lock(board_.mutex);
        if (readable != nullptr && shares_memory_with(peer) && size <= most_at_once) {
            MessageBoard::Message& message = board_.of_done_sends.emplace_back(std::vector(bytes, bytes + size));
            board_.waiting[{rank_, peer, lane}].push_back(&message);
            *request = nullptr;
            return 0;
        }
        auto* posted = new Request{true, {{bytes, bytes + size}}, {rank_, peer, lane}, bytes, size, nullptr, {}};
        board_.waiting[posted->key].push_back(&posted->message);
        ++outstanding_;
        *request = posted;
        return 0;
    }

    int post_receive(void* data, std::size_t n, int peer, int lane, void** request) {
        if (fails()) return refuse(request);
        auto* bytes = static_cast<std::byte*>(data);
        const std::size_t size = n * element_size_;
        auto* posted = new Request{false, {}, {peer, rank_, lane}, bytes, size, nullptr, {}};
        if (bytes != nullptr) posted->before.assign(bytes, bytes + size);
        if (bytes != nullptr) std::fill_n(bytes, size, std::byte{0xa5});
        *request = posted;
        ++outstanding_;
        receives_.push_back(posted);
        return 0;
    }

    int finished(void** request) {
        if (*request == nullptr) return 1;
        auto* posted = static_cast<Request*>(*request);
        const std::lock_guard lock(board_.mutex);
        const bool done = posted->is_send ? posted->message.taken : take(posted);
        if (!done && !board_.broken) return 0;
        if (done && posted->is_send &&
            !std::equal(posted->message.bytes.begin(), posted->message.bytes.end(), posted->data)) {
            stop("what is being sent has changed");
        }
        const bool failed = !done || fails();
        if (!done && posted->is_send) board_.waiting[posted->key].remove(&posted->message);
        if (!failed && posted->readable != nullptr) return 1;
        release(posted);
        *request = nullptr;
        return failed ? failure_code() : 1;
    }

    /// Receives match in the order posted, so only the first for its key may take a message.
    bool take(Request* posted) {
        for (Request* earlier : receives_) {
            if (earlier == posted) break;
            if (earlier->key == posted->key) return false;
        }
        auto& queue = board_.waiting[posted->key];
        if (queue.empty()) return false;
        MessageBoard::Message& message = *queue.front();
        // Elements of one byte may be those of a message whose length only its sender knows.
        const bool fits =
            element_size_ == 1 ? message.bytes.size() <= posted->bytes : message.bytes.size() == posted->bytes;
        if (!fits) {
            // A failed rank withdraws its sends, so that later ones meet the wrong receive; else the schedule is wrong.
            if (board_.broken) return false;
            stop("a message of another length than its receive");
        }
        if (posted->data == nullptr) {
            posted->readable = &message;
            return true;
        }
        std::ranges::copy(posted->before, posted->data);
        std::ranges::copy(message.bytes, posted->data);
        message.taken = true;
        queue.pop_front();
        return true;
    }

    void read_some(void* request, std::size_t at, void* operands, std::size_t n) {
        const auto* posted = static_cast<Request*>(request);
        if (posted->readable == nullptr || (at + n) * element_size_ > posted->bytes) stop("what cannot be read");
        std::memcpy(operands, posted->readable->bytes.data() + at * element_size_, n * element_size_);
    }

    void end_reading(void** request) {
        auto* posted = static_cast<Request*>(*request);
        const std::lock_guard lock(board_.mutex);
        posted->readable->taken = true;
        board_.waiting[posted->key].pop_front();
        release(posted);
        *request = nullptr;
    }

    void drop(void** request) {
        if (*request == nullptr) return;
        auto* posted = static_cast<Request*>(*request);
        const std::lock_guard lock(board_.mutex);
        if (posted->is_send && !posted->message.taken) board_.waiting[posted->key].remove(&posted->message);
        release(posted);
        *request = nullptr;
    }

    void release(Request* posted) {
        if (!posted->is_send) std::erase(receives_, posted);
        --outstanding_;
        delete posted;
    }

    void combine(const void* source, void* target, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            operation_(static_cast<const std::byte*>(source) + i * element_size_,
                       static_cast<std::byte*>(target) + i * element_size_);
        }
    }

    MessageBoard& board_;
    const int rank_;
    int parity_ = 0;
    const std::size_t element_size_;
    const Operation operation_;
    std::vector<Request*> receives_;
    int outstanding_ = 0;
    int countdown_ = -1;
    std::size_t longest_message_ = 0;
    std::size_t bytes_sent_ = 0;
};

}  // namespace coll_topo::test
