// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/mpi_run/neighbor_operations.hpp"

#include "coll_topo/mpi_run/call_data.hpp"

namespace coll_topo::bench {

namespace {

/// The weight identifies the sender, the shift which of its neighbours it is for; 0: for all.
Pattern piece_for(const Call& call, int from, int neighbor) {
    return {0, weight_of(from, call.number), weight_of(neighbor, ~call.number)};
}

/// What comes from a neighbour that there is.
Pattern from_neighbor(const Call& call, int number, bool one_for_all) {
    return piece_for(call, call.cartesian->neighbor(call.rank, number), one_for_all ? 0 : Cartesian::opposite(number));
}

std::optional<std::size_t> wrong_from_neighbors(const Call& call, const Buffers& buffers, bool one_for_all) {
    std::optional<std::size_t> wrong;
    for (int number = 0; number < call.pieces() && !wrong; ++number) {
        if (call.cartesian->neighbor(call.rank, number) < 0) continue;
        wrong = wrong_in(buffers, static_cast<std::size_t>(number) * call.count, call.count,
                         from_neighbor(call, number, one_for_all));
    }
    return wrong;
}

Element expected_from_neighbor(const Call& call, std::size_t index, bool one_for_all) {
    return from_neighbor(call, static_cast<int>(index / call.count), one_for_all)[index % call.count];
}

/// Of neighbor_alltoallw, whose displacements are bytes.
void set_arguments_of_alltoallw_to_neighbors(const Call& call, Buffers& buffers) {
    const auto pieces = static_cast<std::size_t>(call.pieces());
    buffers.counts.assign(pieces, as_int(call.count));
    buffers.types.assign(pieces, MPI_UINT32_T);
    buffers.addresses.clear();
    for (std::size_t piece = 0; piece < pieces; ++piece) {
        buffers.addresses.push_back(static_cast<MPI_Aint>(piece * call.count * sizeof(Element)));
    }
}

}  // namespace

// ---- neighbor_allgather ---------------------------------------------------------------------------------------------

void prepare_neighbor_allgather(const Call& call, Buffers& buffers) {
    fill(take(buffers.input, 0, call.count), piece_for(call, call.rank, 0));
}

int run_neighbor_allgather(const Call& call, Buffers& buffers, MPI_Comm communicator) {
    return MPI_Neighbor_allgather(buffers.input.data(), as_int(call.count), MPI_UINT32_T, buffers.output.data(),
                                  as_int(call.count), MPI_UINT32_T, communicator);
}

int start_neighbor_allgather(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request) {
    return MPI_Ineighbor_allgather(buffers.input.data(), as_int(call.count), MPI_UINT32_T, buffers.output.data(),
                                   as_int(call.count), MPI_UINT32_T, communicator, request);
}

int run_neighbor_allgatherv(const Call& call, Buffers& buffers, MPI_Comm communicator) {
    set_counts(call, buffers, 1);
    return MPI_Neighbor_allgatherv(buffers.input.data(), as_int(call.count), MPI_UINT32_T, buffers.output.data(),
                                   buffers.counts.data(), buffers.displacements.data(), MPI_UINT32_T, communicator);
}

int start_neighbor_allgatherv(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request) {
    set_counts(call, buffers, 1);
    return MPI_Ineighbor_allgatherv(buffers.input.data(), as_int(call.count), MPI_UINT32_T, buffers.output.data(),
                                    buffers.counts.data(), buffers.displacements.data(), MPI_UINT32_T, communicator,
                                    request);
}

std::optional<std::size_t> wrong_neighbor_allgather(const Call& call, const Buffers& buffers) {
    return wrong_from_neighbors(call, buffers, true);
}

Element expected_neighbor_allgather(const Call& call, std::size_t index) {
    return expected_from_neighbor(call, index, true);
}

// ---- neighbor_alltoall ----------------------------------------------------------------------------------------------

void prepare_neighbor_alltoall(const Call& call, Buffers& buffers) {
    for (int number = 0; number < call.pieces(); ++number) {
        fill(take(buffers.input, static_cast<std::size_t>(number) * call.count, call.count),
             piece_for(call, call.rank, number));
    }
}

int run_neighbor_alltoall(const Call& call, Buffers& buffers, MPI_Comm communicator) {
    return MPI_Neighbor_alltoall(buffers.input.data(), as_int(call.count), MPI_UINT32_T, buffers.output.data(),
                                 as_int(call.count), MPI_UINT32_T, communicator);
}

int start_neighbor_alltoall(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request) {
    return MPI_Ineighbor_alltoall(buffers.input.data(), as_int(call.count), MPI_UINT32_T, buffers.output.data(),
                                  as_int(call.count), MPI_UINT32_T, communicator, request);
}

int run_neighbor_alltoallv(const Call& call, Buffers& buffers, MPI_Comm communicator) {
    set_counts(call, buffers, 1);
    const int *counts = buffers.counts.data(), *displacements = buffers.displacements.data();
    return MPI_Neighbor_alltoallv(buffers.input.data(), counts, displacements, MPI_UINT32_T, buffers.output.data(),
                                  counts, displacements, MPI_UINT32_T, communicator);
}

int start_neighbor_alltoallv(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request) {
    set_counts(call, buffers, 1);
    const int *counts = buffers.counts.data(), *displacements = buffers.displacements.data();
    return MPI_Ineighbor_alltoallv(buffers.input.data(), counts, displacements, MPI_UINT32_T, buffers.output.data(),
                                   counts, displacements, MPI_UINT32_T, communicator, request);
}

int run_neighbor_alltoallw(const Call& call, Buffers& buffers, MPI_Comm communicator) {
    set_arguments_of_alltoallw_to_neighbors(call, buffers);
    const MPI_Aint* const at = buffers.addresses.data();
    return MPI_Neighbor_alltoallw(buffers.input.data(), buffers.counts.data(), at, buffers.types.data(),
                                  buffers.output.data(), buffers.counts.data(), at, buffers.types.data(), communicator);
}

int start_neighbor_alltoallw(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request) {
    set_arguments_of_alltoallw_to_neighbors(call, buffers);
    const MPI_Aint* const at = buffers.addresses.data();
    return MPI_Ineighbor_alltoallw(buffers.input.data(), buffers.counts.data(), at, buffers.types.data(),
                                   buffers.output.data(), buffers.counts.data(), at, buffers.types.data(), communicator,
                                   request);
}

std::optional<std::size_t> wrong_neighbor_alltoall(const Call& call, const Buffers& buffers) {
    return wrong_from_neighbors(call, buffers, false);
}

Element expected_neighbor_alltoall(const Call& call, std::size_t index) {
    return expected_from_neighbor(call, index, false);
}

}  // namespace coll_topo::bench
