/* SPDX-License-Identifier: BSD-3-Clause */
/* Pieces that each rank exchanges with others: with all in the alltoall family, with its neighbours in a Cartesian
 * communicator. Blocking and nonblocking calls have this in common. */
#ifndef COLL_TOPO_MCA_EXCHANGE_H
#define COLL_TOPO_MCA_EXCHANGE_H

#include "coll_topo/mca/call/arguments.h"
#include "coll_topo/mca/module/module.h"
#include "coll_topo/mca/transport/piece_list.h"
#include "coll_topo/mca/transport/pml_transport.h"

/* All of it follows from the arguments of a call, of which only what the collective has need be set. */

/* Whether all pieces of such calls are equal: then all ranks know their size. */
bool coll_topo_has_equal_pieces(int collective);
/* Of how many ranks, or neighbours, a rank may get a piece. */
int coll_topo_exchange_partners(struct ompi_communicator_t* communicator, int collective);

/* Equal pieces: packed bytes of all that a rank may get, by which the schedule is chosen. */
size_t coll_topo_exchange_bytes(struct ompi_communicator_t* communicator, int collective,
                                const struct coll_topo_arguments* arguments);
/* Of equal pieces; of the input not in place. */
struct coll_topo_packed_view coll_topo_exchange_input(struct ompi_communicator_t* communicator, int collective,
                                                      const struct coll_topo_arguments* arguments);
struct coll_topo_packed_view coll_topo_exchange_output(struct ompi_communicator_t* communicator, int collective,
                                                       const struct coll_topo_arguments* arguments);
/* The buffers to run on, if equal pieces are packed bytes where they lie, and the transport for that; else false. No
 * host memory: NULL. */
bool coll_topo_exchange_where_it_is(struct coll_topo_pml_transport* transport, struct ompi_communicator_t* communicator,
                                    int collective, const struct coll_topo_arguments* arguments,
                                    coll_topo_host_memory* memory, coll_topo_buffers* buffers);

/* What a rank sends and receives, piece by piece. */
struct coll_topo_exchange {
    struct coll_topo_piece_list input, output;
    int inputs, outputs; /* pieces, of all ranks or neighbours; of the input one, if it is for all */
    bool in_place;       /* the input is what lies in the output */
};
struct coll_topo_exchange coll_topo_exchange_of(struct ompi_communicator_t* communicator, int collective,
                                                const struct coll_topo_arguments* arguments);

/* A blocking call. False: the previous module must do it; else *error is an Open MPI error code. */
bool coll_topo_exchanged(struct coll_topo_module* module, struct ompi_communicator_t* communicator, int collective,
                         const struct coll_topo_arguments* arguments, int* error);

#endif
