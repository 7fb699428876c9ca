/* SPDX-License-Identifier: BSD-3-Clause */
/* Pieces that each rank exchanges with others: with all in the alltoall family, with its neighbours in a Cartesian
 * communicator. Blocking and nonblocking calls have this in common. */
#ifndef COLL_TOPO_MCA_EXCHANGE_H
#define COLL_TOPO_MCA_EXCHANGE_H

#include "coll_topo/mca/call/arguments.h"
#include "coll_topo/mca/module/module.h"
#include "coll_topo/mca/transport/piece_list.h"
#include "coll_topo/mca/transport/pml_transport.h"

/* What a rank sends and receives. */
struct coll_topo_exchange {
    struct coll_topo_piece_list input, output;
    int inputs, outputs; /* pieces, of all ranks or neighbours; of the input one, if it is for all */
    bool in_place;       /* the input is what lies in the output */
    bool equal;          /* all pieces have one size and one type, and lie one behind the other */
};

/* Whether all pieces of such calls are equal: then all ranks know their size. */
bool coll_topo_has_equal_pieces(int collective);

struct coll_topo_exchange coll_topo_exchange_of(struct ompi_communicator_t* communicator, int collective,
                                                const struct coll_topo_arguments* arguments);

/* Equal pieces: packed bytes of all that a rank may get, by which the schedule is chosen. */
size_t coll_topo_exchange_bytes(const struct coll_topo_exchange* exchange);
/* Nothing is to be sent, on any rank. */
bool coll_topo_exchange_is_empty(const struct coll_topo_exchange* exchange);
/* Of equal pieces; the input not in place. */
void coll_topo_exchange_views(const struct coll_topo_exchange* exchange, struct coll_topo_packed_view* input,
                              struct coll_topo_packed_view* output);

/* The buffers to run on, if equal pieces are packed bytes where they lie, and the transport for that; else false. No
 * host memory: NULL. */
bool coll_topo_exchange_where_it_is(struct coll_topo_pml_transport* transport, struct ompi_communicator_t* communicator,
                                    const struct coll_topo_exchange* exchange, coll_topo_host_memory* memory,
                                    coll_topo_buffers* buffers);

/* A blocking call. False: the previous module must do it; else *error is an Open MPI error code. */
bool coll_topo_exchanged(struct coll_topo_module* module, struct ompi_communicator_t* communicator, int collective,
                         const struct coll_topo_arguments* arguments, int* error);

#endif
