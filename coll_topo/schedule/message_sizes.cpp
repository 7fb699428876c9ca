// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/schedule/message_sizes.hpp"

#include "coll_topo/schedule/block_layout.hpp"
#include "coll_topo/schedule/scratch_in_buffer.hpp"

namespace coll_topo {
namespace {

/// Whether a program may copy operands to where it works; whole vectors are there.
bool brings_operands(Collective collective) {
    return vector_form(collective) != VectorForm::whole;
}

}  // namespace

MessageSizes::MessageSizes(Collective collective, const Program& program, int rank, int ranks, std::uint64_t bytes)
    : program_(program),
      own_piece_(own_piece_in_buffer(program, collective, ranks, rank)),
      own_piece_is_output_(own_piece_buffer(collective) == Buffer::output),
      scratch_in_(scratch_in_buffer(program, collective, ranks, rank)),
      untouched_(brings_operands(collective) ? find_untouched_operands(program, collective) : UntouchedOperands()) {
    const BlockLayout layout(collective, program, ranks);
    const std::uint64_t elements = layout.has_pieces() ? bytes / layout.pieces() : bytes;
    vector_ = layout.vector(elements);
    scratch_ = layout.scratch(elements, vector_);
    if (scratch_in_) {
        if (program.scratch_blocks == program.blocks) scratch_ = vector_;
        return;
    }
    if (!layout.needs_table(elements)) return;
    table_.resize(program.scratch_blocks + 1);
    fill_scratch_table(program.scratch_order, vector_, table_.data());
    scratch_ = BlockMap::table(table_.data());
}

}  // namespace coll_topo
