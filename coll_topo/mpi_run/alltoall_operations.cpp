// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/mpi_run/alltoall_operations.hpp"

#include "coll_topo/mpi_run/call_data.hpp"

namespace coll_topo::bench {

namespace {

/// The weight identifies the sender, the shift the receiver.
Pattern piece_between(const Call& call, int from, int to) {
    return {0, weight_of(from, call.number), weight_of(to, ~call.number)};
}

}  // namespace

Pattern piece_received(const Call& call, int from) {
    return piece_between(call, from, call.rank);
}

void prepare_alltoall(const Call& call, Buffers& buffers) {
    for (int to = 0; to < call.ranks; ++to) {
        fill(take(source(call, buffers), static_cast<std::size_t>(to) * call.count, call.count),
             piece_between(call, call.rank, to));
    }
}

int run_alltoall(const Call& call, Buffers& buffers, MPI_Comm communicator) {
    return MPI_Alltoall(send_buffer(call, buffers), as_int(call.count), MPI_UINT32_T, buffers.output.data(),
                        as_int(call.count), MPI_UINT32_T, communicator);
}

int run_alltoallv(const Call& call, Buffers& buffers, MPI_Comm communicator) {
    set_counts(call, buffers, 1);
    const int *counts = buffers.counts.data(), *displacements = buffers.displacements.data();
    return MPI_Alltoallv(send_buffer(call, buffers), counts, displacements, MPI_UINT32_T, buffers.output.data(), counts,
                         displacements, MPI_UINT32_T, communicator);
}

int run_alltoallw(const Call& call, Buffers& buffers, MPI_Comm communicator) {
    if (!set_arguments_of_alltoallw(call, buffers)) return MPI_ERR_COUNT;
    const int *counts = buffers.counts.data(), *displacements = buffers.displacements.data();
    return MPI_Alltoallw(send_buffer(call, buffers), counts, displacements, buffers.types.data(), buffers.output.data(),
                         counts, displacements, buffers.types.data(), communicator);
}

}  // namespace coll_topo::bench
