/* SPDX-License-Identifier: BSD-3-Clause */
/* The predefined operations, and inputs for which every order of the operands gives the same result exactly. */
#ifndef COLL_TOPO_TEST_MPI_OPERATIONS_H
#define COLL_TOPO_TEST_MPI_OPERATIONS_H

#include "test/mpi/elements.h"

struct operation {
    const char* name;
    MPI_Op op;
    unsigned classes; /* bit 1 << element_class for each group of types that it is defined for */
};

/* Sums of 8-bit integers overflow with more ranks. */
enum { MOST_RANKS = 60 };

const struct operation* operations(int* number);

/* What `rank` of `ranks` contributes at position i. */
struct value operation_input(const struct operation* operation, const struct element* element, int rank, int ranks,
                             long long i);
/* What ranks [0, end) of `ranks` together give at position i, one at least. */
struct value operation_result(const struct operation* operation, const struct element* element, int end, int ranks,
                              long long i);

#endif
