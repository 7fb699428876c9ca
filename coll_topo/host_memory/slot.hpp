// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace coll_topo {

/// The shortest reductions are of one number, barriers of a byte, and notice a call of memcpy.
inline void copy_data(std::byte* target, const std::byte* source, std::size_t bytes) {
    if (bytes == sizeof(double)) {
        std::memcpy(target, source, sizeof(double));
    } else if (bytes == 1) {
        *target = *source;
    } else if (bytes > 0) {
        std::memcpy(target, source, bytes);
    }
}

/// Where messages from one process to another pass, of one lane: number n by slot n mod `per_lane`, from 1 on; numbers
/// may wrap round. In memory that both share, zero at first. A cache line, so that a rank that has a few bytes for each
/// of many others touches little memory: up to `most_inside` are in it, up to `most_beside` in memory for this slot
/// elsewhere in the segment, and more stay with the sender.
struct Slot {
    /// So many messages that are not with their sender may be on their way.
    static constexpr int per_lane = 4;
    static constexpr std::size_t cache_line = 64;
    static constexpr std::size_t most_inside = cache_line - 2 * sizeof(std::uint64_t);
    /// Two copies of longer messages take about as much time as to look into another process. Less on hosts of many
    /// ranks, each of which may send to all others.
    static constexpr std::size_t most_beside(int members) { return members <= 32 ? 16 * 1024 : 4096; }
    /// From the memory beside one slot to that of the next: more than a power of two, so that the first lines of all do
    /// not compete for the same place in a cache.
    static constexpr std::size_t beside_stride(int members) { return most_beside(members) + cache_line; }

    /// The last message of this slot that the receiver is done with. In the line that the sender writes next anyway.
    alignas(cache_line) std::atomic<std::uint32_t> taken;
    /// The last message of this slot of which what follows is there.
    std::atomic<std::uint32_t> announced;
    std::uint64_t bytes;
    union {
        std::byte inside[most_inside];
        std::uint64_t address;  // in the sender's process
    };
};

static_assert(std::atomic<std::uint32_t>::is_always_lock_free);  // else it could not be shared by processes
static_assert(sizeof(Slot) == Slot::cache_line);

}  // namespace coll_topo
