/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls to neighbours in all their forms. */
#ifndef COLL_TOPO_TEST_MPI_NEIGHBOR_CALLS_H
#define COLL_TOPO_TEST_MPI_NEIGHBOR_CALLS_H

#include "test/mpi/neighbor_case.h"

enum { NEIGHBOR_KINDS = 5 };
extern const enum collective neighbor_kinds[NEIGHBOR_KINDS];

/* The arguments of MPI_Cart_create. */
struct box {
    int dimensions, sizes[MOST_DIMENSIONS], periods[MOST_DIMENSIONS];
};

/* Of "cart=4p,4"; false of another text. */
bool box_described(const char* text, struct box* box);

void neighbor_call_run(struct neighbor_call* call);
/* `on`: its communicator, or a duplicate. */
void neighbor_call_start(struct neighbor_call* call, MPI_Comm on, MPI_Request* request);
void neighbor_call_make(struct neighbor_call* call, MPI_Comm on, MPI_Request* request);

#endif
