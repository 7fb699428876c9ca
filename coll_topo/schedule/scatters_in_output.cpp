// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/schedule/scatters_in_output.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

/// Whether blocks [first, first + count) are all in the range, or none.
bool is_whole(const BlockRange& range, std::int32_t first, std::int32_t count) {
    const bool inside = first >= range.begin && first + count <= range.end;
    return inside || first + count <= range.begin || first >= range.end;
}

/// Whether the range is the rank's piece, block for block.
bool is_laid_out_as(const Program& program, const BlockRange& range, const BlockRange& piece) {
    for (std::int32_t block = range.begin; block < range.end; ++block) {
        const std::int32_t as = program.scratch_order.empty() ? block % program.blocks : program.scratch_order[block];
        if (as - piece.begin != block - range.begin) return false;
    }
    return true;
}

}  // namespace

BlockRange scatters_in_output(const Program& program, Collective collective, int ranks, int rank,
                              const UntouchedOperands& untouched) {
    if (own_piece_buffer(collective) != Buffer::output || untouched.first_block.empty()) return {};
    const auto delivery = std::ranges::find(program.actions, Buffer::output, written_buffer);
    const BlockRange piece = BlockLayout(collective, program, ranks).existing(Buffer::output, rank);
    if (delivery == program.actions.end() || delivery->at != piece.begin || delivery->buffer != Buffer::scratch) {
        return {};
    }
    const BlockRange range{delivery->first, delivery->first + piece.end - piece.begin};
    // One copy of all, and the last thing that is done.
    const bool ends = &*delivery == &program.actions.back() && delivery->count == piece.end - piece.begin &&
                      program.lanes.size() == 1 && is_laid_out_as(program, range, piece);
    const auto keeps_whole = [&](const Action& action) {
        if (untouched.only_brings(program, action)) return true;
        if (action.buffer == Buffer::scratch && !is_whole(range, action.first, action.count)) return false;
        return is_transfer(action) || action.target != Buffer::scratch || is_whole(range, action.at, action.count);
    };
    return ends && std::ranges::all_of(program.actions, keeps_whole) ? range : BlockRange{};
}

}  // namespace coll_topo
