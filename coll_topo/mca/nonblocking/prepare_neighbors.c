/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking and persistent calls to the neighbours of a Cartesian communicator; compare neighbors.c. */
#include "coll_topo/mca/call/neighbors.h"
#include "coll_topo/mca/nonblocking/request.h"

#include "ompi/communicator/communicator.h"

static int end_pieces(struct coll_topo_request* call, int error) {
    coll_topo_piece_transport_end(&call->transport.pieces);
    return error;
}

static int exchange(struct coll_topo_request* call, coll_topo_plan* plan,
                    const struct coll_topo_neighbor_pieces* pieces) {
    coll_topo_host_memory* const host_memory = call->state->module->memory;
    coll_topo_buffers buffers = {.elements = 0};
    if (coll_topo_neighbor_bytes_set(&call->transport.pml, call->communicator, pieces, host_memory, &buffers)) {
        coll_topo_request_set(call, plan, &buffers);
        return OMPI_SUCCESS;
    }
    void* memory = coll_topo_request_memory(call, coll_topo_piece_transport_memory(pieces->inputs, pieces->outputs));
    if (memory == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    buffers = (coll_topo_buffers){.elements = 0};
    coll_topo_piece_transport_begin(&call->transport.pieces, call->communicator, &pieces->input, pieces->inputs,
                                    &pieces->output, pieces->outputs, host_memory, memory);
    call->finish = end_pieces;
    coll_topo_request_set(call, plan, &buffers);
    return OMPI_SUCCESS;
}

int coll_topo_prepare_neighbors(struct coll_topo_request* call, bool* served) {
    const struct coll_topo_arguments* const a = &call->arguments;
    const bool one_for_all = call->collective == COLL_TOPO_NEIGHBOR_ALLGATHER;
    const struct coll_topo_neighbor_pieces pieces =
        coll_topo_equal_neighbor_pieces(call->communicator, one_for_all, a->send_buffer, a->send_count, a->send_type,
                                        a->receive_buffer, a->receive_count, a->receive_type);
    const size_t bytes = coll_topo_neighbor_bytes(&pieces);
    coll_topo_plan* plan = NULL;
    if (pieces.outputs > 0 && bytes == 0) {
        return OMPI_SUCCESS;
    }
    const int error = coll_topo_request_plan(call, bytes, 0, 1, &plan);
    *served = plan != NULL;
    return error != OMPI_SUCCESS || plan == NULL ? error : exchange(call, plan, &pieces);
}

int coll_topo_prepare_unequal_neighbors(struct coll_topo_request* call, bool* served) {
    const struct coll_topo_arguments* const a = &call->arguments;
    const bool one_for_all = call->collective == COLL_TOPO_NEIGHBOR_ALLGATHERV;
    const bool typed = call->collective == COLL_TOPO_NEIGHBOR_ALLTOALLW;
    coll_topo_plan* plan = NULL;
    const int error = coll_topo_request_plan(call, 0, 0, 1, &plan);
    *served = plan != NULL;
    if (error != OMPI_SUCCESS || plan == NULL) {
        return error;
    }
    if (!coll_topo_request_copy_types(call)) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    const struct coll_topo_piece_list input =
        one_for_all ? coll_topo_equal_pieces(a->send_buffer, a->send_count, a->send_type)
        : typed ? coll_topo_pieces_at_bytes(a->send_buffer, a->send_counts, a->send_byte_displacements, a->send_types)
                : coll_topo_unequal_pieces(a->send_buffer, a->send_counts, a->send_displacements, a->send_type);
    const struct coll_topo_piece_list output =
        typed
            ? coll_topo_pieces_at_bytes(a->receive_buffer, a->receive_counts, a->receive_byte_displacements,
                                        a->receive_types)
            : coll_topo_unequal_pieces(a->receive_buffer, a->receive_counts, a->receive_displacements, a->receive_type);
    const struct coll_topo_neighbor_pieces pieces =
        coll_topo_unequal_neighbor_pieces(call->communicator, &input, one_for_all, &output);
    return exchange(call, plan, &pieces);
}
