/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of a direct alltoall that go straight from the caller's buffers, and into them, with its datatypes. */
#ifndef COLL_TOPO_MCA_PIECE_TRANSPORT_H
#define COLL_TOPO_MCA_PIECE_TRANSPORT_H

#include "coll_topo/mca/piece_list.h"
#include "coll_topo/mca/pml_transport.h"

/* Made for one collective call, on its stack. */
struct coll_topo_piece_transport {
    struct coll_topo_pml_transport pml; /* first, so that the functions find the rest */
    coll_topo_pieces pieces;
    struct coll_topo_piece_list input;
    struct coll_topo_piece_list output;
    char* packed_input; /* in place: a packed copy of what lies where `output` is received; else NULL */
};

/* Bytes of memory that it needs, which depend on `input` and `output`. No input: in place. */
size_t coll_topo_piece_transport_memory(const struct coll_topo_piece_list* output, bool in_place, int ranks);

/* Uses that memory as long as it lives. In place, `output` is copied there now; an Open MPI error code. */
int coll_topo_piece_transport_set(struct coll_topo_piece_transport* transport, struct ompi_communicator_t* communicator,
                                  const struct coll_topo_piece_list* input, const struct coll_topo_piece_list* output,
                                  void* memory);

#endif
