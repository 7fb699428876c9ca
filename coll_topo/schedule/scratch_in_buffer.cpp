// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/schedule/scratch_in_buffer.hpp"

#include "coll_topo/schedule/gathers_in_output.hpp"

#include <algorithm>
#include <ranges>

namespace coll_topo {
namespace {

bool is_laid_out_as(const Program& program, const BlockRange& range) {
    if (program.scratch_blocks != range.end - range.begin) return false;
    for (std::int32_t block = 0; block < program.scratch_blocks; ++block) {
        const std::int32_t as = program.scratch_order.empty() ? block : program.scratch_order[block];
        if (as != range.begin + block) return false;
    }
    return true;
}

/// Whether an action leaves each block of scratch with what that block of the buffer has, or gets.
bool keeps_places(const Action& action, Buffer buffer, const BlockRange& range) {
    if (is_send(action)) return action.buffer == Buffer::scratch;
    if (is_receive(action)) return action.buffer == Buffer::scratch && buffer == Buffer::output;
    if (action.kind != ActionKind::copy) return false;
    if (action.target == Buffer::scratch && action.buffer == Buffer::input) {
        return buffer == Buffer::output || range.begin + action.at == action.first;
    }
    if (action.target != Buffer::output || action.buffer != Buffer::scratch) return false;
    return buffer == Buffer::input || range.begin + action.first == action.at;
}

}  // namespace

std::optional<Buffer> scratch_in_buffer(const Program& program, Collective collective, int ranks, int rank) {
    if (gathers_in_output(program, collective)) return Buffer::output;
    if (!moves_pieces(collective)) return {};
    const BlockLayout layout(collective, program, ranks);
    for (const Buffer buffer : {Buffer::output, Buffer::input}) {
        const BlockRange range = layout.existing(buffer, rank);
        const auto keeps = [&](const Action& action) { return keeps_places(action, buffer, range); };
        if (is_laid_out_as(program, range) && std::ranges::all_of(program.actions, keeps)) return buffer;
    }
    return {};
}

BlockRange own_piece_in_buffer(const Program& program, Collective collective, int ranks, int rank) {
    if (!moves_pieces(collective) || scratch_in_buffer(program, collective, ranks, rank)) return {};
    const Buffer buffer = *own_piece_buffer(collective);
    const BlockRange piece = BlockLayout(collective, program, ranks).existing(buffer, rank);
    const auto first = std::ranges::find(program.scratch_order, piece.begin);
    const auto begin = static_cast<std::int32_t>(first - program.scratch_order.begin());
    const BlockRange found{begin, begin + piece.end - piece.begin};
    const auto keeps = [&](const Action& action) {
        const bool reads = is_transfer(action) || action.target == Buffer::output;
        const std::int32_t from = reads ? action.first : action.at;
        if (from >= found.end || from + action.count <= found.begin) return true;
        return from == found.begin && action.count == found.end - found.begin &&
               (is_send(action) == (buffer == Buffer::input) || !is_transfer(action));
    };
    const bool together =
        found.end <= program.scratch_blocks &&
        std::equal(first, first + (piece.end - piece.begin), std::views::iota(piece.begin, piece.end).begin());
    return together && std::ranges::all_of(program.actions, keeps) ? found : BlockRange{};
}

}  // namespace coll_topo
