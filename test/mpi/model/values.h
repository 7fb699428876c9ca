/* SPDX-License-Identifier: BSD-3-Clause */
/* The data of calls, and what operations make of them, exactly: the model that results are compared with. */
#ifndef COLL_TOPO_TEST_MPI_MODEL_VALUES_H
#define COLL_TOPO_TEST_MPI_MODEL_VALUES_H

#include "test/mpi/model/call.h"
#include "test/mpi/model/shapes.h"

/* The first two are the user's, on any type; the others have a predefined type of their own. */
enum operation_number {
    ADD_MAPS,
    COMPOSE_MAPS,
    SUM_UINT32,
    PROD_UINT16,
    BXOR_BYTE,
    MAX_INT64,
    LAND_INT,
    MAXLOC_2INT,
    MINLOC_DOUBLE_INT,
    MIN_DOUBLE,
    SUM_FLOAT,
    SUM_DOUBLE,
    OPERATIONS
};
extern const char* const operation_names[OPERATIONS + 1];
enum { LARGEST_UNIT = 16 };

void operations_open(void);
void operations_close(void);
MPI_Op operation_handle(int operation);
/* The type of elements; for `columns` see shape_new(). */
struct shape operation_shape(const struct call* call, int columns);
/* What the user's functions must be called with from now on. */
void operations_expect(const struct shape* shape);
/* Whether they were, since then. */
bool operations_called_right(void);

/* Unit `number` of what `rank` contributes to a reduction. */
void value_operand(const struct call* call, int rank, int number, void* unit);
/* That of the result, of operands of ranks [0, ranks) in this order. */
void value_result(const struct call* call, int ranks, int number, void* unit);
/* Of what one rank sends to another. */
void value_moved(const struct call* call, int from, int to, int number, void* unit);

#endif
