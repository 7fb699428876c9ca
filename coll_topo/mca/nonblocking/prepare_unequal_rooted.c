/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking and persistent calls of gatherv and scatterv: each start may have several runs, see
 * call/unequal_pieces.h. The same tags serve all of them, as ranks begin a run when the one before has ended. */
#include "coll_topo/mca/nonblocking/request.h"
#include "coll_topo/mca/transport/memory_transport.h"

#include "ompi/communicator/communicator.h"

#include <stdlib.h>

static void describe(struct coll_topo_request* call) {
    const struct coll_topo_arguments* const arguments = &call->arguments;
    if (call->collective == COLL_TOPO_GATHERV) {
        coll_topo_unequal_set_gatherv(&call->unequal, call->communicator, arguments->send_buffer, arguments->send_count,
                                      arguments->send_type, arguments->receive_buffer, arguments->receive_counts,
                                      arguments->receive_displacements, arguments->receive_type, arguments->root);
    } else {
        coll_topo_unequal_set_scatterv(&call->unequal, call->communicator, arguments->send_buffer,
                                       arguments->send_counts, arguments->send_displacements, arguments->send_type,
                                       arguments->receive_buffer, arguments->receive_count, arguments->receive_type,
                                       arguments->root);
    }
}

/* Where a piece was too long for its memory, all others have got theirs. */
static int finish(struct coll_topo_request* call, int error) {
    const bool truncated = call->instead != NULL;
    free(call->instead);
    call->instead = NULL;
    return error == OMPI_SUCCESS && truncated ? MPI_ERR_TRUNCATE : error;
}

static int begin_with_pieces(struct coll_topo_request* call, coll_topo_plan* plan) {
    struct coll_topo_gathered_pieces* const transport = &call->transport.gathered;
    const int first_tag = transport->pml.first_tag;
    call->go_on = NULL;
    coll_topo_unequal_set(&call->unequal, transport, call->state->module->memory, call->instead, &call->buffers);
    coll_topo_pml_transport_detach(&transport->pml, first_tag);
    return coll_topo_request_error(
        call, coll_topo_execution_begin(call->execution, plan, &transport->pml.base, &call->buffers, false));
}

static int begin_by_plan(struct coll_topo_request* call) {
    return begin_with_pieces(call, call->plan);
}

/* For what goes ahead of pieces. */
static coll_topo_transport* transport_of_bytes(struct coll_topo_request* call) {
    struct coll_topo_pml_transport* const transport = &call->transport.pml;
    const int first_tag = transport->first_tag;
    coll_topo_pml_transport_bytes(transport, call->communicator);
    coll_topo_use_host_memory(transport, call->state->module->memory);
    coll_topo_pml_transport_detach(transport, first_tag);
    return &transport->base;
}

static int begin_with_cells(struct coll_topo_request* call, coll_topo_plan* plan,
                            int (*go_on)(struct coll_topo_request* call)) {
    const int filled = coll_topo_unequal_fill_cells(&call->unequal, coll_topo_plan_is_direct(plan));
    if (filled != OMPI_SUCCESS) {
        return filled;
    }
    call->go_on = go_on;
    return coll_topo_request_error(
        call, coll_topo_execution_begin_sizes(call->execution, plan, transport_of_bytes(call), call->unequal.root,
                                              &call->unequal.cells, call->unequal.sizes));
}

static int go_on_with_answers(struct coll_topo_request* call) {
    if (coll_topo_unequal_goes_by_plan(&call->unequal)) {
        return begin_with_cells(call, call->plan, begin_by_plan);
    }
    return begin_with_pieces(call, coll_topo_plan_of_cells(call->plan));
}

/* Cells have come directly. */
static int begin_with_answers(struct coll_topo_request* call) {
    if (!coll_topo_unequal_set_answers(&call->unequal, &call->buffers)) {
        return begin_with_pieces(call, coll_topo_plan_of_cells(call->plan));
    }
    call->go_on = go_on_with_answers;
    return coll_topo_request_error(call,
                                   coll_topo_execution_begin(call->execution, coll_topo_plan_of_answers(call->plan),
                                                             transport_of_bytes(call), &call->buffers, false));
}

/* With the sizes known. */
static int go_on_with_sizes(struct coll_topo_request* call) {
    const bool too_long = coll_topo_unequal_is_too_long(&call->unequal);
    const int error = coll_topo_unequal_take_short(&call->unequal, !too_long);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (too_long) {
        call->instead = malloc(coll_topo_unequal_bytes(&call->unequal) + 1);
        if (call->instead == NULL) {
            return OMPI_ERR_OUT_OF_RESOURCE;
        }
    }
    return coll_topo_plan_of_answers(call->plan) != NULL ? begin_with_answers(call) : begin_by_plan(call);
}

static int begin(struct coll_topo_request* call) {
    coll_topo_unequal_set_known_sizes(&call->unequal, call->plan);
    if (coll_topo_plan_is_direct(call->plan)) {
        return go_on_with_sizes(call);
    }
    return begin_with_cells(call, coll_topo_plan_of_cells(call->plan), go_on_with_sizes);
}

int coll_topo_prepare_unequal_rooted(struct coll_topo_request* call, bool* served) {
    coll_topo_plan* plan = NULL;
    const int error = coll_topo_request_plan(call, 0, call->arguments.root, 1, &plan);
    *served = plan != NULL;
    if (error != OMPI_SUCCESS || plan == NULL) {
        return error;
    }
    describe(call);
    /* What an execution has for its caller goes with its first run. */
    call->sizes = malloc(coll_topo_unequal_memory(&call->unequal, plan));
    if (call->sizes == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    coll_topo_unequal_use(&call->unequal, plan, call->sizes);
    call->begin = begin;
    call->finish = finish;
    const coll_topo_buffers none = {.elements = 0};
    coll_topo_request_set(call, plan, &none);
    coll_topo_request_keep_plan(call);
    return OMPI_SUCCESS;
}
