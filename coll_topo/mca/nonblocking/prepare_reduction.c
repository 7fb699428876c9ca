/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking and persistent reductions. Those whose results must not depend on the order of operands at all
 * (fixed_point, exact) are the previous module's, but for operations that no order changes. */
#include "coll_topo/mca/call/operands.h"
#include "coll_topo/mca/call/packed_reduction.h"
#include "coll_topo/mca/module/parameters.h"
#include "coll_topo/mca/module/report.h"
#include "coll_topo/mca/nonblocking/request.h"
#include "coll_topo/mca/transport/memory_transport.h"

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/op/op.h"

/* ---- what the call asks for ---------------------------------------------------------------------------------------
 */

static void describe_scatter(struct coll_topo_request* call, struct coll_topo_reduction_call* reduction) {
    const int size = ompi_comm_size(call->communicator), own = ompi_comm_rank(call->communicator);
    const coll_topo_counts counts = call->arguments.receive_counts;
    for (int rank = 0; rank < size; ++rank) {
        const size_t piece = coll_topo_count_of(counts, rank);
        if (piece != coll_topo_count_of(counts, 0)) {
            reduction->piece_elements = coll_topo_piece_counts_of(counts);
        }
        if (rank == own) {
            reduction->own_begin = reduction->elements;
            reduction->own_end = reduction->elements + piece;
        }
        reduction->elements += piece;
    }
}

/* Member by member: an initializer zeroes the whole first, which the shortest calls notice. */
static void describe(struct coll_topo_request* call) {
    const struct coll_topo_arguments* const arguments = &call->arguments;
    struct coll_topo_reduction_call* const reduction = &call->reduction;
    const size_t rank = (size_t)ompi_comm_rank(call->communicator);
    reduction->collective = call->collective;
    reduction->send_buffer = arguments->send_buffer;
    reduction->receive_buffer = arguments->receive_buffer;
    reduction->elements = 0;
    reduction->piece_elements = (coll_topo_piece_counts){.ints = NULL};
    reduction->own_begin = 0;
    reduction->root = 0;
    reduction->datatype = arguments->send_type;
    reduction->operation = arguments->operation;
    switch (call->collective) {
        case COLL_TOPO_REDUCE_SCATTER:
            describe_scatter(call, reduction);
            return;
        case COLL_TOPO_REDUCE_SCATTER_BLOCK:
            reduction->elements = (size_t)arguments->receive_count * (size_t)ompi_comm_size(call->communicator);
            reduction->own_begin = (size_t)arguments->receive_count * rank;
            reduction->own_end = reduction->own_begin + (size_t)arguments->receive_count;
            return;
        case COLL_TOPO_REDUCE:
            reduction->root = arguments->root;
            break;
        default:
            break;
    }
    reduction->elements = (size_t)arguments->send_count;
    const bool gets_nothing = (call->collective == COLL_TOPO_REDUCE && (int)rank != arguments->root) ||
                              (call->collective == COLL_TOPO_EXSCAN && rank == 0);
    reduction->own_end = gets_nothing ? 0 : reduction->elements;
}

/* ---- how it is served ---------------------------------------------------------------------------------------------
 */

static int plan_for(struct coll_topo_request* call, int method, int collective, coll_topo_plan** plan) {
    const struct coll_topo_reduction_call* const reduction = &call->reduction;
    coll_topo_chooser* const choose =
        method == COLL_TOPO_BY_COORDINATES ? coll_topo_choose_fixed_order : coll_topo_choose;
    return coll_topo_nonblocking_plan(
        call->state, choose, collective, reduction->elements * coll_topo_datatype_bytes(reduction->datatype),
        collective == reduction->collective ? reduction->root : 0, ompi_op_is_commute(reduction->operation), plan);
}

/* No plan: the previous module's. Where the order must be fixed and there is no schedule for the collective, an
 * allreduce stands for it; scans have one. */
static int find_plan(struct coll_topo_request* call, int* collective, coll_topo_plan** plan) {
    int method = COLL_TOPO_AS_THEY_ARE;
    *collective = call->collective;
    *plan = NULL;
    if (OPAL_UNLIKELY(call->state->reproducible != COLL_TOPO_ANY_ORDER)) {
        method = coll_topo_reduction_method(call->state->reproducible, coll_topo_operation(call->reduction.operation),
                                            coll_topo_operand(call->reduction.datatype));
        if (method == COLL_TOPO_ENCODED) {
            if (coll_topo_parameters.require && ompi_comm_rank(call->communicator) == 0) {
                coll_topo_report_not_reproducible(call->communicator);
            }
            return OMPI_SUCCESS;
        }
    }
    int error = plan_for(call, method, call->collective, plan);
    if (error == OMPI_SUCCESS && *plan == NULL && method == COLL_TOPO_BY_COORDINATES) {
        *collective = COLL_TOPO_ALLREDUCE;
        error = plan_for(call, method, COLL_TOPO_ALLREDUCE, plan);
    }
    return error;
}

/* ---- on elements one behind the other ------------------------------------------------------------------------------
 */

/* Of an allreduce that stands for another collective: the part of its result that this rank gets. */
static int copy_result(struct coll_topo_request* call, int error) {
    const struct coll_topo_reduction_call* const reduction = &call->reduction;
    if (error != OMPI_SUCCESS || call->result_size == 0) {
        return error;
    }
    return ompi_datatype_copy_content_same_ddt(reduction->datatype, call->result_size, reduction->receive_buffer,
                                               (char*)call->result);
}

