/* SPDX-License-Identifier: BSD-3-Clause */
/* The predefined datatypes that have reductions, and how values of the tests are stored in them. */
#ifndef COLL_TOPO_TEST_MPI_ELEMENTS_H
#define COLL_TOPO_TEST_MPI_ELEMENTS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* The groups of types of which the MPI standard says which operations they have. */
enum element_class {
    C_INTEGER,
    FORTRAN_INTEGER,
    ADDRESS_INTEGER, /* MPI_AINT, MPI_OFFSET, MPI_COUNT */
    FLOATING,
    COMPLEX,
    LOGICAL,
    BYTE,
    PAIR
};

/* One number in memory: integers by size and sign, floating numbers by size. */
struct scalar {
    bool floating, is_signed;
    size_t size;
};

struct element {
    const char* name;
    MPI_Datatype type;
    enum element_class class;
    struct scalar first;  /* value, or real part */
    struct scalar second; /* index, or imaginary part; size 0: none */
    size_t second_offset;
    size_t extent;
};

/* A value of a test: a small whole number, or two, so that every type holds it exactly. */
struct value {
    long long first, second;
};

/* All types this MPI has, with what is known about them filled in; static. */
const struct element* elements(int* number);

void element_store(const struct element* element, void* target, struct value value);
/* Sets the bits of `mask`, of the element's extent, that belong to its value; the others lie between its members. */
void element_mask(const struct element* element, unsigned char* mask);
/* Whether the element holds that value; 0 and -0 are equal. */
bool element_equals(const struct element* element, const void* source, struct value value);

#endif
