/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank sends to its neighbours, and receives from them. */
#ifndef COLL_TOPO_TEST_MPI_MODEL_NEIGHBOR_BUFFERS_H
#define COLL_TOPO_TEST_MPI_MODEL_NEIGHBOR_BUFFERS_H

#include "test/mpi/model/buffers.h"

/* As buffers_new, for a call on a Cartesian communicator. */
void set_up_for_neighbors(const struct call* call, struct buffers* buffers, MPI_Comm communicator);

#endif
