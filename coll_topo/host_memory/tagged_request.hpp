// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/host_memory/channel.hpp"

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace coll_topo {

/// A message under way, or one that has arrived and is not waited for.
struct alignas(16) TaggedRequest {
    enum class State : std::uint8_t {
        unsent,     ///< there was no room for it
        unread,     ///< a send that the receiver has not read yet
        awaited,    ///< a receive
        arrived,    ///< a receive: the data are with the sender
        put_aside,  ///< a receive: the data are here, to be read
        done
    };

    TaggedRequest* next = nullptr;
    std::atomic<std::uint32_t> has_been_read = 0;  ///< of a send: set by the receiver
    std::int32_t tag = 0;
    int member = 0;
    pid_t process = 0;  ///< that of the member
    int result = 0;     ///< of test(), once it is done
    State state = State::done;
    bool lost = false;  ///< cancelled: nobody asks for it any more
    const std::byte* source = nullptr;
    std::byte* target = nullptr;
    std::size_t bytes = 0;                ///< to be sent, or that there is room for
    std::size_t sent = 0;                 ///< that have arrived
    std::size_t done = 0;                 ///< of these, copied
    std::uint64_t address = 0, flag = 0;  ///< see ChannelEntry
    std::unique_ptr<std::byte[]> aside;
    std::array<std::byte, ChannelEntry::most_inside> inside{};

    std::byte* here() { return aside != nullptr ? aside.get() : inside.data(); }
    const std::byte* here() const { return aside != nullptr ? aside.get() : inside.data(); }
};

/// In the order in which they were added.
class TaggedRequestList {
public:
    TaggedRequestList() = default;
    TaggedRequestList(const TaggedRequestList&) = delete;
    TaggedRequestList& operator=(const TaggedRequestList&) = delete;

    TaggedRequest* first() const { return first_; }
    void add(TaggedRequest* request);
    TaggedRequest* take_first() { return unlink(&first_); }
    /// The first one with the tag, null if there is none.
    TaggedRequest* find(std::int32_t tag) const;
    TaggedRequest* take(std::int32_t tag);

private:
    TaggedRequest* unlink(TaggedRequest** place);

    TaggedRequest* first_ = nullptr;
    TaggedRequest** end_ = &first_;
};

}  // namespace coll_topo
