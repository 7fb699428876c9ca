/* SPDX-License-Identifier: BSD-3-Clause */
/* A nonblocking call: its request, as Open MPI's own nonblocking collectives have one, and the run of its schedule. */
#ifndef COLL_TOPO_MCA_REQUEST_H
#define COLL_TOPO_MCA_REQUEST_H

#include "coll_topo/mca/call/data_movement.h"
#include "coll_topo/mca/call/device_operands.h"
#include "coll_topo/mca/call/gathered_pieces.h"
#include "coll_topo/mca/nonblocking/nonblocking.h"
#include "coll_topo/mca/transport/piece_transport.h"
#include "coll_topo/mca/transport/unpacking_transport.h"

#include "ompi/mca/coll/base/coll_base_util.h"

/* What the program has given; which of them there are depends on the collective. */
struct coll_topo_arguments {
    const void* send_buffer;
    void* receive_buffer; /* of bcast: the buffer */
    coll_topo_count send_count, receive_count;
    coll_topo_counts send_counts, receive_counts;
    coll_topo_displacements send_displacements, receive_displacements;
    struct ompi_datatype_t *send_type, *receive_type;
    struct ompi_datatype_t *const *send_types, *const *receive_types;
    struct ompi_op_t* operation;
    int root;
};

struct coll_topo_request {
    ompi_coll_base_nbc_request_t super; /* first */
    struct coll_topo_request* next;     /* in the list that it is in */
    struct coll_topo_nonblocking* state;
    struct ompi_communicator_t* communicator; /* retained until the request is freed */
    int collective;
    struct coll_topo_arguments arguments;
    coll_topo_execution* execution;
    bool runs;                 /* its schedule */
    ompi_request_t* passed_on; /* the previous module's, if it does a call that has waited for the agreement */
    union {
        struct coll_topo_pml_transport pml;
        struct coll_topo_unpacking_transport unpacking;
        struct coll_topo_piece_transport pieces;
        struct coll_topo_gathered_pieces gathered;
    } transport;
    /* What is left to do once the schedule has run to its end, or failed: an Open MPI error code, that of the run
     * unless there is another. NULL: nothing. */
    int (*finish)(struct coll_topo_request* request, int error);
    struct coll_topo_reduction_call reduction; /* of reductions; on a device's data, its own operands in memory */
    struct coll_topo_fetched_operands fetched;
    struct coll_topo_packed_view result_view; /* of results that are unpacked, or copied, by `finish` */
    const char* result;
    size_t result_size;    /* packed bytes, or elements */
    unsigned char nothing; /* what a barrier combines */
};

/* For a call to this communicator; NULL if there is no memory. To be given to one of the following. */
struct coll_topo_request* coll_topo_request_take(struct coll_topo_nonblocking* state, int collective);
/* It is not needed after all. */
void coll_topo_request_return(struct coll_topo_request* call);

/* All in a list. */
void coll_topo_requests_destroy(struct coll_topo_request* first);

/* Begins the schedule of a call, or has it wait until ranks have agreed, or has the previous module do it. Sets what
 * the program gets; an Open MPI error code. */
int coll_topo_request_start(struct coll_topo_request* call, ompi_request_t** request);

/* Once ranks have agreed: begins the calls that wait for it, in their order, and lets others begin at once. */
void coll_topo_request_start_waiting(struct coll_topo_nonblocking* state);

/* Goes on as far as messages allow; true once it has ended. */
bool coll_topo_request_advance(struct coll_topo_request* call);
/* Of one that has ended: the program may wait for it no longer. */
void coll_topo_request_complete(struct coll_topo_request* call);

/* Calls the previous module. */
int coll_topo_pass_on(struct coll_topo_request* call, ompi_request_t** request);

/* ---- begin_....c: what a collective does first. *served is false where the previous module must do it. ------------
 */

typedef int coll_topo_beginning(struct coll_topo_request* call, bool* served);
coll_topo_beginning coll_topo_begin_reduction, coll_topo_begin_allgather, coll_topo_begin_allgatherv,
    coll_topo_begin_bcast, coll_topo_begin_barrier, coll_topo_begin_alltoall, coll_topo_begin_unequal_alltoall;

/* Chooses a plan, as coll_topo_plan_call does for calls that wait. */
int coll_topo_request_plan(struct coll_topo_request* call, size_t bytes, int root, int commutative,
                           coll_topo_plan** plan);
/* Posts the first messages; an Open MPI error code. */
int coll_topo_request_run(struct coll_topo_request* call, coll_topo_plan* plan,
                          struct coll_topo_pml_transport* transport, const coll_topo_buffers* buffers);
/* How a call may finish: writes `result`, packed bytes, where `result_view` has it. */
int coll_topo_request_unpack(struct coll_topo_request* call, int error);
/* Memory that lasts as long as the call; NULL if there is none. */
void* coll_topo_request_memory(struct coll_topo_request* call, size_t bytes);

#endif
