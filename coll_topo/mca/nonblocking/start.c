/* SPDX-License-Identifier: BSD-3-Clause */
/* From a nonblocking call to what the program gets. */
#include "coll_topo/mca/module/counters.h"
#include "coll_topo/mca/nonblocking/progress.h"
#include "coll_topo/mca/nonblocking/request.h"

static coll_topo_preparation* const preparation[COLL_TOPO_SERVED] = {
    [COLL_TOPO_ALLREDUCE] = coll_topo_prepare_reduction,
    [COLL_TOPO_REDUCE_SCATTER] = coll_topo_prepare_reduction,
    [COLL_TOPO_REDUCE_SCATTER_BLOCK] = coll_topo_prepare_reduction,
    [COLL_TOPO_ALLGATHER] = coll_topo_prepare_allgather,
    [COLL_TOPO_ALLGATHERV] = coll_topo_prepare_allgatherv,
    [COLL_TOPO_BCAST] = coll_topo_prepare_bcast,
    [COLL_TOPO_REDUCE] = coll_topo_prepare_reduction,
    [COLL_TOPO_GATHER] = coll_topo_prepare_gather,
    [COLL_TOPO_SCATTER] = coll_topo_prepare_scatter,
    [COLL_TOPO_SCAN] = coll_topo_prepare_reduction,
    [COLL_TOPO_EXSCAN] = coll_topo_prepare_reduction,
    [COLL_TOPO_GATHERV] = coll_topo_prepare_unequal_rooted,
    [COLL_TOPO_SCATTERV] = coll_topo_prepare_unequal_rooted,
    [COLL_TOPO_ALLTOALL] = coll_topo_prepare_exchange,
    [COLL_TOPO_ALLTOALLV] = coll_topo_prepare_exchange,
    [COLL_TOPO_ALLTOALLW] = coll_topo_prepare_exchange,
    [COLL_TOPO_BARRIER] = coll_topo_prepare_barrier,
    [COLL_TOPO_NEIGHBOR_ALLGATHER] = coll_topo_prepare_exchange,
    [COLL_TOPO_NEIGHBOR_ALLTOALL] = coll_topo_prepare_exchange,
    [COLL_TOPO_NEIGHBOR_ALLGATHERV] = coll_topo_prepare_exchange,
    [COLL_TOPO_NEIGHBOR_ALLTOALLV] = coll_topo_prepare_exchange,
    [COLL_TOPO_NEIGHBOR_ALLTOALLW] = coll_topo_prepare_exchange,
};

int coll_topo_request_prepare(struct coll_topo_request* call, enum coll_topo_decision decision, bool* served) {
    coll_topo_preparation* const prepare = preparation[call->collective];
    *served = decision == COLL_TOPO_OURS;
    if (prepare != coll_topo_prepare_reduction) {
        call->keeps_transport = false;
    }
    const int error = *served ? prepare(call, served) : OMPI_SUCCESS;
    if (error == OMPI_SUCCESS && !*served) {
        coll_topo_count_nonblocking_fallback();
    }
    if (error == OMPI_SUCCESS) {
        coll_topo_profile_prepared(call, *served);
    }
    return error;
}

/* What has become of a call that may begin. */
enum outcome { LEFT, ENDED, UNDER_WAY };

static enum outcome begin(struct coll_topo_request* call, enum coll_topo_decision decision, int* error) {
    bool served = false;
    *error = coll_topo_request_prepare(call, decision, &served);
    if (*error != OMPI_SUCCESS) {
        return ENDED;
    }
    if (!served) {
        return LEFT;
    }
    if (!coll_topo_request_run(call)) {
        return UNDER_WAY;
    }
    *error = call->super.super.req_status.MPI_ERROR;
    return ENDED;
}

/* Has it wait until ranks have agreed, unless they have. */
static bool queued(struct coll_topo_request* call) {
    struct coll_topo_nonblocking* const state = call->state;
    coll_topo_nonblocking_lock(state);
    const bool waits = state->decision == COLL_TOPO_UNDECIDED;
    if (waits) {
        call->next = NULL;
        *state->end_of_waiting = call;
        state->end_of_waiting = &call->next;
    }
    coll_topo_nonblocking_unlock(state);
    return waits;
}

/* The program does not get its request. */
static int ended(struct coll_topo_request* call, int error) {
    call->super.super.req_complete = REQUEST_COMPLETED;
    coll_topo_request_return(call);
    return error;
}

int coll_topo_request_start(struct coll_topo_request* call, ompi_request_t** request) {
    int error = OMPI_SUCCESS;
    if (OPAL_UNLIKELY(call->state->decision == COLL_TOPO_UNDECIDED)) {
        if (!coll_topo_request_copy_types(call)) {
            return ended(call, OMPI_ERR_OUT_OF_RESOURCE);
        }
        if (queued(call)) {
            *request = &call->super.super;
            return OMPI_SUCCESS;
        }
    }
    switch (begin(call, call->state->decision, &error)) {
        case UNDER_WAY:
            *request = &call->super.super;
            coll_topo_progress_add(call);
            return OMPI_SUCCESS;
        case LEFT:
            coll_topo_nonblocking_give_back(call->state);
            error = coll_topo_pass_on(call, NULL, request);
            break;
        default:
            *request = &ompi_request_empty;
    }
    return ended(call, error);
}

static void start_now(struct coll_topo_request* call, enum coll_topo_decision decision) {
    int error = OMPI_SUCCESS;
    enum outcome outcome = begin(call, decision, &error);
    if (outcome == LEFT) {
        error = coll_topo_pass_on(call, NULL, &call->passed_on);
        outcome = error == OMPI_SUCCESS ? UNDER_WAY : ENDED;
    }
    if (outcome == UNDER_WAY) {
        coll_topo_progress_add(call);
        return;
    }
    call->super.super.req_status.MPI_ERROR = error;
    coll_topo_request_complete(call);
}

void coll_topo_request_start_waiting(struct coll_topo_nonblocking* state) {
    coll_topo_nonblocking_lock(state);
    struct coll_topo_request* call = state->first_waiting;
    state->first_waiting = NULL;
    state->end_of_waiting = &state->first_waiting;
    while (call != NULL) {
        struct coll_topo_request* const following = call->next; /* its place is in another list from now on */
        start_now(call, state->agreed);
        call = following;
    }
    state->decision = state->agreed;
    coll_topo_nonblocking_unlock(state);
}
