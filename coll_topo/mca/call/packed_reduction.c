/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/call/packed_reduction.h"

#include "coll_topo/mca/call/planned_call.h"
#include "coll_topo/mca/transport/unpacking_transport.h"

#include "ompi/communicator/communicator.h"

/* How many elements in a row have no byte in common. MPI promises it of what is received on any rank, and no more:
 * those that are sent may lie on each other, and there are more of them in a reduce_scatter. */
static size_t elements_apart(const struct coll_topo_reduction_call* call, int ranks) {
    if (call->collective == COLL_TOPO_ALLREDUCE || call->collective == COLL_TOPO_REDUCE) {
        return call->elements;
    }
    if (!coll_topo_has_piece_counts(call->piece_elements)) {
        return call->own_end - call->own_begin;
    }
    size_t longest = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        const size_t elements = coll_topo_piece_count(call->piece_elements, rank);
        longest = elements > longest ? elements : longest;
    }
    return longest;
}

int coll_topo_reduce_packed(struct coll_topo_module* module, struct ompi_communicator_t* communicator,
                            const struct coll_topo_reduction_call* call, int collective, coll_topo_plan* plan) {
    const bool scatters = collective == COLL_TOPO_REDUCE_SCATTER || collective == COLL_TOPO_REDUCE_SCATTER_BLOCK;
    const size_t size = coll_topo_datatype_bytes(call->datatype), own = call->own_end - call->own_begin;
    const size_t whole = call->elements * size, apart = elements_apart(call, ompi_comm_size(communicator));
    const size_t packed = whole + (scatters ? own * size : 0);
    char* const vector =
        coll_topo_temporary(module->plans, packed + coll_topo_unpacking_transport_memory(call->datatype, apart));
    if (vector == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    struct coll_topo_packed_view view;
    coll_topo_packed_view_set(&view, coll_topo_operands_of(call), call->elements, call->datatype);
    int error = coll_topo_packed_view_read(&view, vector, 0, whole);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    struct coll_topo_unpacking_transport transport;
    coll_topo_unpacking_transport_set(&transport, communicator, call->datatype, call->operation, apart,
                                      vector + packed);
    coll_topo_buffers buffers = {.output = vector, .elements = call->elements};
    const char* result = vector + call->own_begin * size;
    if (scatters) {
        result = buffers.output = vector + whole;
        buffers.input = vector;
        buffers.elements = coll_topo_has_piece_counts(call->piece_elements) ? call->elements : own;
        buffers.piece_elements = call->piece_elements;
    }
    error = coll_topo_run_call(module, call->collective, plan, &transport.pml, &buffers);
    if (error == OMPI_SUCCESS) {
        error = transport.pml.error;
    }
    if (error != OMPI_SUCCESS || own == 0) {
        return error;
    }
    coll_topo_packed_view_set(&view, call->receive_buffer, own, call->datatype);
    return coll_topo_packed_view_write(&view, result, 0, own * size);
}
