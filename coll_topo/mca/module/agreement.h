/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether all ranks of a communicator can use the component, alike on all of them. */
#ifndef COLL_TOPO_MCA_AGREEMENT_H
#define COLL_TOPO_MCA_AGREEMENT_H

#include "coll_topo/mca/module/module.h"

/* Takes the decision for the module's communicator and prepares its plans. Called in the first collective, because a
 * communicator must not be planned for before it is used. Out of memory leaves it undecided: an Open MPI error code. */
int coll_topo_decide(struct coll_topo_module* module, struct ompi_communicator_t* communicator);

#endif
