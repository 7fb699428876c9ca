/* SPDX-License-Identifier: BSD-3-Clause */
/* How ranks agree on nonblocking calls of a communicator, while they do other things. */
#include "coll_topo/mca/module/disagreement.h"
#include "coll_topo/mca/module/host_memory_of.h"
#include "coll_topo/mca/module/parameters.h"
#include "coll_topo/mca/module/peers.h"
#include "coll_topo/mca/module/plans.h"
#include "coll_topo/mca/module/report.h"
#include "coll_topo/mca/nonblocking/nonblocking.h"
#include "coll_topo/mca/nonblocking/progress.h"

#include "ompi/communicator/communicator.h"

#include <stdlib.h>

static void free_peers(struct coll_topo_nonblocking* state) {
    free(state->peers);
    state->peers = NULL;
}

/* Before any message. */
static int differ(struct coll_topo_nonblocking* state, int missed) {
    const int error = missed >= 0 ? coll_topo_settings_decline(state->communicator, missed) : OMPI_SUCCESS;
    state->decision = COLL_TOPO_ASIDE;
    coll_topo_report_peers(state->communicator, state->peers);
    free_peers(state);
    return error;
}

int coll_topo_nonblocking_begin_agreement(struct coll_topo_nonblocking* state) {
    struct ompi_communicator_t* const communicator = state->communicator;
    const int ranks = ompi_comm_size(communicator);
    if (coll_topo_own_record.readiness != COLL_TOPO_READY) {
        coll_topo_abort_if_required(communicator);
    }
    state->peers = calloc((size_t)ranks, sizeof *state->peers);
    if (state->peers == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    const int missed = coll_topo_peers_look_up(communicator, state->peers);
    if (!coll_topo_peers_all_equal(state->peers, ranks)) {
        return differ(state, missed);
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

/* ---- the steps -----------------------------------------------------------------------------------------------------
 */

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
    if (state->may_be_profiled) {
        state->profile = coll_topo_profile_begin_requests(state->module, communicator, state->plans);
    }
    return COLL_TOPO_OURS;
}

/* The next step, or none: then `agreed` is set. */
static enum coll_topo_agreement_step after_comparing(struct coll_topo_nonblocking* state,
                                                     const struct coll_topo_comparison* all, int error) {
    struct ompi_communicator_t* const communicator = state->communicator;
    state->agreed = COLL_TOPO_ASIDE;
    if (error != OMPI_SUCCESS || (all->equal && all->missed < 0 && state->settings.withdrawn)) {
        return COLL_TOPO_AGREED;
    }
    if (all->missed >= 0) {
        coll_topo_report_missed(communicator, state->peers, all->missed);
        return COLL_TOPO_AGREED;
    }
    if (!all->equal) {
        if (coll_topo_collect_begin(&state->collecting, communicator, &state->settings) == OMPI_SUCCESS) {
            return COLL_TOPO_COLLECTS;
        }
        coll_topo_collect_end(&state->collecting);
        return COLL_TOPO_AGREED;
    }
    if (!state->module->memory_decided) {
        state->connecting = coll_topo_connect_begin(communicator);
        return state->connecting != NULL ? COLL_TOPO_CONNECTS : COLL_TOPO_AGREED;
    }
    state->agreed = plan(state);
    return COLL_TOPO_AGREED;
}

static bool compare_settings(struct coll_topo_nonblocking* state) {
    struct coll_topo_comparison all;
    int error = OMPI_SUCCESS;
    if (!coll_topo_compare_advance(&state->comparing, state->communicator, &all, &error)) {
        return false;
    }
    state->step = after_comparing(state, &all, error);
    return true;
}

/* To the memory of the host, unless a blocking call has set it up. */
static bool connect_ranks(struct coll_topo_nonblocking* state) {
    struct coll_topo_module* const module = state->module;
    int error = OMPI_SUCCESS;
    if (!coll_topo_connect_advance(state->connecting, &module->memory, &error)) {
        return false;
    }
    state->connecting = NULL;
    module->memory_decided = error == OMPI_SUCCESS;
    state->agreed = error == OMPI_SUCCESS ? plan(state) : COLL_TOPO_ASIDE;
    state->step = COLL_TOPO_AGREED;
    return true;
}

static bool collect_differences(struct coll_topo_nonblocking* state) {
    struct coll_topo_differences list = {0};
    int error = OMPI_SUCCESS;
    if (!coll_topo_collect_advance(&state->collecting, state->communicator, &list, &error)) {
        return false;
    }
    coll_topo_report_settings(state->communicator, state->peers, error == OMPI_SUCCESS ? &list : NULL);
    state->step = COLL_TOPO_AGREED;
    return true;
}

bool coll_topo_nonblocking_agree(struct coll_topo_nonblocking* state) {
    bool goes_on = true;
    while (goes_on && state->step != COLL_TOPO_AGREED) {
        goes_on = state->step == COLL_TOPO_COMPARES   ? compare_settings(state)
                  : state->step == COLL_TOPO_CONNECTS ? connect_ranks(state)
                                                      : collect_differences(state);
    }
    if (goes_on) {
        free_peers(state);
    }
    return goes_on;
}
