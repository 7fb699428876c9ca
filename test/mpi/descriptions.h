/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ways to describe the same data: 32-bit numbers as elements of datatypes of all shapes. MPI asks only for equal type
 * signatures, so each rank may send and receive with a count and a datatype of its own.
 */
#ifndef COLL_TOPO_TEST_MPI_DESCRIPTIONS_H
#define COLL_TOPO_TEST_MPI_DESCRIPTIONS_H

#include "test/mpi/counters.h"
#include "test/mpi/guarded.h"

#include <mpi.h>
#include <stddef.h>

/* Numbers of a piece are a multiple of UNIT, so that every description divides it. Elements of the first
 * WITHIN_DESCRIPTIONS keep to [0, extent) from their address. */
enum { UNIT = 12, WITHIN_DESCRIPTIONS = 6, DESCRIPTIONS = 10 };

struct description {
    const char* name;
    MPI_Datatype type;
    int numbers; /* in one element */
    ptrdiff_t extent;
    ptrdiff_t offsets[UNIT];  /* of each number from the address of the element */
    ptrdiff_t before, beyond; /* bytes that an element may reach before its address, and beyond its extent */
};

/* Makes and commits all of them. */
void descriptions_new(struct description table[DESCRIPTIONS]);
void descriptions_free(struct description table[DESCRIPTIONS]);

/* Writes numbers [first, first + count) of an endless row of random numbers as the description lays them out. */
void write_numbers(const struct description* description, char* target, long long first, long long count);

/* Room for so many numbers, of a description that keeps within its extent. */
struct guarded memory_for(const struct description* description, long long numbers);

/* Checks that a buffer is byte for byte what it should be, gaps included, and frees both. */
void check_memory(struct guarded* actual, struct guarded* expected, enum collective collective, const char* which,
                  const char* text);

#endif
