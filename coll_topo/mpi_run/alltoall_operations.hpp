// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/mpi_run/operation.hpp"

/// What the rows of alltoall, alltoallv and alltoallw do; see Operation.
namespace coll_topo::bench {

void prepare_alltoall(const Call& call, Buffers& buffers);
/// What a rank must have received from another.
Pattern piece_received(const Call& call, int from);

int run_alltoall(const Call& call, Buffers& buffers, MPI_Comm communicator);
/// These two with equal counts, which the component cannot know to be equal.
int run_alltoallv(const Call& call, Buffers& buffers, MPI_Comm communicator);
int run_alltoallw(const Call& call, Buffers& buffers, MPI_Comm communicator);

}  // namespace coll_topo::bench
