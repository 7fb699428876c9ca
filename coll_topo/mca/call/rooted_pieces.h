/* SPDX-License-Identifier: BSD-3-Clause */
/* What blocking and nonblocking calls of gather and scatter have in common. */
#ifndef COLL_TOPO_MCA_ROOTED_PIECES_H
#define COLL_TOPO_MCA_ROOTED_PIECES_H

#include "coll_topo/mca/transport/pml_transport.h"

/* The arguments of a gather or a scatter. Of a gather, those about the receive buffer mean something at the root alone,
 * of a scatter those about the send buffer. */
struct coll_topo_rooted_arguments {
    const void* send_buffer;
    coll_topo_count send_count;
    struct ompi_datatype_t* send_type;
    void* receive_buffer;
    coll_topo_count receive_count;
    struct ompi_datatype_t* receive_type;
    int root;
};

/* Packed bytes of a piece, as this rank knows them from what means something there. */
size_t coll_topo_gather_piece(const struct coll_topo_rooted_arguments* arguments,
                              struct ompi_communicator_t* communicator);
size_t coll_topo_scatter_piece(const struct coll_topo_rooted_arguments* arguments,
                               struct ompi_communicator_t* communicator);

/* Unpacks the root's own piece of a scatter, which stays where it is. */
int coll_topo_leave_in_place(coll_topo_transport* transport, const void* packed, size_t at, size_t bytes);

/* The transport, and the buffers that it runs on. No host memory: NULL. */
void coll_topo_gather_set(struct coll_topo_pml_transport* transport, struct ompi_communicator_t* communicator,
                          coll_topo_host_memory* memory, const struct coll_topo_rooted_arguments* arguments,
                          coll_topo_buffers* buffers);
void coll_topo_scatter_set(struct coll_topo_pml_transport* transport, struct ompi_communicator_t* communicator,
                           coll_topo_host_memory* memory, const struct coll_topo_rooted_arguments* arguments,
                           coll_topo_buffers* buffers);

#endif
