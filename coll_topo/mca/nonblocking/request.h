/* SPDX-License-Identifier: BSD-3-Clause */
/* A nonblocking or persistent call: its request, as Open MPI's own nonblocking collectives have one, and the runs of
 * its schedule: one, or one for each start. */
#ifndef COLL_TOPO_MCA_REQUEST_H
#define COLL_TOPO_MCA_REQUEST_H

#include "coll_topo/engine/execution.h"
#include "coll_topo/mca/call/arguments.h"
#include "coll_topo/mca/call/data_movement.h"
#include "coll_topo/mca/call/device_operands.h"
#include "coll_topo/mca/call/gathered_pieces.h"
#include "coll_topo/mca/call/rooted_pieces.h"
#include "coll_topo/mca/call/unequal_pieces.h"
#include "coll_topo/mca/nonblocking/nonblocking.h"
#include "coll_topo/mca/transport/piece_transport.h"
#include "coll_topo/mca/transport/unpacking_transport.h"

#include "ompi/mca/coll/base/coll_base_util.h"

/* What ends with the request. */
struct coll_topo_held {
    struct ompi_datatype_t**
        types;      /* a copy of those of an alltoallw: with 4.1, those of a Fortran program are gone after the call */
    bool arguments; /* operation and datatypes are retained, which Open MPI does for nonblocking calls */
    bool plan;      /* see coll_topo_execution_keep */
};

struct coll_topo_request {
    ompi_coll_base_nbc_request_t super; /* first */
    struct coll_topo_request* next;     /* in the list that it is in */
    struct coll_topo_nonblocking* state;
    struct ompi_communicator_t* communicator; /* retained until the request is freed */
    int collective;
    struct coll_topo_arguments arguments;
    struct coll_topo_held held;
    coll_topo_execution* execution;
    coll_topo_plan* plan;     /* NULL: there is nothing to do */
    bool repeats;             /* a persistent one that has been begun, whose runs are all alike */
    bool keeps_transport;     /* it is as the last reduction has set it, of what MPI itself has: kept likewise */
    bool transport_as_before; /* as in the run before, also of another call */
    int looks;                /* see coll_topo_request_run; kept when the request is used again */
    coll_topo_buffers buffers;
    ompi_request_t* passed_on; /* the previous module's, if it does a call that has waited for the agreement */
    union {
        struct coll_topo_pml_transport pml;
        struct coll_topo_unpacking_transport unpacking;
        struct coll_topo_piece_transport pieces;
        struct coll_topo_gathered_pieces gathered;
    } transport;
    /* What is to be done before the schedule runs: an Open MPI error code. NULL: nothing. */
    int (*load)(struct coll_topo_request* request);
    /* How the schedule begins to run: an Open MPI error code. NULL: coll_topo_request_begin_run. */
    int (*begin)(struct coll_topo_request* request);
    /* What follows a run that has ended without an error, in place of the end of the call: begins another one. */
    int (*go_on)(struct coll_topo_request* request);
    struct coll_topo_packed_view source_view; /* of what is packed by `load` */
    char* source;
    size_t source_size; /* packed bytes */
    /* What is left to do once the schedule has run to its end, or failed: an Open MPI error code, that of the run
     * unless there is another. NULL: nothing. */
    int (*finish)(struct coll_topo_request* request, int error);
    struct coll_topo_reduction_call reduction; /* of reductions; on a device's data, its own operands in memory */
    struct coll_topo_fetched_operands fetched;
    struct coll_topo_packed_view result_view; /* of results that are unpacked, or copied, by `finish` */
    const char* result;
    size_t result_size;                         /* packed bytes, or elements */
    unsigned char nothing;                      /* what a barrier combines */
    struct coll_topo_unequal unequal;           /* of gatherv and scatterv */
    void* sizes;                                /* memory of these */
    struct coll_topo_profiled_request profiled; /* with a profile */
    void* instead;                              /* memory for pieces that are too long */
};

/* For a call to this communicator; NULL if there is no memory. To be given to one of the following. */
struct coll_topo_request* coll_topo_request_take(struct coll_topo_nonblocking* state, int collective);
/* It is not needed after all. */
void coll_topo_request_return(struct coll_topo_request* call);

/* All in a list. */
void coll_topo_requests_destroy(struct coll_topo_request* first);

/* Chooses a plan, and sets all that its runs need. *served is false where the previous module must do the call. An Open
 * MPI error code. */
int coll_topo_request_prepare(struct coll_topo_request* call, enum coll_topo_decision decision, bool* served);

/* Begins the schedule of a call, or has it wait until ranks have agreed, or has the previous module do it. Sets what
 * the program gets; an Open MPI error code. */
