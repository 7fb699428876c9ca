/* SPDX-License-Identifier: BSD-3-Clause */
/* One case of collective_matrix: an operation on a type and a size, and what must come out. */
#ifndef COLL_TOPO_TEST_MPI_MATRIX_CASE_H
#define COLL_TOPO_TEST_MPI_MATRIX_CASE_H

#include "test/mpi/counters.h"
#include "test/mpi/guarded.h"
#include "test/mpi/operations.h"

/* Inputs repeat with this period, a prime, which coincides with no cut of the vector. */
enum { PERIOD = 1009, LARGEST_EXTENT = 32 };

/* A vector of that period, as values and as elements in memory. */
struct periodic {
    struct value values[PERIOD];
    char memory[PERIOD * LARGEST_EXTENT];
};

struct pair {
    const struct operation* operation; /* NULL: no reduction */
    const struct element* element;
    struct periodic input;               /* of this rank; where nothing is reduced, of all */
    struct periodic result;              /* of all ranks */
    struct periodic through_own, before; /* of the ranks up to this one, and of those before it */
};

struct size_case {
    int count;
    bool in_place;
    int first_root, roots; /* of collectives that have one: this many from the first on */
    char text[160];
};

/* Keeps what has to be computed for the largest size in bounds: there the whole vector has that size. */
int piece_size(const struct size_case* size);

/* DUTY_COMPONENT where there is something to do. */
enum duty duty_for(long long elements);

/* Writes the vector's elements into its memory. */
void store_period(const struct element* element, struct periodic* vector);
/* Writes elements [first, first + count) of the input. */
void fill(const struct pair* pair, char* target, long long first, long long count);
/* Checks that `count` elements from `at` on are those of the expected vector from `first` on. */
void check_values(const struct pair* pair, const struct periodic* expected, const char* at, long long first,
                  long long count, enum collective collective, const char* where, const struct size_case* size);
/* Checks that nothing was written around the buffer, and frees it. */
void check_guards(struct guarded* buffer, enum collective collective, const char* where, const struct size_case* size);

/* Run and check the collectives that reduce, and those that do not. */
void test_reductions(const struct pair* pair, const struct size_case* size);
void test_data_movement(const struct pair* pair, const struct size_case* size);
/* One of those that reduce. */
void test_allreduce(const struct pair* pair, const struct size_case* size);

#endif
