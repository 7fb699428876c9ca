// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/block_layout.hpp"
#include "coll_topo/schedule/program.hpp"
#include "coll_topo/schedule/untouched_operands.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace coll_topo {

/// The sizes of what a program moves, laid out as by the executor for elements of one byte.
class MessageSizes {
public:
    /// `bytes` of one rank's vector; of a collective that has pieces, of all its pieces together. What is left over
    /// when they are divided into equal pieces does not count.
    MessageSizes(Collective collective, const Program& program, int rank, int ranks, std::uint64_t bytes);

    /// Of what need not be copied, 0.
    std::uint64_t bytes(const Action& action) const {
        if (stays_in_place(action)) return 0;
        if (untouched_.only_brings(program_, action)) return bytes_needed(action);
        const BlockMap& map = action.buffer == Buffer::scratch ? scratch_ : vector_;
        return map.offset(action.first + action.count) - map.offset(action.first);
    }

    MessageSizes(MessageSizes&&) = default;
    MessageSizes(const MessageSizes&) = delete;

private:
    bool stays_in_place(const Action& action) const {
        if (action.kind != ActionKind::copy) return false;
        const bool delivers = action.target == Buffer::output;
        if (scratch_in_) return delivers == (*scratch_in_ == Buffer::output);
        const std::int32_t own = delivers ? action.first : action.at;
        return own_piece_.begin < own_piece_.end && own == own_piece_.begin && delivers == own_piece_is_output_;
    }

    std::uint64_t bytes_needed(const Action& action) const {
        std::uint64_t bytes = 0;
        untouched_.for_needed(action.at, action.count, [&](std::int32_t first, std::int32_t count) {
            bytes += scratch_.offset(first + count) - scratch_.offset(first);
        });
        return bytes;
    }

    std::vector<std::size_t> table_;  // where the blocks of scratch begin, if that differs from the vector
    BlockMap vector_;                 // of input and output
    BlockMap scratch_;
    const Program& program_;
    BlockRange own_piece_;  // see own_piece_in_buffer()
    bool own_piece_is_output_;
    std::optional<Buffer> scratch_in_;  // see scratch_in_buffer()
    UntouchedOperands untouched_;       // as in calls with a send buffer
};

}  // namespace coll_topo
