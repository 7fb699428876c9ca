/* SPDX-License-Identifier: BSD-3-Clause */
/* What blocking and nonblocking calls that only move data have in common. */
#ifndef COLL_TOPO_MCA_DATA_MOVEMENT_H
#define COLL_TOPO_MCA_DATA_MOVEMENT_H

#include "coll_topo/mca/transport/pml_transport.h"

/* The transport of an allgather, and the buffers that it runs on. No host memory: NULL. */
void coll_topo_allgather_set(struct coll_topo_pml_transport* transport, struct ompi_communicator_t* communicator,
                             coll_topo_host_memory* memory, const void* send_buffer, coll_topo_count send_count,
                             struct ompi_datatype_t* send_type, void* receive_buffer, coll_topo_count receive_count,
                             struct ompi_datatype_t* receive_type, coll_topo_buffers* buffers);

#endif