/* Compare coll_topo_reduction_transport. */
static void set_transport(struct coll_topo_request* call) {
    const struct coll_topo_reduction_call* const reduction = &call->reduction;
    struct coll_topo_pml_transport* const transport = &call->transport.pml;
    if (OPAL_LIKELY(call->keeps_transport && transport->datatype == reduction->datatype &&
                    transport->operation == reduction->operation)) {
        call->transport_as_before = true;
        return;
    }
    coll_topo_pml_transport_typed(transport, call->communicator, reduction->datatype, reduction->operation);
    coll_topo_use_host_memory(transport, call->state->module->memory);
    call->keeps_transport =
        ompi_datatype_is_predefined(reduction->datatype) && ompi_op_is_intrinsic(reduction->operation);
}

static int set_up(struct coll_topo_request* call, int collective, coll_topo_plan* plan) {
    const struct coll_topo_reduction_call* const reduction = &call->reduction;
    const struct coll_topo_pml_transport* const transport = &call->transport.pml;
    set_transport(call);
    if (!coll_topo_reduction_buffers(reduction, collective, plan, &call->buffers)) {
        const size_t extent = (size_t)transport->base.extent;
        char* const vector =
            coll_topo_request_memory(call, reduction->elements * extent + (size_t)transport->base.scratch_tail);
        if (vector == NULL) {
            return OMPI_ERR_OUT_OF_RESOURCE;
        }
        call->buffers.output = vector + transport->base.scratch_lead;
    }
    if (collective != reduction->collective) {
        call->result = (const char*)call->buffers.output + (ptrdiff_t)reduction->own_begin * transport->base.extent;
        call->result_size = reduction->own_end - reduction->own_begin;
        call->finish = copy_result;
    }
    coll_topo_request_set(call, plan, &call->buffers);
    return OMPI_SUCCESS;
}

/* ---- on packed copies ----------------------------------------------------------------------------------------------
 */

static int unpack_result(struct coll_topo_request* call, int error) {
    if (error == OMPI_SUCCESS) {
        error = call->transport.pml.error;
    }
    return error != OMPI_SUCCESS || call->result_size == 0
               ? error
               : coll_topo_packed_view_write(&call->result_view, call->result, 0, call->result_size);
}

static int set_up_packed(struct coll_topo_request* call, int collective, coll_topo_plan* plan) {
    struct coll_topo_packed_reduction packed;
    call->keeps_transport = false;
    char* const memory = coll_topo_request_memory(
        call, coll_topo_packed_reduction_memory(&call->reduction, collective, ompi_comm_size(call->communicator)));
    if (memory == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    coll_topo_packed_reduction_set(&packed, &call->transport.unpacking, call->communicator, &call->reduction,
                                   collective, memory);
    call->source_view = packed.operands_view;
    call->source = packed.operands;
    call->source_size = packed.operands_size;
    call->load = coll_topo_request_pack;
    call->result = packed.result;
    call->result_size = packed.result_size;
    coll_topo_packed_view_set(&call->result_view, call->reduction.receive_buffer,
                              call->reduction.own_end - call->reduction.own_begin, call->reduction.datatype);
    call->finish = unpack_result;
    coll_topo_request_set(call, plan, &packed.buffers);
    return OMPI_SUCCESS;
}

/* ---- on data of a device -------------------------------------------------------------------------------------------
 */

/* As the program has made it. */
static struct coll_topo_reduction_call original_of(const struct coll_topo_request* call) {
    struct coll_topo_reduction_call original = call->reduction;
    original.send_buffer = call->arguments.send_buffer;
    original.receive_buffer = call->arguments.receive_buffer;
    return original;
}

static int fetch_operands(struct coll_topo_request* call) {
    const struct coll_topo_reduction_call original = original_of(call);
    return coll_topo_fetch_operands(&original, &call->fetched);
}

static int return_results(struct coll_topo_request* call, int error) {
    const struct coll_topo_reduction_call original = original_of(call);
    if (error == OMPI_SUCCESS && call->result != NULL) {
        error = copy_result(call, error);
    }
    return coll_topo_return_results(&original, &call->fetched, error);
}

static int set_up_for_device(struct coll_topo_request* call, int collective, coll_topo_plan* plan) {
    int error = coll_topo_make_room_for_operands(&call->reduction, &call->fetched);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    call->reduction = call->fetched.call;
    call->result = NULL;
    error = set_up(call, collective, plan);
    call->load = fetch_operands;
    call->finish = return_results;
    return error;
}

int coll_topo_prepare_reduction(struct coll_topo_request* call, bool* served) {
    int collective = 0;
    coll_topo_plan* plan = NULL;
    describe(call);
    if (call->reduction.elements * coll_topo_datatype_bytes(call->reduction.datatype) == 0) {
        return OMPI_SUCCESS;
    }
    const int error = find_plan(call, &collective, &plan);
    *served = plan != NULL;
    if (error != OMPI_SUCCESS || plan == NULL) {
        return error;
    }
    if (coll_topo_needs_unpacking(call->reduction.datatype)) {
        return set_up_packed(call, collective, plan);
    }
    return OPAL_UNLIKELY(coll_topo_reduces_on_device(&call->reduction)) ? set_up_for_device(call, collective, plan)
                                                                        : set_up(call, collective, plan);
}
