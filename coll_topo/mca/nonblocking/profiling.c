/* SPDX-License-Identifier: BSD-3-Clause */
/* What a profile of the job is told of nonblocking and persistent calls. */
#include "coll_topo/engine/profile.h"
#include "coll_topo/mca/nonblocking/request.h"

void coll_topo_profile_started(struct coll_topo_request* call) {
    if (OPAL_LIKELY(!call->state->may_be_profiled)) {
        return;
    }
    call->profiled = (struct coll_topo_profiled_request){
        .form = COLL_TOPO_NONBLOCKING,
        .collective = call->collective,
        .bytes = coll_topo_arguments_bytes(call->communicator, call->collective, &call->arguments),
        .way = -1,
        .started = coll_topo_profile_now()};
}

void coll_topo_profile_started_again(struct coll_topo_request* call) {
    if (OPAL_UNLIKELY(call->state->profile != NULL)) {
        call->profiled.started = coll_topo_profile_now();
    }
}

void coll_topo_profile_prepared(struct coll_topo_request* call, bool served) {
    if (OPAL_LIKELY(call->state->profile == NULL)) {
        return;
    }
    if (call->super.super.req_persistent) {
        call->profiled.form = COLL_TOPO_PERSISTENT;
    }
    if (!served) {
        coll_topo_profile_count_request(call->state->profile, &call->profiled);
        return;
    }
    /* Where there is none of its own, an allreduce stands for the collective. */
    const int* const ways = coll_topo_last_ways(call->state->plans);
    call->profiled.way = ways[call->collective] >= 0 ? ways[call->collective] : ways[COLL_TOPO_ALLREDUCE];
}

void coll_topo_profile_done(struct coll_topo_request* call) {
    if (OPAL_UNLIKELY(call->state->profile != NULL)) {
        coll_topo_profile_count_request(call->state->profile, &call->profiled);
    }
}

void coll_topo_profile_left(struct coll_topo_nonblocking* state, int collective,
                            const struct coll_topo_arguments* arguments) {
    if (OPAL_LIKELY(state == NULL || state->profile == NULL)) {
        return;
    }
    const struct coll_topo_profiled_request left = {
        .form = COLL_TOPO_NONBLOCKING,
        .collective = collective,
        .bytes = coll_topo_arguments_bytes(state->communicator, collective, arguments),
        .way = -1};
    coll_topo_profile_count_request(state->profile, &left);
}
