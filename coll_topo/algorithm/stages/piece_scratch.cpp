// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/stages/piece_scratch.hpp"

#include <numeric>

namespace coll_topo {
namespace {

void copy_step(ProgramBuilder& builder, Blocks from, Buffer target) {
    builder.next_step();
    builder.copy(from, target, from.first);
    builder.next_step();
}

}  // namespace

void take_all_pieces(ProgramBuilder& builder, int ranks) {
    copy_step(builder, {Buffer::input, 0, ranks}, Buffer::scratch);
}

void take_own_piece(ProgramBuilder& builder, int rank) {
    copy_step(builder, {Buffer::input, rank, 1}, Buffer::scratch);
}

void give_all_pieces(ProgramBuilder& builder, int ranks) {
    copy_step(builder, {Buffer::scratch, 0, ranks}, Buffer::output);
}

void give_own_piece(ProgramBuilder& builder, int rank) {
    copy_step(builder, {Buffer::scratch, rank, 1}, Buffer::output);
}

std::vector<std::int32_t> pieces_in_rank_order(int ranks) {
    std::vector<std::int32_t> order(ranks);
    std::iota(order.begin(), order.end(), 0);
    return order;
}

}  // namespace coll_topo
