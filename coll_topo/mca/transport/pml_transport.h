/* SPDX-License-Identifier: BSD-3-Clause */
/* The executor's transport over Open MPI's point-to-point layer (PML). */
#ifndef COLL_TOPO_MCA_PML_TRANSPORT_H
#define COLL_TOPO_MCA_PML_TRANSPORT_H

#include "coll_topo/engine/engine.h"
#include "coll_topo/host_memory/host_memory.h"
#include "coll_topo/mca/compatibility.h"
#include "coll_topo/mca/transport/packed_view.h"

/* Addresses of elements in memory of the component are multiples of it: those of the caller may be. */
enum { COLL_TOPO_ELEMENT_ALIGNMENT = 16 };

/* Made for one collective call. */
struct coll_topo_pml_transport {
    coll_topo_transport base; /* first, so that the functions find the rest */
    struct ompi_communicator_t* communicator;
    struct ompi_datatype_t* datatype;          /* of an element */
    struct ompi_op_t* operation;               /* of reducing collectives */
    int error;                                 /* the first Open MPI error */
    int first_tag;                             /* lane k sends with tag first_tag - k */
    coll_topo_host_memory* memory;             /* see coll_topo_use_host_memory */
    bool by_tag;                               /* where there is memory: see coll_topo_memory_by_tag */
    unsigned memory_messages;                  /* with tags: sent through it */
    unsigned vain_looks;                       /* without tags: in a row, for messages there */
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

/* As many tags as a schedule may have lanes, of those that Open MPI keeps for nonblocking calls: the first one. To be
 * called by all ranks in the order of their collective calls. */
int coll_topo_reserve_tags(struct ompi_communicator_t* communicator);

/* Lets a transport be used by a run of so many lanes that waits: with tags of its own if those that are fixed do not
 * suffice. To be called by all ranks. */
void coll_topo_pml_transport_for_lanes(struct coll_topo_pml_transport* transport, int lanes);

/* Lets a transport be used by a run that does not wait: with tags of its own, as other runs may be under way. */
void coll_topo_pml_transport_detach(struct coll_topo_pml_transport* transport, int first_tag);

/* Where the packed bytes of a view lie as they are sent and received; NULL if they must be packed. A device's memory
 * serves unless messages go through that of the host; copies within the buffers are then Open MPI's. */
char* coll_topo_pml_bytes_of(struct coll_topo_pml_transport* transport, const struct coll_topo_packed_view* view);

/* What the functions of these transports are made of, for others. Elements of a datatype to or from a peer: */
int coll_topo_pml_send(struct coll_topo_pml_transport* transport, const void* data, size_t elements,
                       struct ompi_datatype_t* datatype, int peer, int lane, void** request);
int coll_topo_pml_receive(struct coll_topo_pml_transport* transport, void* data, size_t elements,
                          struct ompi_datatype_t* datatype, int peer, int lane, void** request);
/* As in coll_topo_transport. The second lowest bit of a request is 0, for others to use. */
int coll_topo_pml_test(coll_topo_transport* transport, void** request);
void coll_topo_pml_cancel(coll_topo_transport* transport, void** request);
/* Of a request that is not done, what `test` returns: 0, or a failure if the communicator has failed: then it has been
 * cancelled, as its peer may have left the collective. */
typedef void coll_topo_canceller(coll_topo_transport* transport, void** request);
int coll_topo_given_up(coll_topo_transport* transport, void** request, coll_topo_canceller* cancel);
/* Remembers the first Open MPI error; COLL_TOPO_OK or COLL_TOPO_FAILED. */
int coll_topo_pml_note(coll_topo_transport* transport, int error);

#endif
