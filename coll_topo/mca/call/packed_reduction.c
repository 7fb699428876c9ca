/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/call/packed_reduction.h"

#include "coll_topo/mca/call/planned_call.h"
#include "coll_topo/mca/transport/unpacking_transport.h"

#include "ompi/communicator/communicator.h"

/* How many elements in a row have no byte in common. MPI promises it of what is received on any rank, and no more:
 * those that are sent may lie on each other, and there are more of them in a reduce_scatter. */
static size_t elements_apart(const struct coll_topo_reduction_call* call, int ranks) {
    if (!coll_topo_scatters(call->collective)) {
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

/* Packed bytes of the vector, and of the piece that a scattering collective gives. */
static size_t packed_size(const struct coll_topo_reduction_call* call, int collective) {
    const size_t own = call->own_end - call->own_begin;
    return (call->elements + (coll_topo_scatters(collective) ? own : 0)) * coll_topo_datatype_bytes(call->datatype);
}

size_t coll_topo_packed_reduction_memory(const struct coll_topo_reduction_call* call, int collective, int ranks) {
    return packed_size(call, collective) +
           coll_topo_unpacking_transport_memory(call->datatype, elements_apart(call, ranks));
}

void coll_topo_packed_reduction_set(struct coll_topo_packed_reduction* packed,
                                    struct coll_topo_unpacking_transport* transport,
                                    struct ompi_communicator_t* communicator,
                                    const struct coll_topo_reduction_call* call, int collective, char* memory) {
    const size_t size = coll_topo_datatype_bytes(call->datatype), own = call->own_end - call->own_begin;
    const size_t whole = call->elements * size;
    coll_topo_packed_view_set(&packed->operands_view, coll_topo_operands_of(call), call->elements, call->datatype);
    packed->operands = memory;
    packed->operands_size = whole;
    coll_topo_unpacking_transport_set(transport, communicator, call->datatype, call->operation,
                                      elements_apart(call, ompi_comm_size(communicator)),
                                      memory + packed_size(call, collective));
    packed->buffers = (coll_topo_buffers){.output = memory, .elements = call->elements};
    packed->result = memory + call->own_begin * size;
    packed->result_size = own * size;
    if (coll_topo_scatters(collective)) {
        packed->result = packed->buffers.output = memory + whole;
        packed->buffers.input = memory;
        packed->buffers.elements = coll_topo_has_piece_counts(call->piece_elements) ? call->elements : own;
        packed->buffers.piece_elements = call->piece_elements;
    }
}

int coll_topo_reduce_packed(struct coll_topo_module* module, struct ompi_communicator_t* communicator,
                            const struct coll_topo_reduction_call* call, int collective, coll_topo_plan* plan) {
    struct coll_topo_packed_reduction packed;
    struct coll_topo_unpacking_transport transport;
    char* const memory = coll_topo_temporary(
        module->plans, coll_topo_packed_reduction_memory(call, collective, ompi_comm_size(communicator)));
    if (memory == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    coll_topo_packed_reduction_set(&packed, &transport, communicator, call, collective, memory);
    int error = coll_topo_packed_view_read(&packed.operands_view, packed.operands, 0, packed.operands_size);
    if (error == OMPI_SUCCESS) {
        error = coll_topo_run_call(module, call->collective, plan, &transport.pml, &packed.buffers);
    }
    if (error == OMPI_SUCCESS) {
        error = transport.pml.error;
    }
    if (error != OMPI_SUCCESS || packed.result_size == 0) {
        return error;
    }
    struct coll_topo_packed_view view;
    coll_topo_packed_view_set(&view, call->receive_buffer, call->own_end - call->own_begin, call->datatype);
    return coll_topo_packed_view_write(&view, packed.result, 0, packed.result_size);
}
