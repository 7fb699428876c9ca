// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/message_sizes.hpp"
#include "coll_topo/schedule/program.hpp"

#include <algorithm>
#include <cstdint>

namespace coll_topo {

/// Whether a rank may copy its own piece to `output` at any time: of an allgather in which scratch is `output`
/// (gathers_in_output()), where it is sent from `input`, and of an alltoall. Nothing else reads it there.
bool may_copy_own_piece_late(const Program& program, Collective collective, int ranks, int rank);

/// Likewise whether it does with pieces of this size: one of up to latency_bound_bytes is copied first.
bool copies_own_piece_late(const Program& program, Collective collective, int ranks, int rank,
                           const MessageSizes& sizes);

/// The first step of a lane that has messages, or its end: before it there are only copies.
std::int32_t first_step_with_messages(const Program& program, const Lane& lane);

/// Of those in all lanes.
std::uint64_t bytes_of_late_copies(const Program& program, const MessageSizes& sizes);

/// What is copied late of so many bytes whenever the rank has nothing else to do.
constexpr std::uint64_t late_copy_share(std::uint64_t bytes) {
    constexpr std::uint64_t least = 64 * 1024, most_shares = 32;
    return std::max(least, bytes / most_shares);
}

}  // namespace coll_topo
