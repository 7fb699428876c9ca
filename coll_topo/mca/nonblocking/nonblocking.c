/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/nonblocking/nonblocking.h"

#include "coll_topo/mca/call/planned_call.h"
#include "coll_topo/mca/module/report.h"
#include "coll_topo/mca/nonblocking/progress.h"

#include "ompi/communicator/communicator.h"
#include "opal/runtime/opal_progress.h"

#include <stdint.h>
#include <stdlib.h>

void coll_topo_nonblocking_lock(struct coll_topo_nonblocking* state) {
    if (OPAL_UNLIKELY(opal_using_threads())) {
        pthread_mutex_lock(&state->lock);
    }
}

void coll_topo_nonblocking_unlock(struct coll_topo_nonblocking* state) {
    if (OPAL_UNLIKELY(opal_using_threads())) {
        pthread_mutex_unlock(&state->lock);
    }
}

void coll_topo_nonblocking_wait(struct coll_topo_nonblocking* state) {
    while (state->decision == COLL_TOPO_UNDECIDED) {
        opal_progress();
    }
}

void coll_topo_nonblocking_settle(struct coll_topo_nonblocking* state) {
    if (state->blocking_decision == COLL_TOPO_UNDECIDED && state->decision != COLL_TOPO_UNDECIDED) {
        return;
    }
    coll_topo_nonblocking_wait(state);
    state->module->decision = state->blocking_decision;
    state->blocking_decision = COLL_TOPO_UNDECIDED;
}

/* ---- from the first call to the last ------------------------------------------------------------------------------
 */

static struct coll_topo_nonblocking* create(struct coll_topo_module* module, struct ompi_communicator_t* communicator) {
    struct coll_topo_nonblocking* state = calloc(1, sizeof *state);
    if (state == NULL) {
        return NULL;
    }
    state->module = module;
    state->communicator = communicator;
    state->may_be_profiled = coll_topo_profile_wanted();
    state->decision = state->blocking_decision = COLL_TOPO_UNDECIDED;
    state->end_of_waiting = &state->first_waiting;
    for (int collective = 0; collective < COLL_TOPO_SERVED; ++collective) {
        state->least_bytes[collective] = SIZE_MAX;
    }
    pthread_mutex_init(&state->lock, NULL);
    module->nonblocking = state;
    if (coll_topo_nonblocking_begin_agreement(state) != OMPI_SUCCESS) {
        state->decision = COLL_TOPO_ASIDE;
    }
    return state;
}

struct coll_topo_nonblocking* coll_topo_nonblocking_of(struct coll_topo_module* module,
                                                       struct ompi_communicator_t* communicator) {
    return OPAL_LIKELY(module->nonblocking != NULL) ? module->nonblocking : create(module, communicator);
}

int coll_topo_nonblocking_plan(struct coll_topo_nonblocking* state, coll_topo_chooser* choose, int collective,
                               size_t bytes, int root, int commutative, coll_topo_plan** plan) {
    const char* explanation = NULL;
    *plan = NULL;
    if (state->least_bytes[collective] == SIZE_MAX) {
        return OMPI_SUCCESS;
    }
    const int error = choose(state->plans, collective, bytes, root, commutative, &explanation, plan);
    if (OPAL_UNLIKELY(error != COLL_TOPO_OK)) {
        return coll_topo_error_of(error);
    }
    if (OPAL_UNLIKELY(explanation != NULL)) {
        coll_topo_report_nonblocking_text(state->communicator, explanation);
    }
    return OMPI_SUCCESS;
}

void coll_topo_nonblocking_give_back(struct coll_topo_nonblocking* state) {
    if (!state->given_back && state->profile == NULL) { /* calls that are passed on are counted too */
        state->given_back =
            coll_topo_module_give_back_nonblocking(state->module, state->communicator, state->least_bytes);
    }
}

void coll_topo_nonblocking_free(struct coll_topo_nonblocking* state) {
    coll_topo_profile_end_requests(state->profile);
    state->profile = NULL;
    if (state->in_use > 0 || state->first_waiting != NULL) {
        coll_topo_progress_abandon(state); /* of a program that has not waited for them */
        return;
    }
    coll_topo_requests_destroy(state->idle);
    coll_topo_communicator_free(state->plans);
    coll_topo_topology_free(state->topology);
    pthread_mutex_destroy(&state->lock);
    free(state);
}
