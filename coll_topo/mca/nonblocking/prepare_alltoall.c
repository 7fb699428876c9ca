/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking and persistent calls of the alltoall family; compare alltoall.c. */
#include "coll_topo/mca/nonblocking/request.h"
#include "coll_topo/mca/transport/memory_transport.h"

#include "ompi/communicator/communicator.h"

/* ---- pieces where they are -----------------------------------------------------------------------------------------
 */

static int end_pieces(struct coll_topo_request* call, int error) {
    coll_topo_piece_transport_end(&call->transport.pieces);
    return error;
}

/* No input: in place. */
static int exchange_pieces(struct coll_topo_request* call, coll_topo_plan* plan,
                           const struct coll_topo_piece_list* input, const struct coll_topo_piece_list* output) {
    const coll_topo_buffers buffers = {.elements = 0};
    const int ranks = ompi_comm_size(call->communicator);
    void* memory = coll_topo_request_memory(call, coll_topo_piece_transport_memory(ranks, ranks));
    if (memory == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    coll_topo_piece_transport_begin(&call->transport.pieces, call->communicator, input, ranks, output, ranks,
                                    call->state->module->memory, memory);
    call->finish = end_pieces;
    coll_topo_request_set(call, plan, &buffers);
    return OMPI_SUCCESS;
}

/* ---- packed bytes --------------------------------------------------------------------------------------------------
 */

/* No view of a send buffer: in place. */
static int exchange_packed(struct coll_topo_request* call, coll_topo_plan* plan,
                           const struct coll_topo_packed_view* send_view, size_t whole) {
    struct coll_topo_pml_transport* const transport = &call->transport.pml;
    const struct coll_topo_packed_view* const receive_view = &call->result_view;
    coll_topo_pml_transport_bytes(transport, call->communicator);
    coll_topo_use_host_memory(transport, call->state->module->memory);
    char* input = send_view != NULL ? coll_topo_pml_bytes_of(transport, send_view) : NULL;
    char* output = coll_topo_pml_bytes_of(transport, receive_view);
    char* temporary = NULL;
    if (input == NULL || output == NULL) {
        temporary = coll_topo_request_memory(call, input == NULL && output == NULL ? 2 * whole : whole);
        if (temporary == NULL) {
            return OMPI_ERR_OUT_OF_RESOURCE;
        }
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
        call->source_view = send_view != NULL ? *send_view : *receive_view;
        call->source = input;
        call->source_size = whole;
        call->load = coll_topo_request_pack;
    }
    const coll_topo_buffers buffers = {
        .input = input, .output = output, .elements = whole / (size_t)ompi_comm_size(call->communicator)};
    coll_topo_request_set(call, plan, &buffers);
    return OMPI_SUCCESS;
}

int coll_topo_prepare_alltoall(struct coll_topo_request* call, bool* served) {
    const struct coll_topo_arguments* const arguments = &call->arguments;
    const size_t ranks = (size_t)ompi_comm_size(call->communicator);
    const size_t whole = ranks * (size_t)arguments->receive_count * coll_topo_datatype_bytes(arguments->receive_type);
    const bool in_place = arguments->send_buffer == MPI_IN_PLACE;
    coll_topo_plan* plan = NULL;
    if (whole == 0) {
        return OMPI_SUCCESS;
    }
    const int error = coll_topo_request_plan(call, whole, 0, 1, &plan);
    *served = plan != NULL;
    if (error != OMPI_SUCCESS || plan == NULL) {
        return error;
    }
    struct coll_topo_packed_view send_view;
    coll_topo_packed_view_set(&call->result_view, arguments->receive_buffer, ranks * (size_t)arguments->receive_count,
                              arguments->receive_type);
    if (!in_place) {
        coll_topo_packed_view_set(&send_view, arguments->send_buffer, ranks * (size_t)arguments->send_count,
                                  arguments->send_type);
    }
    const bool contiguous = call->result_view.bytes != NULL && !in_place && send_view.bytes != NULL;
    if (contiguous || !coll_topo_plan_is_direct(plan)) {
        return exchange_packed(call, plan, in_place ? NULL : &send_view, whole);
    }
    const struct coll_topo_piece_list output =
        coll_topo_equal_pieces(arguments->receive_buffer, arguments->receive_count, arguments->receive_type);
    if (in_place) {
        return exchange_pieces(call, plan, NULL, &output);
    }
    const struct coll_topo_piece_list input =
        coll_topo_equal_pieces(arguments->send_buffer, arguments->send_count, arguments->send_type);
    return exchange_pieces(call, plan, &input, &output);
}

int coll_topo_prepare_unequal_alltoall(struct coll_topo_request* call, bool* served) {
    const struct coll_topo_arguments* const a = &call->arguments;
    const bool typed = call->collective == COLL_TOPO_ALLTOALLW;
    coll_topo_plan* plan = NULL;
    const int error = coll_topo_request_plan(call, 0, 0, 1, &plan);
    *served = plan != NULL;
    if (error != OMPI_SUCCESS || plan == NULL) {
        return error;
    }
    if (!coll_topo_request_copy_types(call)) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    const struct coll_topo_piece_list output =
        typed
            ? coll_topo_typed_pieces(a->receive_buffer, a->receive_counts, a->receive_displacements, a->receive_types)
            : coll_topo_unequal_pieces(a->receive_buffer, a->receive_counts, a->receive_displacements, a->receive_type);
    if (a->send_buffer == MPI_IN_PLACE) {
        return exchange_pieces(call, plan, NULL, &output);
    }
    const struct coll_topo_piece_list input =
        typed ? coll_topo_typed_pieces(a->send_buffer, a->send_counts, a->send_displacements, a->send_types)
              : coll_topo_unequal_pieces(a->send_buffer, a->send_counts, a->send_displacements, a->send_type);
    return exchange_pieces(call, plan, &input, &output);
}
