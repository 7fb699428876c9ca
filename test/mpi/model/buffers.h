/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank sends and receives in a call, piece by piece, and the memory of both. */
#ifndef COLL_TOPO_TEST_MPI_MODEL_BUFFERS_H
#define COLL_TOPO_TEST_MPI_MODEL_BUFFERS_H

#include "test/mpi/model/call.h"
#include "test/mpi/model/sides.h"

#include <mpi.h>

struct buffers {
    int members, me, root;
    bool in_place; /* on this rank */
    struct side send, receive;
};

/* For this rank of the communicator, with the contents before the call and those expected after it. */
struct buffers buffers_new(const struct call* call, MPI_Comm communicator);
void buffers_free(struct buffers* buffers);

/* The count of a piece from one rank to another, or of one rank. In place, both directions have the same. */
int spread_count(const struct call* call, int root, int from, int to);
/* Elements of the piece of a rank, in reduce_scatter. */
int piece_elements(const struct call* call, const struct buffers* buffers, int rank);
bool is_reduction(int collective);

#endif
