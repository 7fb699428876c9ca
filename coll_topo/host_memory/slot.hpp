// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace coll_topo {

/// Where messages from one process to another pass, of one lane: number n by slot n mod `per_lane`, from 1 on; numbers
/// may wrap round. In memory that both share, zero at first.
struct Slot {
    /// So many short messages may be on their way.
    static constexpr int per_lane = 4;
    static constexpr std::size_t cache_line = 64;
    /// One more than a power of two, so that the first lines of slots do not compete for the same place in a cache.
    static constexpr std::size_t lines = 65;
    /// Two copies of longer messages take more time than to look into another process.
    static constexpr std::size_t most_inside = lines * cache_line - 2 * sizeof(std::uint64_t);

    /// The last message of this slot that the receiver is done with. In the line that the sender writes next anyway.
    alignas(cache_line) std::atomic<std::uint32_t> taken;
    /// The last message of this slot of which what follows is there.
    std::atomic<std::uint32_t> announced;
    std::uint64_t bytes;
    union {
        std::byte inside[most_inside];  // a short message
        std::uint64_t address;          // of a long one, in the sender's process
    };

    bool is_inside() const { return bytes <= most_inside; }
};

static_assert(std::atomic<std::uint32_t>::is_always_lock_free);  // else it could not be shared by processes
static_assert(sizeof(Slot) == Slot::lines * Slot::cache_line);

}  // namespace coll_topo
