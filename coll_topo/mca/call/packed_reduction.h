/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions of elements that do not lie one behind the other: they run on packed copies. */
#ifndef COLL_TOPO_MCA_PACKED_REDUCTION_H
#define COLL_TOPO_MCA_PACKED_REDUCTION_H

#include "coll_topo/mca/call/reduction_call.h"
#include "coll_topo/mca/transport/unpacking_transport.h"

/* What a plan for the call, or for an allreduce that stands for it (`collective`), runs on: where it finds this rank's
 * operands, to be packed there before it begins, and where it leaves what this rank gets. */
struct coll_topo_packed_reduction {
    coll_topo_buffers buffers;
    struct coll_topo_packed_view operands_view;
    char* operands;
    size_t operands_size; /* packed bytes */
    const char* result;
    size_t result_size; /* packed bytes */
};

/* Bytes of memory that it needs; and with that memory. */
size_t coll_topo_packed_reduction_memory(const struct coll_topo_reduction_call* call, int collective, int ranks);
void coll_topo_packed_reduction_set(struct coll_topo_packed_reduction* packed,
                                    struct coll_topo_unpacking_transport* transport,
                                    struct ompi_communicator_t* communicator,
                                    const struct coll_topo_reduction_call* call, int collective, char* memory);

/* Runs the call by a plan for it, or for an allreduce that stands for it: `collective`. An Open MPI error code. */
int coll_topo_reduce_packed(struct coll_topo_module* module, struct ompi_communicator_t* communicator,
                            const struct coll_topo_reduction_call* call, int collective, coll_topo_plan* plan);

#endif
