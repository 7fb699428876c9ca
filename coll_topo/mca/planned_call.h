/* SPDX-License-Identifier: BSD-3-Clause */
/* What every collective of the component does the same way: find its plan and run it. */
#ifndef COLL_TOPO_MCA_PLANNED_CALL_H
#define COLL_TOPO_MCA_PLANNED_CALL_H

#include "coll_topo/mca/module.h"
#include "coll_topo/mca/pml_transport.h"

/* Chooses a plan from what is equal on all ranks: the decision about the communicator, the packed size of the whole
 * data, the root (0 if there is none) and whether the operation commutes. No plan: the previous module must do it,
 * which is counted. An Open MPI error code. */
int coll_topo_plan_call(struct coll_topo_module* module, struct ompi_communicator_t* communicator, int collective,
                        size_t bytes, int root, int commutative, coll_topo_plan** plan);

/* Runs the plan to its end and counts it; an Open MPI error code. */
int coll_topo_run_call(struct coll_topo_module* module, int collective, coll_topo_plan* plan,
                       struct coll_topo_pml_transport* transport, const coll_topo_buffers* buffers);

#endif
