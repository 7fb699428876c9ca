/* SPDX-License-Identifier: BSD-3-Clause */
/* The pieces that a rank sends, or receives, in one memory. */
#ifndef COLL_TOPO_TEST_MPI_MODEL_SIDES_H
#define COLL_TOPO_TEST_MPI_MODEL_SIDES_H

#include "test/mpi/model/shapes.h"

#include <mpi.h>

/* Pieces by peer, or a single one of all data; and how MPI is told. */
struct side {
    struct piece* pieces;
    int number;
    int *counts, *displacements; /* of elements; of pieces of types of their own, bytes */
    MPI_Datatype* types;
    struct memory memory;
};

/* One behind the other; with gaps between them, and the last one first; likewise, with a type for each. */
enum arrangement { BEHIND, APART, OF_TYPES };

struct side side_new(int number);
/* So many units in each piece. */
void side_place(struct side* side, enum arrangement arrangement, const int* units, int shape_number);
void side_free(struct side* side);

#endif
