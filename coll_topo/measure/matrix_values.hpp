// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>
#include <cstddef>
#include <span>
#include <string>

namespace coll_topo::bench {

/// An operation on a type, whose results are the same in any order: floating-point operands are small whole numbers,
/// and few factors are not units.
struct MatrixPair {
    const char* operation_name;  ///< "sum"
    MPI_Op operation;
    const char* type_name;  ///< "double"
    MPI_Datatype type;
    std::size_t extent;  ///< bytes, without gaps
    /// Writes element `index` of a rank's operand.
    void (*write)(MPI_Op operation, int rank, int ranks, std::size_t index, void* place);
};

/// All that are tried where something is reduced.
std::span<const MatrixPair> reductions();
/// What is tried where data is only moved: operations mean nothing.
std::span<const MatrixPair> movements();

}  // namespace coll_topo::bench
