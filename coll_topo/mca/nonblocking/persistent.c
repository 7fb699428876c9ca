/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests of persistent calls: made once, started again and again. */
#include "coll_topo/mca/nonblocking/progress.h"
#include "coll_topo/mca/nonblocking/request.h"

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/op/op.h"

/* ---- what ends with the request: Open MPI retains the arguments of requests alone that are not done when the function
 * returns that makes them ------------------------------------------------------------------------------------------
 */

static void retain(struct ompi_datatype_t* type) {
    if (type != NULL && !ompi_datatype_is_predefined(type)) {
        OBJ_RETAIN(type);
    }
}

static void release(struct ompi_datatype_t* type) {
    if (type != NULL && !ompi_datatype_is_predefined(type)) {
        OBJ_RELEASE(type);
    }
}

static void for_each_type(const struct coll_topo_request* call, void (*act)(struct ompi_datatype_t* type)) {
    const struct coll_topo_arguments* const arguments = &call->arguments;
    const int types = coll_topo_request_types(call);
    const bool sends_its_type = arguments->send_buffer != MPI_IN_PLACE || arguments->operation != NULL;
    if (types == 0) {
        act(sends_its_type ? arguments->send_type : NULL);
        act(arguments->receive_type);
        return;
    }
    for (int number = 0; number < types; ++number) {
        act(sends_its_type ? arguments->send_types[number] : NULL);
        act(arguments->receive_types[number]);
    }
}

static bool has_own_operation(const struct coll_topo_request* call) {
    return call->arguments.operation != NULL && !ompi_op_is_intrinsic(call->arguments.operation);
}

static void hold(struct coll_topo_request* call) {
    call->held.arguments = true;
    for_each_type(call, retain);
    if (has_own_operation(call)) {
        OBJ_RETAIN(call->arguments.operation);
    }
    if (call->plan != NULL && !call->held.plan) {
        coll_topo_request_keep_plan(call);
    }
}

void coll_topo_request_keep_plan(struct coll_topo_request* call) {
    call->held.plan = true;
    coll_topo_execution_keep(call->execution, call->plan);
}

void coll_topo_request_let_go(struct coll_topo_request* call) {
    if (OPAL_UNLIKELY(call->held.plan)) {
        coll_topo_execution_let_go(call->execution);
    }
    if (OPAL_LIKELY(!call->held.arguments)) {
        return;
    }
    for_each_type(call, release);
    if (has_own_operation(call)) {
        OBJ_RELEASE(call->arguments.operation);
    }
}

/* ---- starting -----------------------------------------------------------------------------------------------------
 */

/* An error is that of the request, which whoever waits for it is told. */
static int start(size_t count, ompi_request_t** requests) {
    for (size_t i = 0; i < count; ++i) {
        struct coll_topo_request* const call = (struct coll_topo_request*)requests[i];
        ompi_request_t* const base = requests[i];
        if (base->req_state != OMPI_REQUEST_INACTIVE) {
            return MPI_ERR_REQUEST;
        }
        base->req_complete = REQUEST_PENDING;
        base->req_state = OMPI_REQUEST_ACTIVE;
        coll_topo_profile_started_again(call);
        if (coll_topo_request_run(call)) {
            ompi_request_complete(base, false); /* nobody can wait for it yet */
        } else {
            coll_topo_progress_add(call);
        }
    }
    return OMPI_SUCCESS;
}

int coll_topo_request_make_persistent(struct coll_topo_request* call, struct ompi_info_t* info,
                                      ompi_request_t** request) {
    ompi_request_t* const base = &call->super.super;
    bool served = false;
    base->req_persistent = true;
    coll_topo_nonblocking_wait(call->state);
    int error = coll_topo_request_prepare(call, call->state->decision, &served);
    if (error == OMPI_SUCCESS && served) {
        hold(call);
        OMPI_REQUEST_INIT(base, true);
        base->req_start = start;
        *request = base;
        return OMPI_SUCCESS;
    }
    if (error == OMPI_SUCCESS) {
        coll_topo_nonblocking_give_back(call->state);
        error = coll_topo_pass_on(call, info, request);
    }
    base->req_complete = REQUEST_COMPLETED;
    coll_topo_request_return(call);
    return error;
}
