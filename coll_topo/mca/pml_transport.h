/* SPDX-License-Identifier: BSD-3-Clause */
/* The executor's transport over Open MPI's point-to-point layer (PML). */
#ifndef COLL_TOPO_MCA_PML_TRANSPORT_H
#define COLL_TOPO_MCA_PML_TRANSPORT_H

#include "coll_topo/engine/engine.h"
#include "coll_topo/mca/compatibility.h"
#include "coll_topo/mca/packed_view.h"

/* Made for one collective call, on its stack. */
struct coll_topo_pml_transport {
    coll_topo_transport base; /* first, so that the functions find the rest */
    struct ompi_communicator_t* communicator;
    struct ompi_datatype_t* datatype;          /* of an element */
    struct ompi_op_t* operation;               /* of reducing collectives */
    int error;                                 /* the first Open MPI error */
    struct coll_topo_packed_view send_view;    /* of allgather: this rank's piece */
    struct coll_topo_packed_view receive_view; /* of allgather: all pieces */
};

/* For elements of a datatype that are reduced. */
void coll_topo_pml_transport_typed(struct coll_topo_pml_transport* transport, struct ompi_communicator_t* communicator,
                                   struct ompi_datatype_t* datatype, struct ompi_op_t* operation);

/* For packed bytes where they lie. */
void coll_topo_pml_transport_bytes(struct coll_topo_pml_transport* transport, struct ompi_communicator_t* communicator);

/* For packed bytes copied out of and into typed buffers; the views are to be set by the caller. */
void coll_topo_pml_transport_packed(struct coll_topo_pml_transport* transport,
                                    struct ompi_communicator_t* communicator);

#endif
