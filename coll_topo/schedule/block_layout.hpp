// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/block_map.hpp"
#include "coll_topo/schedule/program.hpp"

#include <optional>
#include <span>

namespace coll_topo {

/// What the buffers of a collective hold.
enum class VectorForm : std::uint8_t {
    whole,      ///< one vector, in the output buffer of every rank
    pieces,     ///< a vector of one piece for each rank; one of the buffers has only the rank's own piece
    square,     ///< a piece from each rank for each rank
    neighbors,  ///< a piece from each neighbour, and a piece for each, or one for all of them
};

constexpr VectorForm vector_form(Collective collective) {
    switch (collective) {
        case Collective::allreduce:
        case Collective::bcast:
        case Collective::reduce:
        case Collective::scan:
        case Collective::exscan:
            return VectorForm::whole;
        case Collective::reduce_scatter:
        case Collective::reduce_scatter_block:
        case Collective::allgather:
        case Collective::gather:
        case Collective::scatter:
            return VectorForm::pieces;
        case Collective::neighbor_allgather:
        case Collective::neighbor_alltoall:
            return VectorForm::neighbors;
        case Collective::alltoall:
            break;
    }
    return VectorForm::square;
}

/// The buffer that has only the rank's own piece.
constexpr std::optional<Buffer> own_piece_buffer(Collective collective) {
    if (vector_form(collective) != VectorForm::pieces) return {};
    const bool gathers = collective == Collective::allgather || collective == Collective::gather;
    return gathers ? Buffer::input : Buffer::output;
}

/// Blocks [begin, end) of a buffer.
struct BlockRange {
    std::int32_t begin = 0;
    std::int32_t end = 0;
};

/// Which blocks the buffers of a program have, and how long they are. `elements` are those of the vector, or of each
/// piece.
class BlockLayout {
public:
    BlockLayout(Collective collective, const Program& program, int ranks);

    bool has_pieces() const { return form_ != VectorForm::whole; }
    /// Blocks of the vector, or of each piece.
    int cuts() const { return cuts_; }
    /// Of the vector: of ranks or neighbours.
    int pieces() const { return blocks_ / cuts_; }
    /// Scratch holds blocks in an order of its own, and not cut after cut.
    bool packs() const { return packs_; }

    /// The blocks of a rank's piece.
    BlockRange piece(int rank) const { return {rank * cuts_, (rank + 1) * cuts_}; }

    /// The blocks of a buffer that exist on a rank.
    BlockRange existing(Buffer buffer, int rank) const;

    /// The block of the vector from which a block of scratch has its size; in alltoall, where pieces are alike, the cut
    /// of a piece.
    std::int32_t vector_block(std::span<const std::int32_t> scratch_order, std::int32_t block) const {
        if (form_ == VectorForm::square) return block / scratch_pieces_;
        return scratch_order.empty() ? block % blocks_ : scratch_order[block];
    }

    /// Of input and output, where pieces are equal.
    BlockMap vector(std::size_t elements) const {
        return has_pieces() ? BlockMap::pieces(elements, cuts_) : BlockMap::even(elements, cuts_);
    }
    bool has_scratch_by_lane() const { return scratch_by_lane_; }
    /// Of scratch, if it needs no table; `vector` has as many elements.
    BlockMap scratch(std::size_t elements, const BlockMap& vector) const {
        return scratch_by_lane_ ? BlockMap::pieces_by_lane(elements, cuts_, scratch_pieces_) : vector;
    }
    /// Whether blocks of scratch differ in size in another order than those of the vector.
    bool needs_table(std::size_t elements) const { return packs_ && elements % cuts_ != 0; }

private:
    Collective collective_;
    VectorForm form_;
    int cuts_;
    std::int32_t blocks_;
    std::int32_t scratch_blocks_;
    bool scratch_by_lane_;  // one lane's shares of all pieces after the other's
    int scratch_pieces_;    // of each lane
    bool packs_;
};

/// Where each block of scratch begins, and the end, from where those of the vector do.
void fill_scratch_table(std::span<const std::int32_t> scratch_order, const BlockMap& vector, std::size_t* begin);

}  // namespace coll_topo
