// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/mpi_run/operation.hpp"

#include "coll_topo/mpi_run/alltoall_operations.hpp"
#include "coll_topo/mpi_run/call_data.hpp"
#include "coll_topo/mpi_run/neighbor_operations.hpp"
#include "coll_topo/mpi_run/reduction_operations.hpp"

#include <algorithm>

namespace coll_topo::bench {

namespace {

// ---- allgather ------------------------------------------------------------------------------------------------------

Pattern piece_of(const Call& call, int rank) {
    return {static_cast<std::size_t>(rank) * call.count, weight_of(rank, call.number)};
}

void prepare_own_piece(const Call& call, Buffers& buffers) {
    const std::size_t first = call.in_place ? static_cast<std::size_t>(call.rank) * call.count : 0;
    fill(take(source(call, buffers), first, call.count), piece_of(call, call.rank));
}

int run_allgather(const Call& call, Buffers& buffers, MPI_Comm communicator) {
    return MPI_Allgather(send_buffer(call, buffers), as_int(call.count), MPI_UINT32_T, buffers.output.data(),
                         as_int(call.count), MPI_UINT32_T, communicator);
}

int run_allgatherv(const Call& call, Buffers& buffers, MPI_Comm communicator) {
    set_counts(call, buffers, 1);
    return MPI_Allgatherv(send_buffer(call, buffers), as_int(call.count), MPI_UINT32_T, buffers.output.data(),
                          buffers.counts.data(), buffers.displacements.data(), MPI_UINT32_T, communicator);
}

// ---- bcast ----------------------------------------------------------------------------------------------------------

Pattern of_root(const Call& call) {
    return {0, weight_of(call.root, call.number)};
}

void prepare_bcast(const Call& call, Buffers& buffers) {
    if (call.rank == call.root) fill(take(buffers.output, 0, call.count), of_root(call));
}

int run_bcast(const Call& call, Buffers& buffers, MPI_Comm communicator) {
    return MPI_Bcast(buffers.output.data(), as_int(call.count), MPI_UINT32_T, call.root, communicator);
}

std::optional<std::size_t> wrong_bcast(const Call& call, const Buffers& buffers) {
    return wrong_in(buffers, 0, call.count, of_root(call));
}

Element expected_bcast(const Call& call, std::size_t index) {
    return of_root(call)[index];
}

// ---- gather and scatter ---------------------------------------------------------------------------------------------

void prepare_gather(const Call& call, Buffers& buffers) {
    prepare_own_piece(of_root_in_place(call), buffers);
}

int run_gather(const Call& call, Buffers& buffers, MPI_Comm communicator) {
    return MPI_Gather(send_buffer(of_root_in_place(call), buffers), as_int(call.count), MPI_UINT32_T,
                      buffers.output.data(), as_int(call.count), MPI_UINT32_T, call.root, communicator);
}

std::optional<std::size_t> wrong_gather(const Call& call, const Buffers& buffers) {
    return call.rank == call.root ? wrong_in_pieces<piece_of>(call, buffers) : std::nullopt;
}

void prepare_scatter(const Call& call, Buffers& buffers) {
    for (int piece = 0; call.rank == call.root && piece < call.ranks; ++piece) {
        fill(take(buffers.input, static_cast<std::size_t>(piece) * call.count, call.count), piece_of(call, piece));
    }
}

int run_scatter(const Call& call, Buffers& buffers, MPI_Comm communicator) {
    void* const to = of_root_in_place(call).in_place ? MPI_IN_PLACE : buffers.output.data();
    return MPI_Scatter(buffers.input.data(), as_int(call.count), MPI_UINT32_T, to, as_int(call.count), MPI_UINT32_T,
                       call.root, communicator);
}

std::optional<std::size_t> wrong_scatter(const Call& call, const Buffers& buffers) {
    if (of_root_in_place(call).in_place) return std::nullopt;
    return wrong_in(buffers, 0, call.count, piece_of(call, call.rank));
}

Element expected_scatter(const Call& call, std::size_t index) {
    return piece_of(call, call.rank)[index];
}

int run_gatherv(const Call& call, Buffers& buffers, MPI_Comm communicator) {
    set_counts(call, buffers, 1);
    return MPI_Gatherv(send_buffer(of_root_in_place(call), buffers), as_int(call.count), MPI_UINT32_T,
                       buffers.output.data(), buffers.counts.data(), buffers.displacements.data(), MPI_UINT32_T,
                       call.root, communicator);
}

int run_scatterv(const Call& call, Buffers& buffers, MPI_Comm communicator) {
    set_counts(call, buffers, 1);
    void* const to = of_root_in_place(call).in_place ? MPI_IN_PLACE : buffers.output.data();
    return MPI_Scatterv(buffers.input.data(), buffers.counts.data(), buffers.displacements.data(), MPI_UINT32_T, to,
                        as_int(call.count), MPI_UINT32_T, call.root, communicator);
}

// ---- barrier --------------------------------------------------------------------------------------------------------

void prepare_nothing(const Call&, Buffers&) {}

int run_barrier(const Call&, Buffers&, MPI_Comm communicator) {
    return MPI_Barrier(communicator);
}

std::optional<std::size_t> nothing_wrong(const Call&, const Buffers&) {
    return std::nullopt;
}

Element expected_nothing(const Call&, std::size_t) {
    return 0;
}

// ---- the table ------------------------------------------------------------------------------------------------------

double nothing(int) {
    return 0;
}

double all_of(int) {
    return 1;
}

double all_but_own(int ranks) {
    return (ranks - 1.0) / ranks;
}

double twice_all_but_own(int ranks) {
    return 2 * all_but_own(ranks);
}

constexpr bool vector = false, pieces = true, of_neighbors = true;

const Operation table[] = {
    {"allreduce", vector, twice_all_but_own, prepare_vector, run_allreduce, wrong_sum, expected_sum},
    {"reduce_scatter", pieces, all_but_own, prepare_pieces, run_reduce_scatter, wrong_piece_of_sum,
     expected_piece_of_sum},
    {"reduce_scatter_block", pieces, all_but_own, prepare_pieces, run_reduce_scatter_block, wrong_piece_of_sum,
     expected_piece_of_sum},
    {"allgather", pieces, all_but_own, prepare_own_piece, run_allgather, wrong_in_pieces<piece_of>,
     expected_in_pieces<piece_of>},
    {"allgatherv", pieces, all_but_own, prepare_own_piece, run_allgatherv, wrong_in_pieces<piece_of>,
     expected_in_pieces<piece_of>},
    {"bcast", vector, all_of, prepare_bcast, run_bcast, wrong_bcast, expected_bcast},
    {"reduce", vector, all_of, prepare_reduce, run_reduce, wrong_reduce, expected_sum},
    {"scan", vector, all_of, prepare_vector, run_scan, wrong_scan, expected_scan},
    {"exscan", vector, all_of, prepare_vector, run_exscan, wrong_exscan, expected_exscan},
    {"gather", pieces, all_but_own, prepare_gather, run_gather, wrong_gather, expected_in_pieces<piece_of>},
    {"scatter", pieces, all_but_own, prepare_scatter, run_scatter, wrong_scatter, expected_scatter},
    {"gatherv", pieces, all_but_own, prepare_gather, run_gatherv, wrong_gather, expected_in_pieces<piece_of>},
    {"scatterv", pieces, all_but_own, prepare_scatter, run_scatterv, wrong_scatter, expected_scatter},
    {"alltoall", pieces, all_but_own, prepare_alltoall, run_alltoall, wrong_in_pieces<piece_received>,
     expected_in_pieces<piece_received>},
    {"alltoallv", pieces, all_but_own, prepare_alltoall, run_alltoallv, wrong_in_pieces<piece_received>,
     expected_in_pieces<piece_received>},
    {"alltoallw", pieces, all_but_own, prepare_alltoall, run_alltoallw, wrong_in_pieces<piece_received>,
     expected_in_pieces<piece_received>},
    {"barrier", vector, nothing, prepare_nothing, run_barrier, nothing_wrong, expected_nothing},
    {"neighbor_allgather", pieces, all_of, prepare_neighbor_allgather, run_neighbor_allgather, wrong_neighbor_allgather,
     expected_neighbor_allgather, of_neighbors},
    {"neighbor_alltoall", pieces, all_of, prepare_neighbor_alltoall, run_neighbor_alltoall, wrong_neighbor_alltoall,
     expected_neighbor_alltoall, of_neighbors},
    {"neighbor_allgatherv", pieces, all_of, prepare_neighbor_allgather, run_neighbor_allgatherv,
     wrong_neighbor_allgather, expected_neighbor_allgather, of_neighbors},
    {"neighbor_alltoallv", pieces, all_of, prepare_neighbor_alltoall, run_neighbor_alltoallv, wrong_neighbor_alltoall,
     expected_neighbor_alltoall, of_neighbors},
    {"neighbor_alltoallw", pieces, all_of, prepare_neighbor_alltoall, run_neighbor_alltoallw, wrong_neighbor_alltoall,
     expected_neighbor_alltoall, of_neighbors},
};

}  // namespace

std::span<const Operation> operations() {
    return table;
}

const Operation* find_operation(std::string_view name) {
    const auto* const found = std::find_if(std::begin(table), std::end(table),
                                           [&](const Operation& operation) { return operation.name == name; });
    return found == std::end(table) ? nullptr : found;
}

std::size_t elements_for(const Operation& operation, std::int64_t bytes, int pieces) {
    const std::int64_t step = static_cast<std::int64_t>(sizeof(Element)) * (operation.has_pieces ? pieces : 1);
    return static_cast<std::size_t>(std::max<std::int64_t>(1, (bytes + step - 1) / step));
}

std::int64_t bytes_of(const Operation& operation, std::size_t elements, int pieces) {
    return static_cast<std::int64_t>(elements * sizeof(Element)) * (operation.has_pieces ? pieces : 1);
}

}  // namespace coll_topo::bench
