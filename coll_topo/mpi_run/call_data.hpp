// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/mpi_run/operation.hpp"

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

/// Where the data of a call are and what they must be, for the operations of the table.
namespace coll_topo::bench {

inline int as_int(std::size_t count) {
    return static_cast<int>(count);
}

inline std::span<Element> take(std::vector<Element>& buffer, std::size_t first, std::size_t count) {
    return std::span(buffer).subspan(first, count);
}

/// The first wrong element of a part of the output, as an index into the output.
inline std::optional<std::size_t> wrong_in(const Buffers& buffers, std::size_t first, std::size_t count,
                                           const Pattern& pattern) {
    const auto found = first_difference(std::span(buffers.output).subspan(first, count), pattern);
    return found ? std::optional(first + *found) : std::nullopt;
}

/// Where a contribution is taken from. MPI_IN_PLACE: from the receive buffer.
inline std::vector<Element>& source(const Call& call, Buffers& buffers) {
    return call.in_place ? buffers.output : buffers.input;
}

inline const void* send_buffer(const Call& call, const Buffers& buffers) {
    return call.in_place ? MPI_IN_PLACE : buffers.input.data();
}

/// Equal counts, and the displacements of pieces that lie one after the other, an element being so many units long.
inline void set_counts(const Call& call, Buffers& buffers, std::size_t units) {
    buffers.counts.assign(static_cast<std::size_t>(call.pieces()), as_int(call.count));
    buffers.displacements.clear();
    for (int piece = 0; piece < call.pieces(); ++piece) {
        buffers.displacements.push_back(piece * as_int(call.count * units));
    }
}

/// Of alltoallw, whose displacements are bytes in an int: false if they do not fit.
inline bool set_arguments_of_alltoallw(const Call& call, Buffers& buffers) {
    if (call.all_pieces() > std::numeric_limits<int>::max() / sizeof(Element)) return false;
    set_counts(call, buffers, sizeof(Element));
    buffers.types.assign(static_cast<std::size_t>(call.ranks), MPI_UINT32_T);
    return true;
}

/// Of a collective with a root, only that may pass MPI_IN_PLACE.
inline Call of_root_in_place(Call call) {
    call.in_place = call.in_place && call.rank == call.root;
    return call;
}

/// What a piece of the output must be.
using PatternOfPiece = Pattern (*)(const Call&, int piece);

template <PatternOfPiece pattern>
std::optional<std::size_t> wrong_in_pieces(const Call& call, const Buffers& buffers) {
    std::optional<std::size_t> wrong;
    for (int piece = 0; piece < call.ranks && !wrong; ++piece) {
        wrong = wrong_in(buffers, static_cast<std::size_t>(piece) * call.count, call.count, pattern(call, piece));
    }
    return wrong;
}

template <PatternOfPiece pattern>
Element expected_in_pieces(const Call& call, std::size_t index) {
    return pattern(call, static_cast<int>(index / call.count))[index % call.count];
}

}  // namespace coll_topo::bench
