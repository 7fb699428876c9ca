/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages to and from ranks of the same host that go through memory instead of Open MPI's point-to-point layer. */
#ifndef COLL_TOPO_MCA_MEMORY_TRANSPORT_H
#define COLL_TOPO_MCA_MEMORY_TRANSPORT_H

#include "coll_topo/mca/transport/pml_transport.h"

/* Lets a transport use the memory of the host, if there is any (not NULL): for packed bytes, and for elements without
 * gaps that Open MPI's own operations combine. Their types are the same on all ranks. */
void coll_topo_use_host_memory(struct coll_topo_pml_transport* transport, coll_topo_host_memory* memory);

#endif
