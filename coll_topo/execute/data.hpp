// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/execute/plan.hpp"
#include "coll_topo/execute/transport.h"

namespace coll_topo {

/// The three buffers of a collective in memory, and local work on them.
class Data {
public:
    /// Nothing is allocated; piece tables are written into the plan's memory.
    Data(Plan& plan, coll_topo_transport& transport, const coll_topo_buffers& buffers);

    std::size_t scratch_elements() const {
        return plan_.program.scratch_blocks == 0 || in_output_ ? 0
                                                               : offset(Buffer::scratch, plan_.program.scratch_blocks);
    }
    int set_scratch(std::byte* memory);

    std::size_t offset(Buffer buffer, std::int32_t block) const {
        return maps_[static_cast<int>(buffer)].offset(block);
    }
    std::size_t elements(const Action& action) const {
        return offset(action.buffer, action.first + action.count) - offset(action.buffer, action.first);
    }
    std::byte* address_of(Buffer buffer, std::size_t element) const {
        const std::size_t present = element - first_[static_cast<int>(buffer)];
        return base_[static_cast<int>(buffer)] + static_cast<std::ptrdiff_t>(present) * transport_.extent;
    }
    std::byte* address(Buffer buffer, std::int32_t block) const { return address_of(buffer, offset(buffer, block)); }

    /// Folds `source` into `target`, where the value of `source` stands on the given side. `source` is spent.
    int reduce(std::byte* source, std::byte* target, std::size_t elements, Operand source_stands) const;

    /// Post a transfer, or a part of it: `elements` at `data`; of a receive_reduce, at the memory for its operands.
    int send(const Action& action, const std::byte* data, std::size_t elements, int lane, void** request) const;
    int receive(const Action& action, std::byte* data, std::size_t elements, int lane, void** request) const;

    /// A copy or reduce action.
    int run_local(const Action& action) const;

private:
    void lay_out(const coll_topo_buffers& buffers);
    /// By the table, of vectors or pieces of so many elements; Plan::unknown: of pieces of different sizes.
    void lay_out_scratch(std::size_t elements);
    /// Where a block begins, counted from the first element in memory.
    std::size_t in_memory(Buffer buffer, std::int32_t block) const {
        return offset(buffer, block) - first_[static_cast<int>(buffer)];
    }
    int copy(const Action& action, std::size_t elements) const;

    Plan& plan_;
    coll_topo_transport& transport_;
    const bool in_output_;  // scratch is the output buffer
    BlockMap maps_[3];      // by buffer
    std::byte* base_[3];
    std::size_t first_[3] = {0, 0, 0};  // elements of the vector before those in memory: before this rank's piece
};

}  // namespace coll_topo
