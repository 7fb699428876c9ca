// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/stages/stages.hpp"
#include "coll_topo/schedule/builder.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace coll_topo {

/// Where the data of one lane lie while halving-doubling works on them. The lane's share of the vector is cut into one
/// part for each aggregator of a host, a part into one unit for each place, in some order; a unit is one or more
/// blocks. `cuts`: how many blocks a unit of the vector, or a rank's piece, is cut into.
class Layout {
public:
    /// allreduce: a unit is one block of the vector in `output`, parts in order of the aggregators, lanes within.
    static Layout of_vector(const Grid& grid, const Problem& problem, int lane, int cuts = 1);

    /// allreduce: a share of the vector that begins at block `first`, with units of `cuts` blocks. Every aggregator
    /// works on all of it: there is one part for all.
    static Layout of_share(const Grid& grid, std::int32_t first, int cuts);

    /// allreduce: how many blocks the vector has.
    static int vector_blocks(const Grid& grid, const Problem& problem) {
        return problem.aggregators * problem.lanes * grid.places();
    }

    /// reduce_scatter, allgather: a unit holds the lane's share of the pieces of the ranks that an aggregator serves,
    /// in `scratch`. Block k * lanes + lane of the vector is the lane's share of rank k's piece.
    /// `places` are those of the units of a part, in order. Of one aggregator, every one works on all of it.
    static Layout of_pieces(const Grid& grid, const Problem& problem, int lane, std::span<const std::int32_t> places,
                            int cuts = 1);

    /// Blocks of the units at positions [position, position + units) of a part.
    Blocks range(int part, int position, int units) const;
    Blocks part(int part) const { return range(part, 0, places_); }
    /// Blocks of the unit of a place; of the vector, units are in the order of places.
    Blocks unit(int part, int place) const {
        return range(part, unit_of_place_.empty() ? place : unit_of_place_[place], 1);
    }
    /// Cuts [first, first + count) of the unit of a place. A unit of several pieces must not be cut.
    Blocks slice(int part, int place, int first, int count) const;

    /// of_pieces: which rank's piece each block of the lane is, in the order they lie; the lane's first block.
    const std::vector<std::int32_t>& piece_order() const { return piece_order_; }
    std::int32_t first() const { return first_; }
    int cuts() const { return cuts_; }

private:
    Buffer buffer_ = Buffer::output;
    int places_ = 1;
    int cuts_ = 1;
    std::int32_t first_ = 0;
    std::int32_t part_stride_ = 0;             // of_vector
    int units_of_part_ = 0;                    // of_pieces: 0 if there is one part for all
    std::vector<std::int32_t> unit_begin_;     // of_pieces: pieces before unit (part * places + position)
    std::vector<std::int32_t> unit_of_place_;  // of_pieces
    std::vector<std::int32_t> piece_order_;
};

/// The aggregator that serves a rank: itself if it is one, else one of its host, or of its host's proxy.
struct Server {
    int host;
    int part;
};
Server server_of(const Grid& grid, int rank, int aggregators);

}  // namespace coll_topo
