/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the reductions of a communicator must not depend on the order of operands. */
#ifndef COLL_TOPO_MCA_REPRODUCIBLE_H
#define COLL_TOPO_MCA_REPRODUCIBLE_H

#include "coll_topo/mca/compatibility.h"

struct ompi_communicator_t;

/* Makes Open MPI keep the info key coll_topo_reproducible, which is that of the parameter unless it is given to the
 * communicator, now or later. */
void coll_topo_reproducible_listen(struct ompi_communicator_t* communicator);

/* COLL_TOPO_ANY_ORDER ...: what the info key says, COLL_TOPO_REPRODUCIBLE_END if that is no mode; without it, the
 * parameter. */
int coll_topo_reproducible_of(struct ompi_communicator_t* communicator);

/* Says that the info key's value is no mode. */
void coll_topo_reproducible_unknown(struct ompi_communicator_t* communicator);

#endif
