// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/memory.hpp"

namespace coll_topo::verify {
namespace {

/// Whether a buffer holds only the rank's own piece.
bool holds_piece(Collective collective, Buffer buffer) {
    if (collective == Collective::allgather) return buffer == Buffer::input;
    return buffer == Buffer::output &&
           (collective == Collective::reduce_scatter || collective == Collective::reduce_scatter_block);
}

bool has_input(Collective collective) {
    return collective != Collective::allreduce && collective != Collective::bcast && collective != Collective::reduce;
}

}  // namespace

Memory::Memory(Collective collective, const Program& program, int rank, int ranks)
    : collective_(collective),
      blocks_(program.blocks),
      blocks_of_piece_(program.blocks / ranks),
      scratch_blocks_(program.scratch_blocks),
      scratch_order_(program.scratch_order.empty() ? nullptr : program.scratch_order.data()),
      piece_{rank * blocks_of_piece_, (rank + 1) * blocks_of_piece_} {}

Range Memory::existing(Buffer buffer) const {
    if (buffer == Buffer::scratch) return range(buffer, 0, scratch_blocks_);
    if (buffer == Buffer::input && !has_input(collective_)) return {};
    if (holds_piece(collective_, buffer)) return range(buffer, piece_.begin, piece_.end - piece_.begin);
    return range(buffer, 0, blocks_);
}

Range Memory::range(Buffer buffer, int first, int count) const {
    const int begin = static_cast<int>(buffer) * blocks_ + first;
    return {begin, begin + count};
}

Range Memory::reads(const Action& action) const {
    const bool received = action.kind == ActionKind::receive || action.kind == ActionKind::receive_reduce;
    return received ? Range{} : range(action.buffer, action.first, action.count);
}

Range Memory::writes(const Action& action) const {
    switch (action.kind) {
        case ActionKind::receive:
        case ActionKind::receive_reduce:
            return range(action.buffer, action.first, action.count);
        case ActionKind::copy:
        case ActionKind::reduce:
            return range(action.target, action.at, action.count);
        case ActionKind::send:
            break;
    }
    return {};
}

int Memory::vector_block(int location) const {
    if (collective_ == Collective::alltoall) {
        if (location < 2 * blocks_) return location % blocks_of_piece_;
        return (location - 2 * blocks_) / (scratch_blocks_ / blocks_of_piece_);
    }
    if (location < 2 * blocks_) return location < blocks_ ? location : location - blocks_;
    const int scratch = location - 2 * blocks_;
    return scratch_order_ != nullptr ? scratch_order_[scratch] : scratch % blocks_;
}

std::string Memory::name(int location) const {
    if (location < blocks_) return "input block " + std::to_string(location);
    if (location < 2 * blocks_) return "output block " + std::to_string(location - blocks_);
    return "scratch block " + std::to_string(location - 2 * blocks_);
}

}  // namespace coll_topo::verify
