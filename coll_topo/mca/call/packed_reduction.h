/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions of elements that do not lie one behind the other: they run on packed copies. */
#ifndef COLL_TOPO_MCA_PACKED_REDUCTION_H
#define COLL_TOPO_MCA_PACKED_REDUCTION_H

#include "coll_topo/mca/call/reduction_call.h"

/* Runs the call by a plan for it, or for an allreduce that stands for it: `collective`. An Open MPI error code. */
int coll_topo_reduce_packed(struct coll_topo_module* module, struct ompi_communicator_t* communicator,
                            const struct coll_topo_reduction_call* call, int collective, coll_topo_plan* plan);

#endif
