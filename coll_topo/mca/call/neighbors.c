/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls to the neighbours of a Cartesian communicator. All ranks know its dimensions, and so choose alike without a
 * message. Of unequal pieces no rank knows all sizes, so none may decide by those it knows. */
#include "coll_topo/mca/call/neighbors.h"

#include "coll_topo/mca/call/planned_call.h"
#include "coll_topo/mca/module/collectives.h"
#include "coll_topo/mca/transport/memory_transport.h"
#include "coll_topo/mca/transport/neighbors.h"
#include "coll_topo/mca/transport/piece_transport.h"

#include "ompi/communicator/communicator.h"

/* ---- equal pieces ------------------------------------------------------------------------------------------------ */

struct coll_topo_neighbor_pieces coll_topo_equal_neighbor_pieces(struct ompi_communicator_t* communicator,
                                                                 bool one_for_all, const void* send_buffer,
                                                                 coll_topo_count send_count,
                                                                 struct ompi_datatype_t* send_type,
                                                                 void* receive_buffer, coll_topo_count receive_count,
                                                                 struct ompi_datatype_t* receive_type) {
    const int neighbors = coll_topo_neighbors(communicator);
    return (struct coll_topo_neighbor_pieces){
        .input = coll_topo_equal_pieces(send_buffer, send_count, send_type),
        .output = coll_topo_equal_pieces(receive_buffer, receive_count, receive_type),
        .inputs = one_for_all ? 1 : neighbors,
        .outputs = neighbors,
        .equal = true};
}

size_t coll_topo_neighbor_bytes(const struct coll_topo_neighbor_pieces* pieces) {
    return (size_t)pieces->outputs * (size_t)pieces->output.count * coll_topo_datatype_bytes(pieces->output.type);
}

bool coll_topo_neighbor_bytes_set(struct coll_topo_pml_transport* transport, struct ompi_communicator_t* communicator,
                                  const struct coll_topo_neighbor_pieces* pieces, coll_topo_host_memory* memory,
                                  coll_topo_buffers* buffers) {
    struct coll_topo_packed_view input_view, output_view;
    if (!pieces->equal) {
        return false;
    }
    coll_topo_pml_transport_bytes(transport, communicator);
    coll_topo_use_host_memory(transport, memory);
    coll_topo_packed_view_set(&input_view, pieces->input.buffer, (size_t)pieces->inputs * (size_t)pieces->input.count,
                              pieces->input.type);
    coll_topo_packed_view_set(&output_view, pieces->output.buffer,
                              (size_t)pieces->outputs * (size_t)pieces->output.count, pieces->output.type);
    *buffers = (coll_topo_buffers){.input = coll_topo_pml_bytes_of(transport, &input_view),
                                   .output = coll_topo_pml_bytes_of(transport, &output_view),
                                   .elements = coll_topo_neighbor_bytes(pieces) / (size_t)pieces->outputs};
    return buffers->input != NULL && buffers->output != NULL;
}

/* ---- all pieces -------------------------------------------------------------------------------------------------- */

