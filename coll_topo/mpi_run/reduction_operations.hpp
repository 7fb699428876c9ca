// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/mpi_run/operation.hpp"

/// What the rows of reductions do: their data, calls and results; see Operation.
namespace coll_topo::bench {

void prepare_vector(const Call& call, Buffers& buffers);
std::optional<std::size_t> wrong_sum(const Call& call, const Buffers& buffers);
Element expected_sum(const Call& call, std::size_t index);
int run_allreduce(const Call& call, Buffers& buffers, MPI_Comm communicator);
void prepare_reduce(const Call& call, Buffers& buffers);
int run_reduce(const Call& call, Buffers& buffers, MPI_Comm communicator);
std::optional<std::size_t> wrong_reduce(const Call& call, const Buffers& buffers);
int run_scan(const Call& call, Buffers& buffers, MPI_Comm communicator);
std::optional<std::size_t> wrong_scan(const Call& call, const Buffers& buffers);
Element expected_scan(const Call& call, std::size_t index);
int run_exscan(const Call& call, Buffers& buffers, MPI_Comm communicator);
std::optional<std::size_t> wrong_exscan(const Call& call, const Buffers& buffers);
Element expected_exscan(const Call& call, std::size_t index);
void prepare_pieces(const Call& call, Buffers& buffers);
std::optional<std::size_t> wrong_piece_of_sum(const Call& call, const Buffers& buffers);
Element expected_piece_of_sum(const Call& call, std::size_t index);
int run_reduce_scatter(const Call& call, Buffers& buffers, MPI_Comm communicator);
int run_reduce_scatter_block(const Call& call, Buffers& buffers, MPI_Comm communicator);

}  // namespace coll_topo::bench
