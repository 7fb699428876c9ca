// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/block_layout.hpp"

#include <array>
#include <cstddef>
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

std::string buffer_name(Buffer buffer);

/// The blocks that a rank has in its three buffers under one numbering, its locations: input, then output, then
/// scratch.
class Memory {
public:
    /// Of a program whose `blocks` and `scratch_order` are known to be sound.
    Memory(Collective collective, const Program& program, int rank, int ranks);

    int locations() const { return locations_; }

    /// A buffer of this rank, as locations.
    Range existing(Buffer buffer) const {
        const Part& part = parts_[static_cast<std::size_t>(buffer)];
        return {part.base + part.blocks.begin, part.base + part.blocks.end};
    }
    /// The blocks of a buffer that exist on this rank, as actions number them.
    BlockRange existing_blocks(Buffer buffer) const { return parts_[static_cast<std::size_t>(buffer)].blocks; }
    /// What an action reads and writes; empty if nothing. The target of a reduction counts as written.
    Range reads(const Action& action) const {
        return is_receive(action) ? Range{} : range(action.buffer, action.first, action.count);
    }
    Range writes(const Action& action) const {
        if (is_send(action)) return {};
        if (is_receive(action)) return range(action.buffer, action.first, action.count);
        return range(action.target, action.at, action.count);
    }

    /// The block of the vector that a location stands for, which is what gives it its size. In alltoall and between
    /// neighbours, where pieces are all alike, the slice of a piece.
    int vector_block(int location) const {
        const int scratch = existing(Buffer::scratch).begin;
        if (location >= scratch) return layout_.vector_block(scratch_order_, location - scratch);
        const int block = block_of(location);
        return cut_of_piece_ ? block % layout_.cuts() : block;
    }

    /// "output block 3", "scratch block 0".
    std::string name(int location) const;

private:
    struct Part {
        BlockRange blocks;  // those that exist
        int base = 0;       // location of a block less its number
    };

    Range range(Buffer buffer, int first, int count) const {
        const int begin = parts_[static_cast<std::size_t>(buffer)].base + first;
        return {begin, begin + count};
    }
    Buffer buffer_of(int location) const {
        if (location < existing(Buffer::input).end) return Buffer::input;
        return location < existing(Buffer::output).end ? Buffer::output : Buffer::scratch;
    }
    int block_of(int location) const { return location - parts_[static_cast<std::size_t>(buffer_of(location))].base; }

    BlockLayout layout_;
    std::array<Part, 3> parts_;  // by Buffer
    int locations_ = 0;
    bool cut_of_piece_;  // vector_block() of input and output is the cut of a piece
    std::span<const std::int32_t> scratch_order_;
};

}  // namespace coll_topo::verify
