/* SPDX-License-Identifier: BSD-3-Clause */
/* What every collective of the component does the same way: find its plan and run it. */
#ifndef COLL_TOPO_MCA_PLANNED_CALL_H
#define COLL_TOPO_MCA_PLANNED_CALL_H

#include "coll_topo/mca/module/module.h"
#include "coll_topo/mca/transport/pml_transport.h"

/* Chooses a plan from what is equal on all ranks: the decision about the communicator, the packed size of the whole
 * data, the root (0 if there is none) and whether the operation commutes. No plan: the previous module must do it,
 * which is counted. An Open MPI error code. */
int coll_topo_plan_call(struct coll_topo_module* module, struct ompi_communicator_t* communicator, int collective,
                        size_t bytes, int root, int commutative, coll_topo_plan** plan);

/* Makes the decision about the communicator if that has not been done. An Open MPI error code. */
int coll_topo_decided(struct coll_topo_module* module, struct ompi_communicator_t* communicator);

/* As coll_topo_plan_call, where the decision has been made; nothing is counted. `choose` is that of the
 * module or coll_topo_choose_fixed_order. */
int coll_topo_plan_by(coll_topo_chooser* choose, struct coll_topo_module* module,
                      struct ompi_communicator_t* communicator, int collective, size_t bytes, int root, int commutative,
                      coll_topo_plan** plan);

/* Open MPI's word for a failure of the core. */
int coll_topo_error_of(int core_error);

/* The same of a run: what the transport has met says more. */
int coll_topo_error_of_run(int core_error, const struct coll_topo_pml_transport* transport);

/* Counts a call that the core has run, and makes an Open MPI error code of its own. */
int coll_topo_ran(int collective, int core_error, const struct coll_topo_pml_transport* transport);

/* Runs the plan to its end and counts it; an Open MPI error code. */
int coll_topo_run_call(struct coll_topo_module* module, int collective, coll_topo_plan* plan,
                       struct coll_topo_pml_transport* transport, const coll_topo_buffers* buffers);

#endif
