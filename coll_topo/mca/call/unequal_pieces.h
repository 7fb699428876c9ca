/* SPDX-License-Identifier: BSD-3-Clause */
/* What blocking and nonblocking calls of gatherv and scatterv have in common. Only the root knows the sizes of all
 * pieces. The choice does not depend on them; where ranks pass on the pieces of others, the plan runs twice, first with
 * the sizes in place of the pieces, so that every rank learns those of the pieces that pass through it. Where no rank
 * does, each knows the size of its own. */
#ifndef COLL_TOPO_MCA_UNEQUAL_PIECES_H
#define COLL_TOPO_MCA_UNEQUAL_PIECES_H

#include "coll_topo/mca/call/gathered_pieces.h"

/* One call as this rank sees it. */
struct coll_topo_unequal {
    struct ompi_communicator_t* communicator;
    int collective, root, rank, ranks;
    struct coll_topo_piece_list pieces; /* at the root */
    struct coll_topo_piece own;         /* to send, or to receive into */
    bool in_place;                      /* the root's own piece is among `pieces` */
    size_t* sizes;                      /* by rank: packed bytes; of a piece that does not pass here, 0 */
    size_t* begin;                      /* packed bytes before each piece, and of all */
};

/* From the arguments, but for `sizes` and `begin`. */
void coll_topo_unequal_set_gatherv(struct coll_topo_unequal* call, struct ompi_communicator_t* communicator,
                                   const void* send_buffer, coll_topo_count send_count,
                                   struct ompi_datatype_t* send_type, void* receive_buffer,
                                   coll_topo_counts receive_counts, coll_topo_displacements displacements,
                                   struct ompi_datatype_t* receive_type, int root);
void coll_topo_unequal_set_scatterv(struct coll_topo_unequal* call, struct ompi_communicator_t* communicator,
                                    const void* send_buffer, coll_topo_counts send_counts,
                                    coll_topo_displacements displacements, struct ompi_datatype_t* send_type,
                                    void* receive_buffer, coll_topo_count receive_count,
                                    struct ompi_datatype_t* receive_type, int root);

/* Memory for sizes and begins, and where it is. */
size_t coll_topo_unequal_memory(int ranks);
void coll_topo_unequal_use(struct coll_topo_unequal* call, void* memory);

/* Sizes as this rank knows them before any message; `plan` says what must be known then. */
void coll_topo_unequal_set_known_sizes(struct coll_topo_unequal* call, const coll_topo_plan* plan);

/* With the sizes known: whether a piece is longer than the memory that it is for, and the bytes of all. */
bool coll_topo_unequal_is_too_long(const struct coll_topo_unequal* call);
size_t coll_topo_unequal_bytes(const struct coll_topo_unequal* call);

/* The transport and the buffers with which the plan runs. `instead`: memory for what is too long for the receive
 * buffer, else NULL. No host memory: NULL. */
void coll_topo_unequal_set(struct coll_topo_unequal* call, struct coll_topo_gathered_pieces* transport,
                           coll_topo_host_memory* memory, void* instead, coll_topo_buffers* buffers);

#endif
