// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/host_memory/channel.hpp"
#include "coll_topo/host_memory/tagged_request.hpp"

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace coll_topo {

/// Messages of runs of which any number are under way at once, each with tags of its own: what has arrived and is not
/// waited for yet is put aside, so that a run which goes on late, or never, keeps no other one back. Any thread may
/// call; a request belongs to one at a time.
class TaggedMessages {
public:
    /// Memory that the members share for this, zero at first.
    static std::size_t bytes(int members);

    /// `processes`: of all members. `at_once`: bytes of a long message that a test copies at most.
    void begin(std::byte* memory, const std::vector<pid_t>& processes, int own, bool threads, std::size_t at_once);

    /// As in host_memory.h, with the number of a member for a rank.
    void* send(const void* data, std::size_t bytes, int member, std::int32_t tag);
    void* receive(void* data, std::size_t bytes, int member, std::int32_t tag);
    int test(void** request);
    int read(void* request, std::size_t at, void* into, std::size_t bytes) const;
    void release(void** request);
    void cancel(void** request);

private:
    /// What there is with another member.
    struct Peer {
        explicit Peer(ChannelSender&& sender) : out(sender) {}

        ChannelSender out;
        const std::byte* beside = nullptr;  // of the other direction
        Channel* in = nullptr;
        std::uint32_t received = 0;
        pid_t process = 0;
        TaggedRequestList unsent, awaited, unexpected;
    };
    class Guard;

    Peer& peer(int member);
    TaggedRequest* take_request();
    void give_back(TaggedRequest* request);
    static bool announce(Peer& to, TaggedRequest& message);
    void send_waiting();
    void look_into(Peer& from);
    void accept(Peer& from, const ChannelEntry& entry);
    static void fill(TaggedRequest& receive, const std::byte* data);
    void give_to(TaggedRequest& receive, TaggedRequest& unexpected);
    int look_at(TaggedRequest& message);
    void acknowledge(const TaggedRequest& receive);

    std::mutex mutex_;
    bool threads_ = false;
    std::size_t at_once_ = 0;
    Channel* channels_ = nullptr;
    int own_ = 0;
    std::vector<pid_t> processes_;
    std::vector<std::unique_ptr<Peer>> peers_;  // null until there is a message
    int unsent_ = 0;                            // sends that wait for room
    std::vector<std::unique_ptr<TaggedRequest[]>> blocks_;
    TaggedRequest* idle_ = nullptr;
};

}  // namespace coll_topo
