/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking and persistent calls of the alltoall family and to neighbours; compare exchange.c. */
#include "coll_topo/mca/call/exchange.h"
#include "coll_topo/mca/nonblocking/request.h"
#include "coll_topo/mca/transport/memory_transport.h"

#include "ompi/communicator/communicator.h"

static int end_pieces(struct coll_topo_request* call, int error) {
    coll_topo_piece_transport_end(&call->transport.pieces);
    return error;
}

static int exchange_pieces(struct coll_topo_request* call, coll_topo_plan* plan,
                           const struct coll_topo_exchange* exchange) {
    const coll_topo_buffers buffers = {.elements = 0};
    void* memory =
        coll_topo_request_memory(call, coll_topo_piece_transport_memory(exchange->inputs, exchange->outputs));
    if (memory == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    coll_topo_piece_transport_begin(&call->transport.pieces, call->communicator,
                                    exchange->in_place ? NULL : &exchange->input, exchange->inputs, &exchange->output,
                                    exchange->outputs, call->state->module->memory, memory);
    call->finish = end_pieces;
    coll_topo_request_set(call, plan, &buffers);
    return OMPI_SUCCESS;
}

static int exchange_packed(struct coll_topo_request* call, coll_topo_plan* plan,
                           const struct coll_topo_exchange* exchange) {
    struct coll_topo_pml_transport* const transport = &call->transport.pml;
    const size_t whole = coll_topo_exchange_bytes(exchange);
    coll_topo_pml_transport_bytes(transport, call->communicator);
    coll_topo_use_host_memory(transport, call->state->module->memory);
    coll_topo_exchange_views(exchange, &call->source_view, &call->result_view);
    char* input = exchange->in_place ? NULL : coll_topo_pml_bytes_of(transport, &call->source_view);
    char* output = coll_topo_pml_bytes_of(transport, &call->result_view);
    char* temporary = coll_topo_request_memory(call, input == NULL && output == NULL ? 2 * whole : whole);
    if (temporary == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    if (output == NULL) {
        output = temporary;
        temporary += whole;
        call->result = output;
        call->result_size = whole;
        call->finish = coll_topo_request_unpack;
    }
    if (input == NULL) {
        input = temporary;
        call->source = input;
        call->source_size = whole;
        call->load = coll_topo_request_pack;
    }
    const coll_topo_buffers buffers = {.input = input, .output = output, .elements = whole / (size_t)exchange->outputs};
    coll_topo_request_set(call, plan, &buffers);
    return OMPI_SUCCESS;
}

int coll_topo_prepare_exchange(struct coll_topo_request* call, bool* served) {
    struct coll_topo_exchange exchange = {.equal = false};
    coll_topo_buffers buffers;
    coll_topo_plan* plan = NULL;
    const bool equal = coll_topo_has_equal_pieces(call->collective);
    if (equal) {
        exchange = coll_topo_exchange_of(call->communicator, call->collective, &call->arguments);
        if (coll_topo_exchange_is_empty(&exchange)) {
            return OMPI_SUCCESS;
        }
    }
    const size_t bytes = equal ? coll_topo_exchange_bytes(&exchange) : 0;
    const int error = coll_topo_request_plan(call, bytes, 0, 1, &plan);
    *served = plan != NULL;
    if (error != OMPI_SUCCESS || plan == NULL) {
        return error;
    }
    if (!equal) {
        if (!coll_topo_request_copy_types(call)) {
            return OMPI_ERR_OUT_OF_RESOURCE;
        }
        exchange = coll_topo_exchange_of(call->communicator, call->collective, &call->arguments);
    }
    if (coll_topo_exchange_where_it_is(&call->transport.pml, call->communicator, &exchange, call->state->module->memory,
                                       &buffers)) {
        coll_topo_request_set(call, plan, &buffers);
        return OMPI_SUCCESS;
    }
    return coll_topo_plan_is_direct(plan) ? exchange_pieces(call, plan, &exchange)
                                          : exchange_packed(call, plan, &exchange);
}
