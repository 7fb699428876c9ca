/* SPDX-License-Identifier: BSD-3-Clause */
/* What blocking and nonblocking calls of allgatherv have in common, also with gatherv and scatterv. */
#ifndef COLL_TOPO_MCA_GATHERED_PIECES_H
#define COLL_TOPO_MCA_GATHERED_PIECES_H

#include "coll_topo/mca/transport/piece_list.h"
#include "coll_topo/mca/transport/pml_transport.h"

/* The transport of an allgatherv, or of the root of a gatherv or scatterv. Where pieces do not lie one behind the
 * other, in the order of ranks and without gaps, they are written to their places from packed bytes. */
struct coll_topo_gathered_pieces {
    struct coll_topo_pml_transport pml; /* first, so that the functions find the rest */
    struct coll_topo_piece_list pieces;
    const size_t* begin; /* packed bytes before each piece, and of all */
    int ranks;
};

/* Packed bytes [at, at + bytes) of all pieces from the caller's buffer, and to there; as in coll_topo_transport. */
int coll_topo_pieces_pack(coll_topo_transport* base, void* packed, size_t at, size_t bytes);
int coll_topo_pieces_unpack(coll_topo_transport* base, const void* packed, size_t at, size_t bytes);

/* The first element of all, if pieces lie one behind the other in the order of ranks, else NULL. */
char* coll_topo_pieces_in_a_row(const struct coll_topo_gathered_pieces* transport);

/* Bytes of memory that it needs. */
size_t coll_topo_gathered_pieces_memory(int ranks);

/* Sets it, and the buffers that it runs on, which use that memory as long as the call lasts. No host memory: NULL. */
void coll_topo_gathered_pieces_set(struct coll_topo_gathered_pieces* transport,
                                   struct ompi_communicator_t* communicator, coll_topo_host_memory* host_memory,
                                   const void* send_buffer, coll_topo_count send_count,
                                   struct ompi_datatype_t* send_type, const struct coll_topo_piece_list* pieces,
                                   void* memory, coll_topo_buffers* buffers);

#endif
