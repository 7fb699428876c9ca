// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/memory.hpp"

namespace coll_topo::verify {
Memory::Memory(Collective collective, const Program& program, int rank, int ranks)
    : layout_(collective, program, ranks),
      rank_(rank),
      blocks_(program.blocks),
      scratch_blocks_(program.scratch_blocks),
      cut_of_piece_(vector_form(collective) == VectorForm::square),
      scratch_order_(program.scratch_order) {}

Range Memory::existing(Buffer buffer) const {
    const auto [begin, end] = layout_.existing(buffer, rank_);
    return begin == end ? Range{} : range(buffer, begin, end - begin);
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
    if (location >= 2 * blocks_) return layout_.vector_block(scratch_order_, location - 2 * blocks_);
    const int block = location % blocks_;
    return cut_of_piece_ ? block % layout_.cuts() : block;
}

std::string Memory::name(int location) const {
    if (location < blocks_) return "input block " + std::to_string(location);
    if (location < 2 * blocks_) return "output block " + std::to_string(location - blocks_);
    return "scratch block " + std::to_string(location - 2 * blocks_);
}

}  // namespace coll_topo::verify
