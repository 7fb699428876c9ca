// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/execute/plan.hpp"
#include "coll_topo/execute/transport.h"

#include <iterator>
#include <optional>

namespace coll_topo {

/// The three buffers of a collective in memory, and local work on them.
class Data {
public:
    /// Nothing is allocated; piece tables are written into those of the run.
    Data(const Plan& plan, PlanTables& tables, coll_topo_transport& transport, const coll_topo_buffers& buffers);
    Data(const Data&) = delete;
    Data& operator=(const Data&) = delete;

    std::size_t scratch_elements() const {
        return plan_.program.scratch_blocks == 0 || scratch_in_ ? 0
                                                                : offset(Buffer::scratch, plan_.program.scratch_blocks);
    }
    int set_scratch(std::byte* memory);

    std::size_t offset(Buffer buffer, std::int32_t block) const {
        return maps_[static_cast<int>(buffer)]->offset(block);
    }
    std::size_t elements(const Action& action) const {
        return offset(action.buffer, action.first + action.count) - offset(action.buffer, action.first);
    }
    std::byte* address_of(Buffer buffer, std::size_t element) const {
        if (buffer == Buffer::scratch && element - piece_begin_ < piece_elements_) {
            return base_[static_cast<int>(piece_buffer_)] + extent_of(element - piece_begin_);
        }
        return base_[static_cast<int>(buffer)] + extent_of(element - first_[static_cast<int>(buffer)]);
    }
    std::byte* address(Buffer buffer, std::int32_t block) const { return address_of(buffer, offset(buffer, block)); }

    /// Steps of the program that have something to do. Those after them copy what is there already.
    std::ptrdiff_t steps() const { return scratch_in_ ? plan_.steps_in_place : std::ssize(plan_.program.steps); }

    /// Does what has to be done before the program: operands that it expects in `output` are copied to there.
    int begin() const;

    /// Where a send, copy or reduce reads.
    std::byte* source_of(const Action& action) const {
        std::byte* const operands = operands_of(action);
        return operands != nullptr ? operands : address(action.buffer, action.first);
    }

    /// Where an action finds untouched operands of this rank (UntouchedOperands), null if it reads none. Of a
    /// receive_reduce these are what the received ones are combined with; otherwise they stand for its blocks.
    std::byte* operands_of(const Action& action) const {
        if (sends_input_ && is_send(action) && is_own_piece(action)) return address(Buffer::input, action.first);
        if (operands_ == nullptr) return nullptr;
        const std::int32_t first = plan_.untouched.first_block[&action - plan_.program.actions.data()];
        return first < 0 ? nullptr : operands_ + extent_of(offset(Buffer::output, first));
    }

    /// Folds `source` into `target`, where the value of `source` stands on the given side. `source` is spent. If there
    /// are `operands`, these are folded with it, and `target` only gets the result.
    int reduce(std::byte* source, std::byte* target, const std::byte* operands, std::size_t elements,
               Operand source_stands) const;

    /// Post a transfer, or a part of it: `elements` at `data`; of a receive_reduce, at the memory for its operands.
    int send(const Action& action, const std::byte* data, std::size_t elements, int lane, void** request) const;
    int receive(const Action& action, std::byte* data, std::size_t elements, int lane, void** request) const;

    /// A copy or reduce action.
    int run_local(const Action& action) const;

    /// Whether there may be any of these elements; the shortest messages notice to ask how many.
    bool may_copy_late() const { return plan_.own_piece_late; }
    /// Of the rank's own piece, which the run copies late; 0: the program's copies do it.
    std::size_t elements_copied_late() const;
    /// So many of these, from one on.
    int copy_late(std::size_t from, std::size_t elements) const;

private:
    void lay_out(const coll_topo_buffers& buffers);
    void use(Buffer buffer, const BlockMap& map) { maps_[static_cast<int>(buffer)] = &map; }
    /// Blocks of scratch that are not in its memory, but there.
    void put_in_buffer(const BlockRange& blocks, Buffer buffer);
    /// By the table, of vectors or pieces of so many elements; PlanTables::unknown: of pieces of different sizes.
    void lay_out_scratch(std::size_t elements);
    /// Where a block begins, counted from the first element in memory.
    std::size_t in_memory(Buffer buffer, std::int32_t block) const {
        return offset(buffer, block) - first_[static_cast<int>(buffer)];
    }
    int copy(const Action& action, std::size_t elements) const;
    /// Copies those operands that are needed among blocks where the program works; block b is block b + in_vector of
    /// the vector.
    int bring_needed(std::int32_t first, std::int32_t count, std::int32_t in_vector) const;
    int bring(std::int32_t first, std::int32_t count, std::int32_t in_vector) const;
    std::ptrdiff_t extent_of(std::size_t elements) const {
        return static_cast<std::ptrdiff_t>(elements) * transport_.extent;
    }

    /// Where the run copies the own piece late. In an allgather, scratch is `output` then.
    Buffer late_target() const { return plan_.collective == Collective::allgather ? Buffer::scratch : Buffer::output; }
    bool is_own_piece(const Action& action) const {
        return action.first >= own_piece_.begin && action.first + action.count <= own_piece_.end;
    }

    const Plan& plan_;
    PlanTables& tables_;
    coll_topo_transport& transport_;
    const coll_topo_buffers& buffers_;
    const std::optional<Buffer> scratch_in_;  // scratch is this buffer
    const bool sends_input_;                  // of an allgather: its own piece is sent from where the caller has it
    std::byte* operands_;     // of the whole vector, where the program reads them as they were given; else null
    BlockRange own_piece_{};  // of an allgather
    // Elements of scratch that are in this buffer.
    std::size_t piece_begin_ = 0, piece_elements_ = 0;
    Buffer piece_buffer_ = Buffer::output;
    BlockMap vector_;
    std::optional<BlockMap> input_pieces_, output_pieces_, scratch_;  // where these are not laid out like the vector
    const BlockMap* maps_[3];  // by buffer: of the above, which the smallest messages would notice copies of
    std::byte* base_[3];
    std::size_t first_[3] = {0, 0, 0};  // elements of the vector before those in memory: before this rank's piece
};

}  // namespace coll_topo
