/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions of data in a device's memory: operands are copied to memory of the processor, results back, both by Open
 * MPI, which has the device do it. */
#ifndef COLL_TOPO_MCA_DEVICE_OPERANDS_H
#define COLL_TOPO_MCA_DEVICE_OPERANDS_H

#include "coll_topo/mca/call/reduction_call.h"

/* Whether this rank's operands or results are in a device's memory. */
bool coll_topo_reduces_on_device(const struct coll_topo_reduction_call* call);

struct coll_topo_fetched_operands {
    struct coll_topo_reduction_call call; /* the same, on memory of the processor */
    char* memory;
};

/* Takes the memory, for elements that follow each other (not coll_topo_needs_unpacking); it is to be freed by the
 * caller. An Open MPI error code. */
int coll_topo_make_room_for_operands(const struct coll_topo_reduction_call* call,
                                     struct coll_topo_fetched_operands* fetched);
/* Copies the operands. An Open MPI error code. */
int coll_topo_fetch_operands(const struct coll_topo_reduction_call* call,
                             const struct coll_topo_fetched_operands* fetched);
/* Copies the results to where the call wants them, unless there is an error. The error, or that of the copy. */
int coll_topo_return_results(const struct coll_topo_reduction_call* call,
                             const struct coll_topo_fetched_operands* fetched, int error);

#endif
