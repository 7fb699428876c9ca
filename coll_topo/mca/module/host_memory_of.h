/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets up messages through memory among the ranks of a communicator that run on the same host. */
#ifndef COLL_TOPO_MCA_HOST_MEMORY_OF_H
#define COLL_TOPO_MCA_HOST_MEMORY_OF_H

#include "coll_topo/host_memory/host_memory.h"

struct ompi_communicator_t;

/* To be called by all ranks of the communicator. `memory` is NULL where a rank is alone on its host, where one on the
 * host has coll_topo_host_memory off, and where the system does not allow it to one of them. An Open MPI error code. */
int coll_topo_host_memory_of(struct ompi_communicator_t* communicator, coll_topo_host_memory** memory);

#endif
