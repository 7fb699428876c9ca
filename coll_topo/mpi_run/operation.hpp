// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/cartesian.hpp"
#include "coll_topo/mpi_run/pattern.hpp"

#include <mpi.h>
#include <span>
#include <string_view>
#include <vector>

namespace coll_topo::bench {

/// One call of a collective as one rank sees it.
struct Call {
    int ranks = 1;
    int rank = 0;
    int root = 0;
    bool in_place = false;  ///< of no importance to bcast
    std::size_t count =
        1;  ///< elements of the vector, or of one piece where there is a piece for each rank or neighbour
    std::uint32_t number = 0;              ///< of the call; every call has other values
    const Cartesian* cartesian = nullptr;  ///< of calls to neighbours

    int pieces() const { return cartesian != nullptr ? cartesian->neighbors() : ranks; }
    std::size_t all_pieces() const { return count * static_cast<std::size_t>(pieces()); }
};

/// The memory of a call. The operations below say how much of it they use.
struct Buffers {
    std::vector<Element> input;
    std::vector<Element> output;
    std::vector<int> counts;          ///< of reduce_scatter, allgatherv, alltoallv and alltoallw: one for each piece
    std::vector<int> displacements;   ///< of allgatherv and alltoallv, and in bytes of alltoallw
    std::vector<MPI_Datatype> types;  ///< of alltoallw
    std::vector<MPI_Aint> addresses;  ///< of neighbor_alltoallw: displacements in bytes
};

/// A collective that can be measured: a row of the table below.
struct Operation {
    std::string_view name;           ///< as in MCA parameters
    bool has_pieces;                 ///< bytes are those of all pieces together, one for each rank or neighbour
    double (*bus_share)(int ranks);  ///< bytes over time, times this, is the bus bandwidth of nccl-tests

    /// Writes this rank's contribution to where the call takes it from.
    void (*prepare)(const Call&, Buffers&);
    int (*run)(const Call&, Buffers&, MPI_Comm);
    /// The first wrong element of this rank's result, as an index into the output.
    std::optional<std::size_t> (*wrong)(const Call&, const Buffers&);
    /// What element `index` of the output must be.
    Element (*expected)(const Call&, std::size_t index);
    bool of_neighbors = false;  ///< on a Cartesian communicator
};

std::span<const Operation> operations();

/// The row with this name, or null.
const Operation* find_operation(std::string_view name);

/// Elements of the vector or piece for at least `bytes` in all, and the bytes that these are. `pieces`: of ranks or
/// neighbours.
std::size_t elements_for(const Operation& operation, std::int64_t bytes, int pieces);
std::int64_t bytes_of(const Operation& operation, std::size_t elements, int pieces);

}  // namespace coll_topo::bench
