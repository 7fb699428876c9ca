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

static int exchange_pieces(struct coll_topo_request* call, coll_topo_plan* plan) {
    const struct coll_topo_exchange exchange =
        coll_topo_exchange_of(call->communicator, call->collective, &call->arguments);
    const coll_topo_buffers buffers = {.elements = 0};
    void* memory = coll_topo_request_memory(call, coll_topo_piece_transport_memory(exchange.inputs, exchange.outputs));
    if (memory == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    coll_topo_piece_transport_begin(&call->transport.pieces, call->communicator,
                                    exchange.in_place ? NULL : &exchange.input, exchange.inputs, &exchange.output,
                                    exchange.outputs, call->state->module->memory, memory);
    call->finish = end_pieces;
    coll_topo_request_set(call, plan, &buffers);
    return OMPI_SUCCESS;
}

static int exchange_packed(struct coll_topo_request* call, coll_topo_plan* plan) {
    const struct coll_topo_arguments* const arguments = &call->arguments;
    struct coll_topo_pml_transport* const transport = &call->transport.pml;
    const bool in_place = arguments->send_buffer == MPI_IN_PLACE;
    const size_t whole = coll_topo_exchange_bytes(call->communicator, call->collective, arguments);
    coll_topo_pml_transport_bytes(transport, call->communicator);
    coll_topo_use_host_memory(transport, call->state->module->memory);
    call->result_view = coll_topo_exchange_output(call->communicator, call->collective, arguments);
    call->source_view =
        in_place ? call->result_view : coll_topo_exchange_input(call->communicator, call->collective, arguments);
    char* input = in_place ? NULL : coll_topo_pml_bytes_of(transport, &call->source_view);
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
    const size_t piece = whole / (size_t)coll_topo_exchange_partners(call->communicator, call->collective);
    const coll_topo_buffers buffers = {.input = input, .output = output, .elements = piece};
    coll_topo_request_set(call, plan, &buffers);
    return OMPI_SUCCESS;
}

int coll_topo_prepare_exchange(struct coll_topo_request* call, bool* served) {
    struct ompi_communicator_t* const communicator = call->communicator;
    const int collective = call->collective;
    const bool equal = coll_topo_has_equal_pieces(collective);
    const size_t bytes = equal ? coll_topo_exchange_bytes(communicator, collective, &call->arguments) : 0;
    coll_topo_buffers buffers;
    coll_topo_plan* plan = NULL;
    if (equal && bytes == 0 && coll_topo_exchange_partners(communicator, collective) > 0) {
        return OMPI_SUCCESS;
    }
    const int error = coll_topo_request_plan(call, bytes, 0, 1, &plan);
    *served = plan != NULL;
    if (error != OMPI_SUCCESS || plan == NULL) {
        return error;
    }
    if (!coll_topo_request_copy_types(call)) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    if (coll_topo_exchange_where_it_is(&call->transport.pml, communicator, collective, &call->arguments,
                                       call->state->module->memory, &buffers)) {
        coll_topo_request_set(call, plan, &buffers);
        return OMPI_SUCCESS;
    }
    return coll_topo_plan_is_direct(plan) ? exchange_pieces(call, plan) : exchange_packed(call, plan);
}
