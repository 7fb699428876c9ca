// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/host_memory/host_memory.h"
#include "coll_topo/host_memory/segment.hpp"
#include "coll_topo/host_memory/slot.hpp"
#include "coll_topo/host_memory/tagged_messages.hpp"
#include "coll_topo/schedule/work_at_once.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

/// Of one communicator on one host.
struct coll_topo_host_memory {
public:
    coll_topo_host_memory(int members, int lanes, int own);

    bool create(coll_topo_memory_offer& offer);
    bool join(const coll_topo_memory_offer& offer);
    bool can_access_next() const;
    void begin(const int* member_ranks, int ranks, bool threads);

    bool has_all() const { return static_cast<int>(member_of_rank_.size()) == members_; }
    bool serves(int rank) const { return member_of_rank_[rank] >= 0; }
    void* send(const void* data, std::size_t bytes, int rank, int lane);
    void* receive(void* data, std::size_t bytes, int rank, int lane);
    int test(void** request);
    int read(void* request, std::size_t at, void* into, std::size_t bytes) const;
    void release(void** request);
    void cancel(void** request);
    bool progress();

    int member_of(int rank) const { return member_of_rank_[rank]; }
    coll_topo::TaggedMessages& tagged() { return tagged_; }

private:
    /// What each member tells the others.
    struct Member {
        std::int64_t process;
        std::uint64_t address;  // where it has a copy of the token
    };
    enum class Kind : std::uint8_t {
        send,
        receive,
        read,
        lost_send,    // to be announced without data: it was cancelled
        lost_receive  // to be taken and forgotten
    };
    /// A message under way.
    struct alignas(16) Request {
        coll_topo::Slot* slot;
        const std::byte* source = nullptr;  // send
        std::byte* target = nullptr;        // receive
        std::size_t bytes;
        std::size_t done = 0;  // receive: bytes copied so far
        pid_t process;         // that of the peer
        std::uint32_t number;
        Kind kind;
        bool announced = false;  // send
        bool in_copies = false;  // receive: is or was in copies_
        bool failed = false;     // receive: cannot be copied
    };

    std::size_t slots_begin() const;
    std::size_t slots() const;
    std::size_t tagged_begin() const;
    std::size_t segment_bytes() const;
    /// Bytes of a long message that are copied at once; where nothing goes through the network meanwhile, more.
    std::size_t copied_at_once() const { return has_all() ? std::size_t{4} << 20 : coll_topo::copied_at_once; }
    coll_topo::Slot* first_slot() const { return reinterpret_cast<coll_topo::Slot*>(segment_.data() + slots_begin()); }
    std::byte* data_of(coll_topo::Slot& slot) const;
    coll_topo::Slot* slot(int sender, int receiver, int lane, std::uint32_t message) const;
    bool introduce();
    Request* take_request();
    void give_back(void** request);
    int test_send(Request& message, void** request);
    int test_receive(Request& message, void** request);
    bool copy_some(Request& message) const;
    bool announce(coll_topo::Slot& slot, std::uint32_t number, const std::byte* source, std::size_t bytes) const;
    bool announce(Request& message) const;
    bool settle(Request* message);

    const int members_, lanes_, own_;
    const std::size_t most_beside_;  // see Slot
    coll_topo::Segment segment_;
    coll_topo::Segment::Token token_copy_{};     // by which others try to read and write it
    std::vector<std::int32_t> member_of_rank_;   // -1: elsewhere
    std::vector<pid_t> processes_;               // by member
    unsigned waits_ = 0;                         // how often a message was not there yet
    std::vector<std::uint32_t> sent_, awaited_;  // messages posted, by lane and member
    std::vector<std::unique_ptr<Request[]>> blocks_;
    std::vector<Request*> idle_;
    std::vector<Request*> copies_;     // long messages that have come, the oldest first
    std::vector<Request*> unsettled_;  // sends not yet announced, in the order posted, and what was cancelled
    coll_topo::TaggedMessages tagged_;
};
