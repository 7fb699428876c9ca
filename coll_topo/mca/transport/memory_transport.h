/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages to and from ranks of the same host that go through memory instead of Open MPI's point-to-point layer. */
#ifndef COLL_TOPO_MCA_MEMORY_TRANSPORT_H
#define COLL_TOPO_MCA_MEMORY_TRANSPORT_H

#include "coll_topo/mca/transport/pml_transport.h"

/* Lets a transport use the memory of the host, if there is any (not NULL): for packed bytes, and for elements without
 * gaps that Open MPI's own operations combine. Their types are the same on all ranks. */
void coll_topo_use_host_memory(struct coll_topo_pml_transport* transport, coll_topo_host_memory* memory);

/* Whether messages to and from a rank go through memory: both see it alike. */
bool coll_topo_goes_through_memory(const struct coll_topo_pml_transport* transport, int peer);

/* Messages of bytes that go whichever way there is to their peer, for others to use; as in coll_topo_transport. */
int coll_topo_bytes_send(struct coll_topo_pml_transport* transport, const void* data, size_t bytes, int peer, int lane,
                         void** request);
int coll_topo_bytes_receive(struct coll_topo_pml_transport* transport, void* data, size_t bytes, int peer, int lane,
                            void** request);
int coll_topo_bytes_test(coll_topo_transport* transport, void** request);
void coll_topo_bytes_cancel(coll_topo_transport* transport, void** request);
/* coll_topo_bytes_test of a transport that has no tags in memory. */
int coll_topo_memory_test(coll_topo_transport* transport, void** request);

/* A request of the host's memory with the mark by which it is known, and without. */
void* coll_topo_memory_request(const void* request);
void* coll_topo_of_memory_request(const void* request);

#endif