int coll_topo_request_start(struct coll_topo_request* call, ompi_request_t** request);

/* Once ranks have agreed: begins the calls that wait for it, in their order, and lets others begin at once. */
void coll_topo_request_start_waiting(struct coll_topo_nonblocking* state);

/* Makes a request that is to be started for a call, or has the previous module do it. Waits for the agreement of ranks,
 * as MPI allows: all requests are made in the same order everywhere, whoever does the calls. */
int coll_topo_request_make_persistent(struct coll_topo_request* call, struct ompi_info_t* info,
                                      ompi_request_t** request);
/* Of one that is freed. */
void coll_topo_request_let_go(struct coll_topo_request* call);

/* Begins a run of a call that is prepared; true if it has ended at once, with its error in the status. Within a host it
 * looks for messages of peers that make the call at the same moment: short calls that end so need nothing of Open MPI's
 * progress, which takes as long as they do. It looks for less than a microsecond, and less where that was in vain. */
bool coll_topo_request_run(struct coll_topo_request* call);
/* Goes on as far as messages allow; true once it has ended. */
bool coll_topo_request_advance(struct coll_topo_request* call);
/* Of one that has ended: the program may wait for it no longer. */
void coll_topo_request_complete(struct coll_topo_request* call);

/* Bytes of a call, as a profile counts them: of all ranks' data where all know that, else of this rank's own. */
size_t coll_topo_arguments_bytes(struct ompi_communicator_t* communicator, int collective,
                                 const struct coll_topo_arguments* arguments);

/* Calls the previous module; `info` is of persistent calls. */
int coll_topo_pass_arguments_on(struct coll_topo_module* module, struct ompi_communicator_t* communicator,
                                int collective, const struct coll_topo_arguments* arguments, bool is_persistent,
                                struct ompi_info_t* info, ompi_request_t** request);
int coll_topo_pass_on(struct coll_topo_request* call, struct ompi_info_t* info, ompi_request_t** request);

/* ---- profiling.c: these do nothing without a profile of the job
 * ------------------------------------------------------
 */

/* The program has made the call, or has started the persistent one. */
void coll_topo_profile_started(struct coll_topo_request* call);
void coll_topo_profile_started_again(struct coll_topo_request* call);
/* A plan has been chosen, or the previous module does it. */
void coll_topo_profile_prepared(struct coll_topo_request* call, bool served);
void coll_topo_profile_done(struct coll_topo_request* call);
/* One that the previous module does in any case; NULL: no state. */
void coll_topo_profile_left(struct coll_topo_nonblocking* state, int collective,
                            const struct coll_topo_arguments* arguments);

/* ---- prepare_....c: coll_topo_request_prepare, by collective -----------------------------------------------------
 */

typedef int coll_topo_preparation(struct coll_topo_request* call, bool* served);
coll_topo_preparation coll_topo_prepare_reduction, coll_topo_prepare_allgather, coll_topo_prepare_allgatherv,
    coll_topo_prepare_bcast, coll_topo_prepare_gather, coll_topo_prepare_scatter, coll_topo_prepare_unequal_rooted,
    coll_topo_prepare_barrier, coll_topo_prepare_exchange;

/* Chooses a plan, as coll_topo_plan_call does for calls that wait. */
int coll_topo_request_plan(struct coll_topo_request* call, size_t bytes, int root, int commutative,
                           coll_topo_plan** plan);
/* What each run is of, with the transport that is set; reserves its tags. The buffers may be those of the request. */
void coll_topo_request_set(struct coll_topo_request* call, coll_topo_plan* plan, const coll_topo_buffers* buffers);
/* Begins a run of the plan with what is set: an Open MPI error code. */
int coll_topo_request_begin_run(struct coll_topo_request* call);
/* What it has of the core's. */
int coll_topo_request_error(const struct coll_topo_request* call, int core_error);
/* Has the plan stay until the request is freed. */
void coll_topo_request_keep_plan(struct coll_topo_request* call);
/* How a call may begin: packs what `source_view` has. */
int coll_topo_request_pack(struct coll_topo_request* call);
/* How a call may finish: writes `result`, packed bytes, where `result_view` has it. */
int coll_topo_request_unpack(struct coll_topo_request* call, int error);
/* How many types an alltoallw, or a neighbor_alltoallw, has for what it sends, and as many for what it receives; 0: the
 * call is another one. */
int coll_topo_request_types(const struct coll_topo_request* call);
/* Has one of these use a copy of its arrays of types; false if there is no memory. */
bool coll_topo_request_copy_types(struct coll_topo_request* call);
/* Memory that lasts as long as the call; NULL if there is none. */
void* coll_topo_request_memory(struct coll_topo_request* call, size_t bytes);

#endif
