// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/mpi_run/nonblocking_form.hpp"

#include "coll_topo/mpi_run/call_data.hpp"
#include "coll_topo/mpi_run/neighbor_operations.hpp"

#include <algorithm>

namespace coll_topo::bench {

namespace {

int start_allreduce(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request) {
    return MPI_Iallreduce(send_buffer(call, buffers), buffers.output.data(), as_int(call.count), MPI_UINT32_T, MPI_SUM,
                          communicator, request);
}

int start_reduce(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request) {
    return MPI_Ireduce(send_buffer(of_root_in_place(call), buffers), buffers.output.data(), as_int(call.count),
                       MPI_UINT32_T, MPI_SUM, call.root, communicator, request);
}

int start_scan(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request) {
    return MPI_Iscan(send_buffer(call, buffers), buffers.output.data(), as_int(call.count), MPI_UINT32_T, MPI_SUM,
                     communicator, request);
}

int start_exscan(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request) {
    return MPI_Iexscan(send_buffer(call, buffers), buffers.output.data(), as_int(call.count), MPI_UINT32_T, MPI_SUM,
                       communicator, request);
}

int start_reduce_scatter(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request) {
    buffers.counts.assign(static_cast<std::size_t>(call.ranks), as_int(call.count));
    return MPI_Ireduce_scatter(send_buffer(call, buffers), buffers.output.data(), buffers.counts.data(), MPI_UINT32_T,
                               MPI_SUM, communicator, request);
}

int start_reduce_scatter_block(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request) {
    return MPI_Ireduce_scatter_block(send_buffer(call, buffers), buffers.output.data(), as_int(call.count),
                                     MPI_UINT32_T, MPI_SUM, communicator, request);
}

int start_allgather(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request) {
    return MPI_Iallgather(send_buffer(call, buffers), as_int(call.count), MPI_UINT32_T, buffers.output.data(),
                          as_int(call.count), MPI_UINT32_T, communicator, request);
}

int start_allgatherv(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request) {
    set_counts(call, buffers, 1);
    return MPI_Iallgatherv(send_buffer(call, buffers), as_int(call.count), MPI_UINT32_T, buffers.output.data(),
                           buffers.counts.data(), buffers.displacements.data(), MPI_UINT32_T, communicator, request);
}

int start_bcast(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request) {
    return MPI_Ibcast(buffers.output.data(), as_int(call.count), MPI_UINT32_T, call.root, communicator, request);
}

int start_gather(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request) {
    return MPI_Igather(send_buffer(of_root_in_place(call), buffers), as_int(call.count), MPI_UINT32_T,
                       buffers.output.data(), as_int(call.count), MPI_UINT32_T, call.root, communicator, request);
}

int start_gatherv(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request) {
    set_counts(call, buffers, 1);
    return MPI_Igatherv(send_buffer(of_root_in_place(call), buffers), as_int(call.count), MPI_UINT32_T,
                        buffers.output.data(), buffers.counts.data(), buffers.displacements.data(), MPI_UINT32_T,
                        call.root, communicator, request);
}

int start_scatter(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request) {
    void* const to = of_root_in_place(call).in_place ? MPI_IN_PLACE : buffers.output.data();
    return MPI_Iscatter(buffers.input.data(), as_int(call.count), MPI_UINT32_T, to, as_int(call.count), MPI_UINT32_T,
                        call.root, communicator, request);
}

int start_scatterv(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request) {
    set_counts(call, buffers, 1);
    void* const to = of_root_in_place(call).in_place ? MPI_IN_PLACE : buffers.output.data();
    return MPI_Iscatterv(buffers.input.data(), buffers.counts.data(), buffers.displacements.data(), MPI_UINT32_T, to,
                         as_int(call.count), MPI_UINT32_T, call.root, communicator, request);
}

int start_alltoall(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request) {
    return MPI_Ialltoall(send_buffer(call, buffers), as_int(call.count), MPI_UINT32_T, buffers.output.data(),
                         as_int(call.count), MPI_UINT32_T, communicator, request);
}

int start_alltoallv(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request) {
    set_counts(call, buffers, 1);
    const int *counts = buffers.counts.data(), *displacements = buffers.displacements.data();
    return MPI_Ialltoallv(send_buffer(call, buffers), counts, displacements, MPI_UINT32_T, buffers.output.data(),
                          counts, displacements, MPI_UINT32_T, communicator, request);
}

int start_alltoallw(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request) {
    if (!set_arguments_of_alltoallw(call, buffers)) return MPI_ERR_COUNT;
    const int *counts = buffers.counts.data(), *displacements = buffers.displacements.data();
    return MPI_Ialltoallw(send_buffer(call, buffers), counts, displacements, buffers.types.data(),
                          buffers.output.data(), counts, displacements, buffers.types.data(), communicator, request);
}

int start_barrier(const Call&, Buffers&, MPI_Comm communicator, MPI_Request* request) {
    return MPI_Ibarrier(communicator, request);
}

struct Row {
    std::string_view operation;
    NonblockingForm start;
};

constexpr Row table[] = {
    {"allreduce", start_allreduce},
    {"reduce", start_reduce},
    {"scan", start_scan},
    {"exscan", start_exscan},
    {"reduce_scatter", start_reduce_scatter},
    {"reduce_scatter_block", start_reduce_scatter_block},
    {"allgather", start_allgather},
    {"allgatherv", start_allgatherv},
    {"bcast", start_bcast},
    {"gather", start_gather},
    {"gatherv", start_gatherv},
    {"scatter", start_scatter},
    {"scatterv", start_scatterv},
    {"alltoall", start_alltoall},
    {"alltoallv", start_alltoallv},
    {"alltoallw", start_alltoallw},
    {"barrier", start_barrier},
    {"neighbor_allgather", start_neighbor_allgather},
    {"neighbor_alltoall", start_neighbor_alltoall},
    {"neighbor_allgatherv", start_neighbor_allgatherv},
    {"neighbor_alltoallv", start_neighbor_alltoallv},
    {"neighbor_alltoallw", start_neighbor_alltoallw},
};

}  // namespace

NonblockingForm nonblocking_form(const Operation& operation) {
    const auto* const found =
        std::ranges::find_if(table, [&](const Row& row) { return row.operation == operation.name; });
    return found == std::end(table) ? nullptr : found->start;
}

}  // namespace coll_topo::bench
