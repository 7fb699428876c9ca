/* SPDX-License-Identifier: BSD-3-Clause */
/* Data of calls to the neighbours of a Cartesian communicator: numbers that tell who sent them, to which of his
 * neighbours, in memory that shows every byte that is written elsewhere. */
#ifndef COLL_TOPO_TEST_MPI_NEIGHBOR_CASE_H
#define COLL_TOPO_TEST_MPI_NEIGHBOR_CASE_H

#include "test/mpi/counters.h"

#include <mpi.h>
#include <stdbool.h>

enum { MOST_DIMENSIONS = 3, MOST_NEIGHBORS = 2 * MOST_DIMENSIONS };

struct cartesian {
    MPI_Comm communicator;
    int dimensions, sizes[MOST_DIMENSIONS], periods[MOST_DIMENSIONS];
    int rank, neighbors;
    int neighbor[MOST_NEIGHBORS]; /* ranks, or MPI_PROC_NULL */
    char text[64];
};

/* On the first ranks of MPI_COMM_WORLD; false on the others. Made with MPI_Cart_create. */
bool cartesian_new(struct cartesian* cartesian, int dimensions, const int* sizes, const int* periods);
void cartesian_free(struct cartesian* cartesian);

/* Ways to lay numbers out: as they are, by threes, and with gaps. */
enum { FORMS = 3 };
void forms_new(void);
void forms_free(void);

/* The pieces of one side: `numbers[k]` ints in a form of their own each. */
struct side {
    int pieces;
    int numbers[MOST_NEIGHBORS], form[MOST_NEIGHBORS];
    int counts[MOST_NEIGHBORS], displacements[MOST_NEIGHBORS]; /* in elements of the type */
    MPI_Aint byte_displacements[MOST_NEIGHBORS];
    MPI_Datatype types[MOST_NEIGHBORS];
    int* memory;
    int ints; /* of memory */
};

/* A call with its data. */
struct neighbor_call {
    enum collective collective;
    const struct cartesian* cartesian;
    int salt;
    struct side sent, received;
};

/* Numbers of a piece: all alike in calls whose pieces are equal. */
void neighbor_call_new(struct neighbor_call* call, enum collective collective, const struct cartesian* cartesian,
                       int numbers, int salt);
/* Makes the memory to be received into as it was at the start. */
void neighbor_call_clear(struct neighbor_call* call);
void neighbor_call_check(const struct neighbor_call* call, const char* what);
void neighbor_call_free(struct neighbor_call* call);

#endif
