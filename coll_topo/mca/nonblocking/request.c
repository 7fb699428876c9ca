/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/nonblocking/request.h"

#include "coll_topo/mca/call/planned_call.h"
#include "coll_topo/mca/module/counters.h"
#include "coll_topo/mca/transport/neighbors.h"

#include "ompi/communicator/communicator.h"

#include <stdlib.h>
#include <string.h>

/* ---- requests, as Open MPI and programs see them ------------------------------------------------------------------
 */

/* Only what is done can be freed, and nothing cancelled, as with Open MPI's own nonblocking collectives. */
static int free_request(ompi_request_t** request) {
    struct coll_topo_request* call = (struct coll_topo_request*)*request;
    if (!REQUEST_COMPLETE(*request)) {
        return MPI_ERR_REQUEST;
    }
    *request = MPI_REQUEST_NULL;
    coll_topo_request_return(call);
    return OMPI_SUCCESS;
}

static int cancel_request(ompi_request_t* request, int complete) {
    (void)request;
    (void)complete;
    return MPI_ERR_REQUEST;
}

/* A look takes some nanoseconds; a message between two processors some ten times as long. */
enum { MOST_LOOKS = 128, LEAST_LOOKS = 16 };

static void construct(struct coll_topo_request* call) {
    ompi_request_t* const base = &call->super.super;
    base->req_type = OMPI_REQUEST_COLL;
    base->req_status = ompi_status_empty;
    base->req_start = NULL;
    base->req_cancel = cancel_request;
    call->execution = coll_topo_execution_create();
    call->looks = MOST_LOOKS;
    call->keeps_transport = false;
}

static void destruct(struct coll_topo_request* call) {
    coll_topo_execution_free(call->execution);
}

typedef struct coll_topo_request coll_topo_request;
static OBJ_CLASS_INSTANCE(coll_topo_request, ompi_coll_base_nbc_request_t, construct, destruct);

struct coll_topo_request* coll_topo_request_take(struct coll_topo_nonblocking* state, int collective) {
    coll_topo_nonblocking_lock(state);
    struct coll_topo_request* call = state->idle;
    if (OPAL_LIKELY(call != NULL)) {
        state->idle = call->next;
    }
    ++state->in_use;
    coll_topo_nonblocking_unlock(state);
    if (call == NULL) {
        call = OBJ_NEW(coll_topo_request);
        if (call == NULL || call->execution == NULL) {
            coll_topo_nonblocking_lock(state);
            --state->in_use;
            coll_topo_nonblocking_unlock(state);
            if (call != NULL) {
                OBJ_RELEASE(call);
            }
            return NULL;
        }
    }
    OMPI_REQUEST_INIT(&call->super.super, false);
    call->super.super.req_state = OMPI_REQUEST_ACTIVE;
    call->super.super.req_free = free_request; /* Open MPI may put its own before it */
    call->super.super.req_status.MPI_ERROR = OMPI_SUCCESS;
    call->super.super.req_mpi_object.comm = state->communicator;
    call->state = state;
    call->communicator = state->communicator;
    call->collective = collective;
    call->held = (struct coll_topo_held){.types = NULL};
    call->plan = NULL;
    call->repeats = false;
    call->transport_as_before = false;
    call->passed_on = NULL;
    call->load = NULL;
    call->begin = NULL;
    call->go_on = NULL;
    call->finish = NULL;
    call->sizes = NULL;
    call->instead = NULL;
    call->fetched.memory = NULL;
    OBJ_RETAIN(call->communicator); /* and with it the plans, until the request is freed */
    return call;
}

void coll_topo_request_return(struct coll_topo_request* call) {
    struct coll_topo_nonblocking* const state = call->state;
    struct ompi_communicator_t* communicator = call->communicator;
    OMPI_REQUEST_FINI(&call->super.super);
    coll_topo_request_let_go(call);
    free(call->held.types);
    free(call->fetched.memory);
    free(call->sizes);
    coll_topo_nonblocking_lock(state);
    call->next = state->idle;
    state->idle = call;
    --state->in_use;
    coll_topo_nonblocking_unlock(state);
    OBJ_RELEASE(communicator); /* this may be the end of the state */
}

void coll_topo_requests_destroy(struct coll_topo_request* first) {
    while (first != NULL) {
        struct coll_topo_request* const next = first->next;
        OBJ_RELEASE(first);
        first = next;
    }
}

/* ---- its schedule --------------------------------------------------------------------------------------------------
 */

int coll_topo_request_plan(struct coll_topo_request* call, size_t bytes, int root, int commutative,
                           coll_topo_plan** plan) {
    return coll_topo_nonblocking_plan(call->state, coll_topo_choose, call->collective, bytes, root, commutative, plan);
}

void* coll_topo_request_memory(struct coll_topo_request* call, size_t bytes) {
    return coll_topo_execution_temporary(call->execution, bytes);
}

int coll_topo_request_types(const struct coll_topo_request* call) {
    if (call->collective == COLL_TOPO_NEIGHBOR_ALLTOALLW) {
        return coll_topo_neighbors(call->communicator);
    }
    return call->collective == COLL_TOPO_ALLTOALLW ? ompi_comm_size(call->communicator) : 0;
}

