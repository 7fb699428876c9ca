// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/program.hpp"

#include <cstddef>
#include <cstdint>

namespace coll_topo {

/// A segment longer than any message: nothing is cut.
inline constexpr std::size_t uncut = ~std::size_t{0};

/// One transfer in progress, cut into segments of which up to two are under way.
struct Transfer {
    static constexpr int depth = 2;

    const Action* action;
    std::byte* data;     // where the blocks are
    std::byte* staging;  // receive_reduce: room for `depth` segments, or for all if they fit in one
    std::size_t elements;
    std::size_t posted;     // elements
    std::size_t done;       // elements sent, received or reduced
    void* requests[depth];  // of the segments under way, in turn; null once that segment has arrived
    bool arrived[depth];
    std::uint8_t post_slot;  // of the segment to be posted next
    std::uint8_t done_slot;  // of the segment to be done with next

    bool finished() const { return done == elements; }
};

/// A step in progress.
struct StepState {
    Transfer* transfers;
    int count;
    bool receives_posted;
};

}  // namespace coll_topo
