/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/nonblocking/nonblocking.h"

#include "coll_topo/mca/call/planned_call.h"
#include "coll_topo/mca/module/host_memory_of.h"
#include "coll_topo/mca/module/parameters.h"
#include "coll_topo/mca/module/peers.h"
#include "coll_topo/mca/module/plans.h"
#include "coll_topo/mca/module/report.h"
#include "coll_topo/mca/module/reproducible.h"
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

/* ---- the agreement ------------------------------------------------------------------------------------------------
 */

static void free_peers(struct coll_topo_nonblocking* state) {
    free(state->peers);
    state->peers = NULL;
}

/* Where ranks differ, the first blocking call says how. */
static int begin_agreement(struct coll_topo_nonblocking* state) {
    struct ompi_communicator_t* const communicator = state->communicator;
    const int ranks = ompi_comm_size(communicator);
    state->peers = calloc((size_t)ranks, sizeof *state->peers);
    if (state->peers == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    const int missed = coll_topo_peers_look_up(communicator, state->peers);
    if (!coll_topo_peers_all_equal(state->peers, ranks)) {
        free_peers(state);
        state->decision = COLL_TOPO_ASIDE;
        return missed >= 0 ? coll_topo_settings_decline(communicator, missed) : OMPI_SUCCESS;
    }
    state->settings = coll_topo_own_settings(state->module, communicator);
    coll_topo_compare_begin(&state->comparing, &state->settings);
    state->blocking_decision = state->module->decision;
    state->module->decision = COLL_TOPO_UNDECIDED; /* see coll_topo_nonblocking_settle */
    if (coll_topo_nonblocking_agree(state)) {
        state->decision = state->agreed;
    } else {
        coll_topo_progress_add_agreement(state);
    }
    return OMPI_SUCCESS;
}

/* COLL_TOPO_OURS, unless there can be no plans. */
static enum coll_topo_decision plan(struct coll_topo_nonblocking* state) {
    struct ompi_communicator_t* const communicator = state->communicator;
    const coll_topo_topology* topology = NULL;
    char message[1024] = "";
    coll_topo_settings settings = coll_topo_parameters.settings;
    if (state->settings.reproducible != COLL_TOPO_REPRODUCIBLE_END) {
        settings.reproducible = state->settings.reproducible;
    }
    settings.host_memory = coll_topo_host_memory_has_all(state->module->memory);
    const int error = coll_topo_plans_make(communicator, state->peers, &settings, &state->topology, &topology,
                                           &state->plans, message, sizeof message);
    if (error != COLL_TOPO_OK) {
        coll_topo_plans_report_failure(communicator, error == COLL_TOPO_OUT_OF_MEMORY ? "out of memory" : message);
        return COLL_TOPO_ASIDE;
    }
    state->reproducible = settings.reproducible;
    for (int collective = 0; collective < COLL_TOPO_SERVED; ++collective) {
        state->least_bytes[collective] = coll_topo_least_bytes(state->plans, collective);
    }
    if (ompi_comm_rank(communicator) == 0) {
        coll_topo_report_nonblocking_plans(communicator, state->plans);
    }
    return COLL_TOPO_OURS;
}

/* Whether ranks serve the calls; true once they know. */
static bool compare_settings(struct coll_topo_nonblocking* state, bool* ours) {
    struct coll_topo_comparison all;
    int error = OMPI_SUCCESS;
    if (!coll_topo_compare_advance(&state->comparing, state->communicator, &all, &error)) {
        return false;
    }
    *ours = error == OMPI_SUCCESS && all.equal && all.missed < 0 && !state->settings.withdrawn;
    return true;
}

/* The memory of the host, unless a blocking call has set it up. True once that is done. */
static bool connect_ranks(struct coll_topo_nonblocking* state, bool* ours) {
    struct coll_topo_module* const module = state->module;
    int error = OMPI_SUCCESS;
    if (!coll_topo_connect_advance(state->connecting, &module->memory, &error)) {
        return false;
    }
    state->connecting = NULL;
    module->memory_decided = error == OMPI_SUCCESS;
    *ours = error == OMPI_SUCCESS;
    return true;
}

bool coll_topo_nonblocking_agree(struct coll_topo_nonblocking* state) {
    bool ours = false;
    if (state->connecting == NULL) {
        if (!compare_settings(state, &ours)) {
            return false;
        }
        if (ours && !state->module->memory_decided) {
            state->connecting = coll_topo_connect_begin(state->communicator);
            ours = state->connecting != NULL;
        }
    }
    if (state->connecting != NULL && !connect_ranks(state, &ours)) {
        return false;
    }
    state->agreed = ours ? plan(state) : COLL_TOPO_ASIDE;
    free_peers(state);
    return true;
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
    state->decision = state->blocking_decision = COLL_TOPO_UNDECIDED;
    state->end_of_waiting = &state->first_waiting;
    for (int collective = 0; collective < COLL_TOPO_SERVED; ++collective) {
        state->least_bytes[collective] = SIZE_MAX;
    }
    pthread_mutex_init(&state->lock, NULL);
    module->nonblocking = state;
    if (begin_agreement(state) != OMPI_SUCCESS) {
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
    if (!state->given_back) {
        state->given_back =
            coll_topo_module_give_back_nonblocking(state->module, state->communicator, state->least_bytes);
    }
}

void coll_topo_nonblocking_free(struct coll_topo_nonblocking* state) {
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
