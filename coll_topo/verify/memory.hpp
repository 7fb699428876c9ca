// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/block_layout.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace coll_topo::verify {

/// Locations [begin, end) of one rank's memory.
struct Range {
    std::int32_t begin = 0;
    std::int32_t end = 0;
};

inline bool intersect(Range a, Range b) {
    return a.begin < b.end && b.begin < a.end;
}

/// The blocks of a rank's three buffers under one numbering, its locations: input, then output, then scratch.
class Memory {
public:
    /// Of a program whose `blocks` and `scratch_order` are known to be sound.
    Memory(Collective collective, const Program& program, int rank, int ranks);

    int locations() const { return 2 * blocks_ + scratch_blocks_; }

    /// The part of a buffer that exists on this rank, as locations.
    Range existing(Buffer buffer) const;
    /// What an action reads and writes; empty if nothing. The target of a reduction counts as written.
    Range reads(const Action& action) const;
    Range writes(const Action& action) const;

    /// The block of the vector that a location stands for, which is what gives it its size. In alltoall, where
    /// pieces are all alike, the slice of a piece.
    int vector_block(int location) const;

    /// "output block 3", "scratch block 0".
    std::string name(int location) const;

private:
    Range range(Buffer buffer, int first, int count) const;

    BlockLayout layout_;
    int rank_;
    int blocks_;
    int scratch_blocks_;
    bool cut_of_piece_;  // vector_block() of input and output is the cut of a piece
    std::span<const std::int32_t> scratch_order_;
};

}  // namespace coll_topo::verify
