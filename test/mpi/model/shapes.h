/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatypes by number, and what the memory of pieces of them must be. */
#ifndef COLL_TOPO_TEST_MPI_MODEL_SHAPES_H
#define COLL_TOPO_TEST_MPI_MODEL_SHAPES_H

#include "test/mpi/guarded.h"
#include "test/mpi/layouts.h"

/* Each has 1, 2 or 3 units of data, of the size of a map, in an element. From 1 on those of the layouts of that number
 * which have, and any count of which lies apart; then some of its own. */
enum { PLAIN, COLUMN = 7, COLUMN_BELOW, DOWNWARDS, SHAPES };
enum { MOST_UNITS = 6 }; /* a number that 1, 2 and 3 divide */
extern const char* const shape_names[SHAPES + 1];

struct shape {
    struct layout layout;
    bool owns_type;
    size_t unit;    /* bytes */
    size_t padding; /* bytes after the unit of a predefined type, as a compiler has them in a structure: anything */
};

void shapes_open(void);
void shapes_close(void);
/* `columns`: elements that lie side by side, for the shapes whose elements are columns of a matrix. */
struct shape shape_new(int number, int columns);
/* Of a predefined type, one unit in each. */
struct shape shape_predefined(MPI_Datatype type, size_t unit);
void shape_free(struct shape* shape);

/* Elements of one shape one after the other. */
struct piece {
    struct shape shape;
    ptrdiff_t at; /* bytes from the address that MPI gets */
    int count;    /* elements */
};

/* The bytes around its address that the elements of a piece take. */
struct span {
    ptrdiff_t low, high;
};
struct span span_of(const struct piece* piece);

/* The memory of a buffer, all of which is compared with what it must be. */
struct memory {
    struct guarded actual;
    char *expected, *undefined; /* `undefined`: bytes that may be anything */
    char* address;              /* for MPI */
    ptrdiff_t low;
};

/* Room for all pieces, filled with a pattern. */
struct memory memory_new(const struct piece* pieces, int number);
void memory_free(struct memory* memory);
/* Unit `number` of a piece. */
void memory_write(struct memory* memory, const struct piece* piece, int number, const void* unit, bool also_actual);
void memory_permit(struct memory* memory, const struct piece* piece, int number);
/* Whether all is as it must be; else `why`. */
bool memory_check(const struct memory* memory, const char* name, char* why, size_t size);

#endif
