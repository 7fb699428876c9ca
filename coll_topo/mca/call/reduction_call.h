/* SPDX-License-Identifier: BSD-3-Clause */
/* What the reducing collectives have in common: from the call to the plan, and to the buffers that it runs on. */
#ifndef COLL_TOPO_MCA_REDUCTION_CALL_H
#define COLL_TOPO_MCA_REDUCTION_CALL_H

#include "coll_topo/mca/module/module.h"

#include <stdbool.h>
#include <stddef.h>

struct coll_topo_reduction_call {
    int collective;
    const void* send_buffer; /* of the whole vector, or MPI_IN_PLACE */
    void* receive_buffer;
    size_t elements;                       /* of the whole vector */
    size_t own_begin, own_end;             /* the part of the result that this rank gets, elements */
    coll_topo_piece_counts piece_elements; /* reduce_scatter: of all ranks if they differ, else none */
    int root;                              /* of reduce, else 0 */
    struct ompi_datatype_t* datatype;
    struct ompi_op_t* operation;
};

/* Each rank gets a piece of the result. */
static inline bool coll_topo_scatters(int collective) {
    return collective == COLL_TOPO_REDUCE_SCATTER || collective == COLL_TOPO_REDUCE_SCATTER_BLOCK;
}

/* Each rank gets what it, or the ranks before it, contribute; of an exscan, rank 0 gets nothing. */
static inline bool coll_topo_is_prefix(int collective) {
    return collective == COLL_TOPO_SCAN || collective == COLL_TOPO_EXSCAN;
}

/* This rank's operands, where they are before the call. */
const void* coll_topo_operands_of(const struct coll_topo_reduction_call* call);

/* Where a plan runs that is of the call's collective, or of an allreduce that stands for it. False: `output` is still
 * to be set, to memory for the whole vector. */
bool coll_topo_reduction_buffers(const struct coll_topo_reduction_call* call, int collective,
                                 const coll_topo_plan* plan, coll_topo_buffers* buffers);

/* Runs the call, as coll_topo_reproducible wants it, or sets *passed_on: then the previous module must do it. An Open
 * MPI error code. */
int coll_topo_reduce_by_plan(struct coll_topo_module* module, struct ompi_communicator_t* communicator,
                             const struct coll_topo_reduction_call* call, bool* passed_on);

#endif
