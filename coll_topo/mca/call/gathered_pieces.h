/* SPDX-License-Identifier: BSD-3-Clause */
/* What blocking and nonblocking calls of allgatherv have in common. */
#ifndef COLL_TOPO_MCA_GATHERED_PIECES_H
#define COLL_TOPO_MCA_GATHERED_PIECES_H

#include "coll_topo/mca/transport/piece_list.h"
#include "coll_topo/mca/transport/pml_transport.h"

/* The transport of an allgatherv. Where pieces do not lie one behind the other, in the order of ranks and without gaps,
 * they are written to their places from packed bytes. */
struct coll_topo_gathered_pieces {
    struct coll_topo_pml_transport pml; /* first, so that the functions find the rest */
    struct coll_topo_piece_list pieces;
    const size_t* begin; /* packed bytes before each piece, and of all */
    int ranks;
};

/* Bytes of memory that it needs. */
size_t coll_topo_gathered_pieces_memory(int ranks);

/* Sets it, and the buffers that it runs on, which use that memory as long as the call lasts. No host memory: NULL. */
void coll_topo_gathered_pieces_set(struct coll_topo_gathered_pieces* transport,
                                   struct ompi_communicator_t* communicator, coll_topo_host_memory* host_memory,
                                   const void* send_buffer, coll_topo_count send_count,
                                   struct ompi_datatype_t* send_type, const struct coll_topo_piece_list* pieces,
                                   void* memory, coll_topo_buffers* buffers);

#endif
