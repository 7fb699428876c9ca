/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages through the memory of the host for runs of which any number are under way: each has tags of its own there
 * too. */
#ifndef COLL_TOPO_MCA_MEMORY_BY_TAG_H
#define COLL_TOPO_MCA_MEMORY_BY_TAG_H

#include "coll_topo/mca/transport/pml_transport.h"

/* Of a transport that uses the memory of the host: from now on with tags. */
void coll_topo_memory_by_tag(struct coll_topo_pml_transport* transport);

/* To and from a peer that is served, as coll_topo_bytes_send. */
int coll_topo_tagged_bytes_send(struct coll_topo_pml_transport* transport, const void* data, size_t bytes, int peer,
                                int lane, void** request);
int coll_topo_tagged_bytes_receive(struct coll_topo_pml_transport* transport, void* data, size_t bytes, int peer,
                                   int lane, void** request);

#endif
