/* SPDX-License-Identifier: BSD-3-Clause */
/* A message that is sent from, or received into, packed memory of its own instead of the caller's buffer. */
#ifndef COLL_TOPO_MCA_PACKED_MESSAGE_H
#define COLL_TOPO_MCA_PACKED_MESSAGE_H

#include "coll_topo/mca/transport/packed_view.h"
#include "coll_topo/mca/transport/pml_transport.h"

struct coll_topo_packed_message {
    void* request;
    struct coll_topo_packed_view view; /* of the buffer, if it is received */
    size_t at;                         /* where in the buffer, in packed bytes */
    size_t bytes;
    bool receives;
    char packed[];
};

/* With memory for so many bytes, to be freed by free() or by those below; NULL if there is none. */
struct coll_topo_packed_message* coll_topo_packed_message_new(size_t bytes);

/* Post it: a transport's codes. On success the message belongs to the request, else it is freed. */
int coll_topo_packed_message_send(struct coll_topo_pml_transport* transport, struct coll_topo_packed_message* message,
                                  int peer, int lane, void** request);
int coll_topo_packed_message_receive(struct coll_topo_pml_transport* transport,
                                     struct coll_topo_packed_message* message, const struct coll_topo_packed_view* view,
                                     size_t at, int peer, int lane, void** request);

/* As in coll_topo_transport, for requests of packed messages and for any others of the PML. */
int coll_topo_packed_message_test(coll_topo_transport* transport, void** request);
void coll_topo_packed_message_cancel(coll_topo_transport* transport, void** request);

#endif