bool coll_topo_request_copy_types(struct coll_topo_request* call) {
    struct coll_topo_arguments* const arguments = &call->arguments;
    const size_t number = (size_t)coll_topo_request_types(call);
    if (number == 0 || call->held.types != NULL) {
        return true;
    }
    struct ompi_datatype_t** const types = malloc(2 * number * sizeof *types);
    if (types == NULL) {
        return false;
    }
    memcpy(types, arguments->receive_types, number * sizeof *types);
    if (arguments->send_buffer != MPI_IN_PLACE) {
        memcpy(types + number, arguments->send_types, number * sizeof *types);
    }
    call->held.types = types;
    arguments->receive_types = types;
    arguments->send_types = types + number;
    return true;
}

int coll_topo_request_error(const struct coll_topo_request* call, int core_error) {
    return coll_topo_error_of_run(core_error, &call->transport.pml);
}

int coll_topo_request_pack(struct coll_topo_request* call) {
    return coll_topo_packed_view_read(&call->source_view, call->source, 0, call->source_size);
}

int coll_topo_request_unpack(struct coll_topo_request* call, int error) {
    return error != OMPI_SUCCESS ? error
                                 : coll_topo_packed_view_write(&call->result_view, call->result, 0, call->result_size);
}

/* In all of them, the transport's struct begins with that of the PML. */
void coll_topo_request_set(struct coll_topo_request* call, coll_topo_plan* plan, const coll_topo_buffers* buffers) {
    coll_topo_pml_transport_detach(&call->transport.pml, coll_topo_reserve_tags(call->communicator));
    call->plan = plan;
    if (buffers != &call->buffers) {
        call->buffers = *buffers;
    }
}

int coll_topo_request_begin_run(struct coll_topo_request* call) {
    if (call->repeats) {
        return coll_topo_request_error(call, coll_topo_execution_repeat(call->execution));
    }
    const int error = coll_topo_execution_begin(call->execution, call->plan, &call->transport.pml.base, &call->buffers,
                                                call->transport_as_before);
    const bool has_one_run = call->begin == NULL && call->go_on == NULL;
    call->repeats = error == COLL_TOPO_OK && call->super.super.req_persistent && has_one_run;
    return coll_topo_request_error(call, error);
}

static int finish(struct coll_topo_request* call, int error) {
    if (call->transport.pml.memory != NULL) {
        coll_topo_count_memory_messages(call->transport.pml.memory_messages);
        call->transport.pml.memory_messages = 0;
    }
    if (error == OMPI_SUCCESS) {
        coll_topo_count_nonblocking_run(call->collective);
        coll_topo_profile_done(call);
    }
    return call->finish != NULL ? call->finish(call, error) : error;
}

/* As coll_topo_request_advance; looks for messages so many times before it gives up. */
static bool advance(struct coll_topo_request* call, int looks) {
    int error = COLL_TOPO_OK;
    if (!coll_topo_execution_advance(call->execution, looks, &error)) {
        return false;
    }
    error = coll_topo_request_error(call, error);
    if (OPAL_UNLIKELY(call->go_on != NULL) && error == OMPI_SUCCESS) {
        error = call->go_on(call);
        if (error == OMPI_SUCCESS) {
            return advance(call, looks);
        }
    }
    call->super.super.req_status.MPI_ERROR = finish(call, error);
    return true;
}

static bool advance_at_first(struct coll_topo_request* call) {
    if (!coll_topo_host_memory_has_all(call->transport.pml.memory)) {
        return advance(call, 0);
    }
    const bool ended = advance(call, call->looks);
    if (ended) {
        call->looks = MOST_LOOKS;
    } else if (call->looks > LEAST_LOOKS) {
        call->looks /= 2;
    }
    return ended;
}

bool coll_topo_request_run(struct coll_topo_request* call) {
    call->super.super.req_status.MPI_ERROR = OMPI_SUCCESS;
    if (call->plan == NULL) {
        return true;
    }
    call->transport.pml.error = OMPI_SUCCESS;
    int error = call->load != NULL ? call->load(call) : OMPI_SUCCESS;
    if (error == OMPI_SUCCESS) {
        error = call->begin != NULL ? call->begin(call) : coll_topo_request_begin_run(call);
    }
    if (error != OMPI_SUCCESS) {
        call->super.super.req_status.MPI_ERROR = finish(call, error);
        return true;
    }
    return advance_at_first(call);
}

bool coll_topo_request_advance(struct coll_topo_request* call) {
    if (OPAL_UNLIKELY(call->passed_on != NULL)) {
        if (!REQUEST_COMPLETE(call->passed_on)) {
            return false;
        }
        call->super.super.req_status.MPI_ERROR = call->passed_on->req_status.MPI_ERROR;
        ompi_request_free(&call->passed_on);
        return true;
    }
    return advance(call, 0);
}

void coll_topo_request_complete(struct coll_topo_request* call) {
    ompi_request_complete(&call->super.super, true);
}
