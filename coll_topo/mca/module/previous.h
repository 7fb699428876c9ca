/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of the modules that would do the work without this one. */
#ifndef COLL_TOPO_MCA_PREVIOUS_H
#define COLL_TOPO_MCA_PREVIOUS_H

#include "coll_topo/mca/module/module.h"

/* The collectives that the component tuned would do, by its own fixed decisions: a bit for each, 1 <<
 * COLL_TOPO_ALLREDUCE and so on. The same on all ranks, as Open MPI itself relies on: its modules cannot work with
 * others. */
unsigned coll_topo_served_by_tuned(const struct coll_topo_module* module, struct ompi_communicator_t* communicator);

/* The name of the component whose module does the calls of a collective that are passed on; "" if it is not known. */
const char* coll_topo_previous_component(const struct coll_topo_module* module,
                                         struct ompi_communicator_t* communicator, int collective);
/* The same of the calls of a form: COLL_TOPO_NONBLOCKING or COLL_TOPO_PERSISTENT. */
const char* coll_topo_previous_component_of_requests(const struct coll_topo_module* module,
                                                     struct ompi_communicator_t* communicator, int form,
                                                     int collective);

#endif
