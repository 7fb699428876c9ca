// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/host_memory/slot.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace coll_topo {

/// A message in a channel. The number is at the same place in each cache line, so that no data can be taken for it.
struct ChannelEntry {
    static constexpr std::size_t most_inside = Slot::cache_line - 2 * sizeof(std::uint64_t);
    static constexpr std::uint64_t acknowledges = ~std::uint64_t{0};  ///< in place of `bytes`

    alignas(Slot::cache_line) std::atomic<std::uint32_t> number;  ///< written last
    std::int32_t tag;
    std::uint64_t bytes;
    union {
        std::byte inside[most_inside];
        std::uint32_t beside;  ///< where it is in the memory beside the channel
        struct {
            std::uint64_t address;  ///< of the data, in the sender's process
            std::uint64_t flag;     ///< there, to be set when they have been read; of an acknowledgement likewise
        } with_sender;
    };
};

/// Messages of all tags from one process to another, number n, from 1 on, in entry n mod `length`. In memory that both
/// share, zero at first. Whoever receives takes them all, whether they are waited for or not: so a channel is never
/// full of messages that are not needed yet.
struct Channel {
    static constexpr std::uint32_t length = 16;
    /// Of messages that do not fit in an entry and are not longer than `most_beside`.
    static constexpr std::uint32_t beside_bytes = 16 * 1024;
    static constexpr std::size_t most_beside = 4096;
    /// See Slot::beside_stride.
    static constexpr std::size_t beside_stride = beside_bytes + Slot::cache_line;

    /// The last message that the receiver has taken.
    alignas(Slot::cache_line) std::atomic<std::uint32_t> taken;
    ChannelEntry entry[length];
};

static_assert(sizeof(ChannelEntry) == Slot::cache_line);
static_assert(std::has_single_bit(Channel::length) && std::has_single_bit(Channel::beside_bytes));

/// The sender's end.
class ChannelSender {
public:
    ChannelSender(Channel& channel, std::byte* beside) : channel_(&channel), beside_(beside) {}

    /// False while there is no room for it. `flag`: of a message that stays with its sender.
    bool send(std::int32_t tag, const void* data, std::size_t bytes, const std::uint32_t* flag);
    /// The same of an acknowledgement.
    bool acknowledge(std::uint64_t flag);

private:
    ChannelEntry* next_entry();
    void look_what_is_taken();
    bool find_room(std::uint32_t bytes, std::uint32_t& begin);
    void announce(ChannelEntry& entry);

    Channel* channel_;
    std::byte* beside_;
    std::uint32_t sent_ = 0, taken_ = 0;
    // Bytes that have ever been used beside the channel, and of these, by messages that have been taken.
    std::uint32_t used_ = 0, freed_ = 0;
    std::array<std::uint32_t, Channel::length> used_by_{};  // with each message and those before it
};

}  // namespace coll_topo
