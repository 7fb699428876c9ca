// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/mpi_run/nonblocking_form.hpp"
#include "coll_topo/mpi_run/operation.hpp"

/// What the rows of neighbourhood collectives do, see Operation: blocking, and with a request.
namespace coll_topo::bench {

void prepare_neighbor_allgather(const Call& call, Buffers& buffers);
int run_neighbor_allgather(const Call& call, Buffers& buffers, MPI_Comm communicator);
int start_neighbor_allgather(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request);
int run_neighbor_allgatherv(const Call& call, Buffers& buffers, MPI_Comm communicator);
int start_neighbor_allgatherv(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request);
std::optional<std::size_t> wrong_neighbor_allgather(const Call& call, const Buffers& buffers);
Element expected_neighbor_allgather(const Call& call, std::size_t index);

void prepare_neighbor_alltoall(const Call& call, Buffers& buffers);
int run_neighbor_alltoall(const Call& call, Buffers& buffers, MPI_Comm communicator);
int start_neighbor_alltoall(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request);
int run_neighbor_alltoallv(const Call& call, Buffers& buffers, MPI_Comm communicator);
int start_neighbor_alltoallv(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request);
int run_neighbor_alltoallw(const Call& call, Buffers& buffers, MPI_Comm communicator);
int start_neighbor_alltoallw(const Call& call, Buffers& buffers, MPI_Comm communicator, MPI_Request* request);
std::optional<std::size_t> wrong_neighbor_alltoall(const Call& call, const Buffers& buffers);
Element expected_neighbor_alltoall(const Call& call, std::size_t index);

}  // namespace coll_topo::bench
