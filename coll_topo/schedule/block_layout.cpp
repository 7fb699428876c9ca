// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/schedule/block_layout.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

bool repeats_cuts(std::span<const std::int32_t> scratch_order, int cuts) {
    if (cuts == 1) return true;
    for (std::size_t block = 0; block < scratch_order.size(); ++block) {
        if (scratch_order[block] % cuts != static_cast<std::int32_t>(block % cuts)) return false;
    }
    return true;
}

}  // namespace

// Pieces have as many cuts as there are lanes, or any number in one lane; those of neighbours are not cut.
BlockLayout::BlockLayout(Collective collective, const Program& program, int ranks)
    : collective_(collective),
      form_(vector_form(collective)),
      cuts_(form_ == VectorForm::neighbors ? 1
            : has_pieces()                 ? program.blocks / ranks
                                           : program.blocks),
      blocks_(program.blocks),
      scratch_blocks_(program.scratch_blocks),
      scratch_by_lane_(form_ == VectorForm::square || (form_ == VectorForm::pieces && program.lanes.size() > 1 &&
                                                       !repeats_cuts(program.scratch_order, cuts_))),
      scratch_pieces_(form_ == VectorForm::square ? std::max(1, scratch_blocks_ / cuts_) : ranks),
      packs_(!scratch_by_lane_ && !repeats_cuts(program.scratch_order, cuts_)) {}

BlockRange BlockLayout::existing(Buffer buffer, int rank) const {
    if (buffer == Buffer::scratch) return {0, scratch_blocks_};
    if (buffer == Buffer::input && form_ == VectorForm::whole) return {};
    if (buffer == Buffer::input && collective_ == Collective::neighbor_allgather) return {0, 1};
    if (buffer == own_piece_buffer(collective_)) return piece(rank);
    return {0, blocks_};
}

void fill_scratch_table(std::span<const std::int32_t> scratch_order, const BlockMap& vector, std::size_t* begin) {
    *begin = 0;
    for (const std::int32_t same : scratch_order) {
        begin[1] = begin[0] + vector.offset(same + 1) - vector.offset(same);
        ++begin;
    }
}

}  // namespace coll_topo
