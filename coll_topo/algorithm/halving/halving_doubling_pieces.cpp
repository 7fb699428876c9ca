// SPDX-License-Identifier: BSD-3-Clause
//
// How a lane gets the pieces of reduce_scatter and allgather to where it works on them, and back.
#include "coll_topo/algorithm/halving/halving_doubling_lane.hpp"

#include <algorithm>

namespace coll_topo::halving_doubling {

void LaneWriter::arrange_input() {
    const auto& order = layout_.piece_order();
    for (std::size_t i = 0; i < order.size(); ++i) {
        builder_.copy(piece_of(Buffer::input, order[i]), Buffer::scratch, scratch_piece(i).first);
    }
    builder_.next_step();
}

void LaneWriter::scatter_pieces() {
    const Server server = server_of(grid_, rank_, problem_.aggregators);
    const int serving = grid_.aggregator_rank(server.host, server.part, problem_.aggregators);
    const Blocks own = piece_of(Buffer::output, rank_);
    if (serving != rank_) builder_.receive(serving, own);
    if (in_box()) {
        const Blocks unit = layout_.unit(part_, host_);
        for (std::int32_t index = begin_of(unit); index < end_of(unit); ++index) {
            const int owner = layout_.piece_order()[index];
            if (owner != rank_)
                builder_.send(owner, scratch_piece(index));
            else
                builder_.copy(scratch_piece(index), Buffer::output, own.first);
        }
    }
    builder_.next_step();
}

void LaneWriter::gather_pieces() {
    const Server server = server_of(grid_, rank_, problem_.aggregators);
    const Blocks unit = layout_.unit(server.part, server.host);
    const auto& order = layout_.piece_order();
    const auto own = std::find(order.begin() + begin_of(unit), order.end(), rank_);
    const Blocks own_piece = scratch_piece(own - order.begin());
    builder_.copy(piece_of(Buffer::input, rank_), Buffer::scratch, own_piece.first);
    builder_.next_step();

    const int serving = grid_.aggregator_rank(server.host, server.part, problem_.aggregators);
    if (serving != rank_) builder_.send(serving, own_piece);
    if (serving == rank_) {
        for (std::int32_t index = begin_of(unit); index < end_of(unit); ++index) {
            if (order[index] != rank_) builder_.receive(order[index], scratch_piece(index));
        }
    }
    builder_.next_step();
}

void LaneWriter::arrange_output() {
    const auto& order = layout_.piece_order();
    for (std::size_t i = 0; i < order.size(); ++i) {
        builder_.copy(scratch_piece(i), Buffer::output, piece_of(Buffer::output, order[i]).first);
    }
    builder_.next_step();
}

}  // namespace coll_topo::halving_doubling
