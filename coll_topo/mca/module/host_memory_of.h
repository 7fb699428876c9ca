/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets up messages through memory among the ranks of a communicator that run on the same host. */
#ifndef COLL_TOPO_MCA_HOST_MEMORY_OF_H
#define COLL_TOPO_MCA_HOST_MEMORY_OF_H

#include "coll_topo/host_memory/host_memory.h"

struct ompi_communicator_t;
struct coll_topo_connecting;

/* To be called by all ranks of the communicator. `memory` is NULL where a rank is alone on its host, where one on the
 * host has coll_topo_host_memory off, and where the system does not allow it to one of them. An Open MPI error code. */
int coll_topo_host_memory_of(struct ompi_communicator_t* communicator, coll_topo_host_memory** memory);

/* The same, while the caller does other things. NULL: no memory. */
struct coll_topo_connecting* coll_topo_connect_begin(struct ompi_communicator_t* communicator);
/* Goes on as far as messages that have arrived allow. True once it has ended: then there is a result, or an Open MPI
 * error code, and what it was done with is gone. */
bool coll_topo_connect_advance(struct coll_topo_connecting* all, coll_topo_host_memory** memory, int* error);

#endif
