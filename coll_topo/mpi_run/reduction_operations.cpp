// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/mpi_run/reduction_operations.hpp"

#include "coll_topo/mpi_run/call_data.hpp"

namespace coll_topo::bench {

namespace {

Element sum_of_weights(const Call& call) {
    Element sum = 0;
    for (int rank = 0; rank < call.ranks; ++rank) sum += weight_of(rank, call.number);
    return sum;
}

Pattern sum(const Call& call) {
    return {0, sum_of_weights(call)};
}

/// Of the ranks before one.
Pattern sum_before(const Call& call, int end) {
    Element sum = 0;
    for (int rank = 0; rank < end; ++rank) sum += weight_of(rank, call.number);
    return {0, sum};
}

Pattern own_piece_of_sum(const Call& call) {
    return {static_cast<std::size_t>(call.rank) * call.count, sum_of_weights(call)};
}

}  // namespace

void prepare_vector(const Call& call, Buffers& buffers) {
    fill(take(source(call, buffers), 0, call.count), {0, weight_of(call.rank, call.number)});
}

std::optional<std::size_t> wrong_sum(const Call& call, const Buffers& buffers) {
    return wrong_in(buffers, 0, call.count, sum(call));
}

Element expected_sum(const Call& call, std::size_t index) {
    return sum(call)[index];
}

int run_allreduce(const Call& call, Buffers& buffers, MPI_Comm communicator) {
    return MPI_Allreduce(send_buffer(call, buffers), buffers.output.data(), as_int(call.count), MPI_UINT32_T, MPI_SUM,
                         communicator);
}

void prepare_reduce(const Call& call, Buffers& buffers) {
    prepare_vector(of_root_in_place(call), buffers);
}

int run_reduce(const Call& call, Buffers& buffers, MPI_Comm communicator) {
    return MPI_Reduce(send_buffer(of_root_in_place(call), buffers), buffers.output.data(), as_int(call.count),
                      MPI_UINT32_T, MPI_SUM, call.root, communicator);
}

std::optional<std::size_t> wrong_reduce(const Call& call, const Buffers& buffers) {
    return call.rank == call.root ? wrong_sum(call, buffers) : std::nullopt;
}

int run_scan(const Call& call, Buffers& buffers, MPI_Comm communicator) {
    return MPI_Scan(send_buffer(call, buffers), buffers.output.data(), as_int(call.count), MPI_UINT32_T, MPI_SUM,
                    communicator);
}

std::optional<std::size_t> wrong_scan(const Call& call, const Buffers& buffers) {
    return wrong_in(buffers, 0, call.count, sum_before(call, call.rank + 1));
}

Element expected_scan(const Call& call, std::size_t index) {
    return sum_before(call, call.rank + 1)[index];
}

int run_exscan(const Call& call, Buffers& buffers, MPI_Comm communicator) {
    return MPI_Exscan(send_buffer(call, buffers), buffers.output.data(), as_int(call.count), MPI_UINT32_T, MPI_SUM,
                      communicator);
}

/// Rank 0 gets nothing.
std::optional<std::size_t> wrong_exscan(const Call& call, const Buffers& buffers) {
    return call.rank == 0 ? std::nullopt : wrong_in(buffers, 0, call.count, sum_before(call, call.rank));
}

Element expected_exscan(const Call& call, std::size_t index) {
    return sum_before(call, call.rank)[index];
}

void prepare_pieces(const Call& call, Buffers& buffers) {
    fill(take(source(call, buffers), 0, call.all_pieces()), {0, weight_of(call.rank, call.number)});
}

std::optional<std::size_t> wrong_piece_of_sum(const Call& call, const Buffers& buffers) {
    return wrong_in(buffers, 0, call.count, own_piece_of_sum(call));
}

Element expected_piece_of_sum(const Call& call, std::size_t index) {
    return own_piece_of_sum(call)[index];
}

int run_reduce_scatter(const Call& call, Buffers& buffers, MPI_Comm communicator) {
    buffers.counts.assign(static_cast<std::size_t>(call.ranks), as_int(call.count));
    return MPI_Reduce_scatter(send_buffer(call, buffers), buffers.output.data(), buffers.counts.data(), MPI_UINT32_T,
                              MPI_SUM, communicator);
}

int run_reduce_scatter_block(const Call& call, Buffers& buffers, MPI_Comm communicator) {
    return MPI_Reduce_scatter_block(send_buffer(call, buffers), buffers.output.data(), as_int(call.count), MPI_UINT32_T,
                                    MPI_SUM, communicator);
}

}  // namespace coll_topo::bench
