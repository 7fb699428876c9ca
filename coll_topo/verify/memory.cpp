// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/memory.hpp"

namespace coll_topo::verify {

Memory::Memory(Collective collective, const Program& program, int rank, int ranks)
    : collective_(collective),
      blocks_(program.blocks),
      scratch_blocks_(program.scratch_blocks),
      scratch_order_(program.scratch_order.empty() ? nullptr : program.scratch_order.data()),
      piece_{0, program.blocks} {
    if (collective != Collective::allreduce) {
        const int piece = program.blocks / ranks;
        piece_ = {rank * piece, (rank + 1) * piece};
    }
}

Range Memory::existing(Buffer buffer) const {
    const bool allgather = collective_ == Collective::allgather;
    switch (buffer) {
        case Buffer::input:
            if (collective_ == Collective::allreduce) return {0, 0};
            return allgather ? piece_ : Range{0, blocks_};
        case Buffer::output:
            return allgather ? range(buffer, 0, blocks_) : range(buffer, piece_.begin, piece_.end - piece_.begin);
        case Buffer::scratch:
            break;
    }
    return range(Buffer::scratch, 0, scratch_blocks_);
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
