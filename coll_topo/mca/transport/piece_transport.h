/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of a direct alltoall, or to neighbours, sent from the caller's buffers and received into them, with its
 * datatypes. In place, a piece is copied when it is sent, or before, when the piece that takes its place is to be
 * received. */
#ifndef COLL_TOPO_MCA_PIECE_TRANSPORT_H
#define COLL_TOPO_MCA_PIECE_TRANSPORT_H

#include "coll_topo/mca/transport/packed_message.h"
#include "coll_topo/mca/transport/piece_list.h"
#include "coll_topo/mca/transport/pml_transport.h"

/* Made for one collective call, or for one after the other on the same buffers. */
struct coll_topo_piece_transport {
    struct coll_topo_pml_transport pml; /* first, so that the functions find the rest */
    coll_topo_pieces pieces;
    struct coll_topo_piece_list input;
    struct coll_topo_piece_list output;
    int outputs;   /* pieces */
    bool in_place; /* the input is what lies in the output */
    /* In place, by piece: packed bytes of it that have been posted; the whole piece if it has been copied
     * before that and is not yet sent to its end, else NULL. */
    size_t* posted;
    struct coll_topo_packed_message** copies;
};

/* Bytes of memory that it needs for so many pieces. */
size_t coll_topo_piece_transport_memory(int inputs, int outputs);

/* Uses that memory as long as it lives. No input: in place, with as many pieces as the output. No host memory: NULL. */
void coll_topo_piece_transport_begin(struct coll_topo_piece_transport* transport,
                                     struct ompi_communicator_t* communicator, const struct coll_topo_piece_list* input,
                                     int inputs, const struct coll_topo_piece_list* output, int outputs,
                                     coll_topo_host_memory* host_memory, void* memory);
/* After each collective, even if it failed. */
void coll_topo_piece_transport_end(struct coll_topo_piece_transport* transport);

#endif