static int exchange(struct coll_topo_module* module, int collective, coll_topo_plan* plan,
                    struct ompi_communicator_t* communicator, const struct coll_topo_neighbor_pieces* pieces) {
    struct coll_topo_piece_transport transport;
    coll_topo_buffers buffers = {.elements = 0};
    if (coll_topo_neighbor_bytes_set(&transport.pml, communicator, pieces, module->memory, &buffers)) {
        return coll_topo_run_call(module, collective, plan, &transport.pml, &buffers);
    }
    void* memory =
        coll_topo_temporary(module->plans, coll_topo_piece_transport_memory(pieces->inputs, pieces->outputs));
    if (memory == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    buffers = (coll_topo_buffers){.elements = 0};
    coll_topo_piece_transport_begin(&transport, communicator, &pieces->input, pieces->inputs, &pieces->output,
                                    pieces->outputs, module->memory, memory);
    const int error = coll_topo_run_call(module, collective, plan, &transport.pml, &buffers);
    coll_topo_piece_transport_end(&transport);
    return error;
}

/* Nothing to be sent: on a Cartesian communicator this is so on all ranks. */
static bool is_empty(const struct coll_topo_neighbor_pieces* pieces) {
    return pieces->outputs > 0 && coll_topo_neighbor_bytes(pieces) == 0;
}

int coll_topo_neighbor_allgather(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                                 void* receive_buffer, coll_topo_count receive_count,
                                 struct ompi_datatype_t* receive_type, struct ompi_communicator_t* communicator,
                                 mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    const struct coll_topo_neighbor_pieces pieces = coll_topo_equal_neighbor_pieces(
        communicator, true, send_buffer, send_count, send_type, receive_buffer, receive_count, receive_type);
    coll_topo_plan* plan = NULL;
    if (is_empty(&pieces)) {
        return OMPI_SUCCESS;
    }
    const int error = coll_topo_plan_call(module, communicator, COLL_TOPO_NEIGHBOR_ALLGATHER,
                                          coll_topo_neighbor_bytes(&pieces), 0, 1, &plan);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (plan == NULL) {
        return module->previous_neighbor_allgather(send_buffer, send_count, send_type, receive_buffer, receive_count,
                                                   receive_type, communicator,
                                                   module->previous_neighbor_allgather_module);
    }
    return exchange(module, COLL_TOPO_NEIGHBOR_ALLGATHER, plan, communicator, &pieces);
}

int coll_topo_neighbor_alltoall(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                                void* receive_buffer, coll_topo_count receive_count,
                                struct ompi_datatype_t* receive_type, struct ompi_communicator_t* communicator,
                                mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    const struct coll_topo_neighbor_pieces pieces = coll_topo_equal_neighbor_pieces(
        communicator, false, send_buffer, send_count, send_type, receive_buffer, receive_count, receive_type);
    coll_topo_plan* plan = NULL;
    if (is_empty(&pieces)) {
        return OMPI_SUCCESS;
    }
    const int error = coll_topo_plan_call(module, communicator, COLL_TOPO_NEIGHBOR_ALLTOALL,
                                          coll_topo_neighbor_bytes(&pieces), 0, 1, &plan);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (plan == NULL) {
        return module->previous_neighbor_alltoall(send_buffer, send_count, send_type, receive_buffer, receive_count,
                                                  receive_type, communicator,
                                                  module->previous_neighbor_alltoall_module);
    }
    return exchange(module, COLL_TOPO_NEIGHBOR_ALLTOALL, plan, communicator, &pieces);
}

/* ---- unequal pieces ---------------------------------------------------------------------------------------------- */

struct coll_topo_neighbor_pieces coll_topo_unequal_neighbor_pieces(struct ompi_communicator_t* communicator,
                                                                   const struct coll_topo_piece_list* input,
                                                                   bool one_for_all,
                                                                   const struct coll_topo_piece_list* output) {
    const int neighbors = coll_topo_neighbors(communicator);
    struct coll_topo_neighbor_pieces pieces = {
        .input = *input, .output = *output, .inputs = one_for_all ? 1 : neighbors, .outputs = neighbors};
    pieces.input.neighbors_of = one_for_all ? NULL : communicator;
    pieces.output.neighbors_of = communicator;
    return pieces;
}

int coll_topo_neighbor_allgatherv(const void* send_buffer, coll_topo_count send_count,
                                  struct ompi_datatype_t* send_type, void* receive_buffer,
                                  coll_topo_counts receive_counts, coll_topo_displacements displacements,
                                  struct ompi_datatype_t* receive_type, struct ompi_communicator_t* communicator,
                                  mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    coll_topo_plan* plan = NULL;
    const int error = coll_topo_plan_call(module, communicator, COLL_TOPO_NEIGHBOR_ALLGATHERV, 0, 0, 1, &plan);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (plan == NULL) {
        return module->previous_neighbor_allgatherv(send_buffer, send_count, send_type, receive_buffer, receive_counts,
                                                    displacements, receive_type, communicator,
                                                    module->previous_neighbor_allgatherv_module);
    }
    const struct coll_topo_piece_list input = coll_topo_equal_pieces(send_buffer, send_count, send_type);
    const struct coll_topo_piece_list output =
        coll_topo_unequal_pieces(receive_buffer, receive_counts, displacements, receive_type);
    const struct coll_topo_neighbor_pieces pieces =
        coll_topo_unequal_neighbor_pieces(communicator, &input, true, &output);
    return exchange(module, COLL_TOPO_NEIGHBOR_ALLGATHERV, plan, communicator, &pieces);
}

int coll_topo_neighbor_alltoallv(const void* send_buffer, coll_topo_counts send_counts,
                                 coll_topo_displacements send_displacements, struct ompi_datatype_t* send_type,
                                 void* receive_buffer, coll_topo_counts receive_counts,
                                 coll_topo_displacements receive_displacements, struct ompi_datatype_t* receive_type,
                                 struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    coll_topo_plan* plan = NULL;
    const int error = coll_topo_plan_call(module, communicator, COLL_TOPO_NEIGHBOR_ALLTOALLV, 0, 0, 1, &plan);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (plan == NULL) {
        return module->previous_neighbor_alltoallv(send_buffer, send_counts, send_displacements, send_type,
                                                   receive_buffer, receive_counts, receive_displacements, receive_type,
                                                   communicator, module->previous_neighbor_alltoallv_module);
    }
    const struct coll_topo_piece_list input =
        coll_topo_unequal_pieces(send_buffer, send_counts, send_displacements, send_type);
    const struct coll_topo_piece_list output =
        coll_topo_unequal_pieces(receive_buffer, receive_counts, receive_displacements, receive_type);
    const struct coll_topo_neighbor_pieces pieces =
        coll_topo_unequal_neighbor_pieces(communicator, &input, false, &output);
    return exchange(module, COLL_TOPO_NEIGHBOR_ALLTOALLV, plan, communicator, &pieces);
}

int coll_topo_neighbor_alltoallw(const void* send_buffer, coll_topo_counts send_counts,
                                 coll_topo_byte_displacements send_displacements,
                                 struct ompi_datatype_t* const* send_types, void* receive_buffer,
                                 coll_topo_counts receive_counts, coll_topo_byte_displacements receive_displacements,
                                 struct ompi_datatype_t* const* receive_types, struct ompi_communicator_t* communicator,
                                 mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    coll_topo_plan* plan = NULL;
    const int error = coll_topo_plan_call(module, communicator, COLL_TOPO_NEIGHBOR_ALLTOALLW, 0, 0, 1, &plan);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (plan == NULL) {
        return module->previous_neighbor_alltoallw(send_buffer, send_counts, send_displacements, send_types,
                                                   receive_buffer, receive_counts, receive_displacements, receive_types,
                                                   communicator, module->previous_neighbor_alltoallw_module);
    }
    const struct coll_topo_piece_list input =
        coll_topo_pieces_at_bytes(send_buffer, send_counts, send_displacements, send_types);
    const struct coll_topo_piece_list output =
        coll_topo_pieces_at_bytes(receive_buffer, receive_counts, receive_displacements, receive_types);
    const struct coll_topo_neighbor_pieces pieces =
        coll_topo_unequal_neighbor_pieces(communicator, &input, false, &output);
    return exchange(module, COLL_TOPO_NEIGHBOR_ALLTOALLW, plan, communicator, &pieces);
}
