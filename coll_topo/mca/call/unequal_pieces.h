/* SPDX-License-Identifier: BSD-3-Clause */
/* What blocking and nonblocking calls of gatherv and scatterv have in common. Only the root knows the sizes of all
 * pieces. The choice does not depend on them; where ranks pass on the pieces of others, cells go ahead in place of the
 * pieces: its size, and the piece, if it is short. For what follows, pieces that were in their cells have no bytes, and
 * without bytes no message is sent. Where no rank passes on pieces, each knows the size of its own, and the plan runs
 * once.
 *
 *     cells by the plan: every rank learns the sizes of what passes through it   ->  pieces by the plan
 *     cells directly  ->  the root answers ranks with long pieces:  all are      ->  sizes, then pieces by the plan
 *                                                                   some are     ->  pieces directly
 */
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
    coll_topo_cells cells;              /* what goes ahead */
    size_t most_short;                  /* the bytes of a piece that goes in its cell, equal on all ranks */
    size_t* begin;                      /* packed bytes before each piece, and of all */
    /* What the root answers: whether all pieces but its own are long. */
    size_t* answer_sizes; /* by rank: 1 where there is one, else 0; of other ranks only this one's own counts */
    char* answers;        /* at the root, one for each rank that gets one */
    char answer;          /* this rank's own; 0 without */
};

static inline bool coll_topo_unequal_gathers(const struct coll_topo_unequal* call) {
    return call->collective == COLL_TOPO_GATHERV;
}

static inline bool coll_topo_unequal_is_root(const struct coll_topo_unequal* call) {
    return call->rank == call->root;
}

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

/* Memory for sizes, begins and cells, and where it is. */
size_t coll_topo_unequal_memory(const struct coll_topo_unequal* call, const coll_topo_plan* plan);
void coll_topo_unequal_use(struct coll_topo_unequal* call, const coll_topo_plan* plan, void* memory);

/* Sizes as this rank knows them before any message; `plan`, that of the pieces, says what must be known then. */
void coll_topo_unequal_set_known_sizes(struct coll_topo_unequal* call, const coll_topo_plan* plan);
/* The cells that this rank has at the start. If they go directly, the room of those that it sends is as long as what is
 * in them: a message may be shorter than its receiver has room for. An Open MPI error code. */
int coll_topo_unequal_fill_cells(struct coll_topo_unequal* call, bool directly);

/* With the sizes known: whether a piece is longer than the memory that it is for. */
bool coll_topo_unequal_is_too_long(const struct coll_topo_unequal* call);
/* Takes short pieces from their cells, if they are wanted: what is left is for the second run. An Open MPI error
 * code. */
int coll_topo_unequal_take_short(struct coll_topo_unequal* call, bool wanted);
/* The bytes that are left. */
size_t coll_topo_unequal_bytes(const struct coll_topo_unequal* call);

/* After cells that came directly, with the short pieces taken: whether this rank gets an answer, or at the root, sends
 * any. Then `buffers` are those with which the plan of answers runs, on a transport of bytes. */
bool coll_topo_unequal_set_answers(struct coll_topo_unequal* call, coll_topo_buffers* buffers);
/* Once they have come: whether the pieces go by the plan, for which the cells are of sizes alone from now on. */
bool coll_topo_unequal_goes_by_plan(struct coll_topo_unequal* call);

/* The transport and the buffers with which pieces move. `instead`: memory for what is too long for the receive
 * buffer, else NULL. No host memory: NULL. */
void coll_topo_unequal_set(struct coll_topo_unequal* call, struct coll_topo_gathered_pieces* transport,
                           coll_topo_host_memory* memory, void* instead, coll_topo_buffers* buffers);

#endif
