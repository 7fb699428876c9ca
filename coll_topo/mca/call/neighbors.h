/* SPDX-License-Identifier: BSD-3-Clause */
/* What blocking and nonblocking calls to the neighbours of a Cartesian communicator have in common. */
#ifndef COLL_TOPO_MCA_CALL_NEIGHBORS_H
#define COLL_TOPO_MCA_CALL_NEIGHBORS_H

#include "coll_topo/mca/transport/piece_list.h"
#include "coll_topo/mca/transport/pml_transport.h"

/* What a rank sends to its neighbours and receives from them. */
struct coll_topo_neighbor_pieces {
    struct coll_topo_piece_list input, output;
    int inputs, outputs; /* pieces: of the input one, if it is for all */
    bool equal;          /* all pieces have one size and one type, and lie one behind the other */
};

/* Equal pieces, or one for all neighbours. */
struct coll_topo_neighbor_pieces coll_topo_equal_neighbor_pieces(struct ompi_communicator_t* communicator,
                                                                 bool one_for_all, const void* send_buffer,
                                                                 coll_topo_count send_count,
                                                                 struct ompi_datatype_t* send_type,
                                                                 void* receive_buffer, coll_topo_count receive_count,
                                                                 struct ompi_datatype_t* receive_type);

/* Pieces of sizes of their own. */
struct coll_topo_neighbor_pieces coll_topo_unequal_neighbor_pieces(struct ompi_communicator_t* communicator,
                                                                   const struct coll_topo_piece_list* input,
                                                                   bool one_for_all,
                                                                   const struct coll_topo_piece_list* output);

/* Packed bytes of what a rank may get from all neighbours, by which the schedule is chosen. */
size_t coll_topo_neighbor_bytes(const struct coll_topo_neighbor_pieces* pieces);

/* The buffers to run on, if equal pieces are packed bytes where they lie, and the transport for that; else false, and
 * it must be a piece transport. No host memory: NULL. */
bool coll_topo_neighbor_bytes_set(struct coll_topo_pml_transport* transport, struct ompi_communicator_t* communicator,
                                  const struct coll_topo_neighbor_pieces* pieces, coll_topo_host_memory* memory,
                                  coll_topo_buffers* buffers);

#endif
