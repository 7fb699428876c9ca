/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking and persistent allgather(v), bcast and barrier; compare data_movement.c, allgatherv.c and barrier.c. */
#include "coll_topo/mca/nonblocking/request.h"
#include "coll_topo/mca/transport/memory_transport.h"

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/op/op.h"

int coll_topo_prepare_allgather(struct coll_topo_request* call, bool* served) {
    const struct coll_topo_arguments* const arguments = &call->arguments;
    const size_t ranks = (size_t)ompi_comm_size(call->communicator);
    const size_t piece = (size_t)arguments->receive_count * coll_topo_datatype_bytes(arguments->receive_type);
    coll_topo_plan* plan = NULL;
    if (piece == 0) {
        return OMPI_SUCCESS;
    }
    const int error = coll_topo_request_plan(call, piece * ranks, 0, 1, &plan);
    *served = plan != NULL;
    if (error != OMPI_SUCCESS || plan == NULL) {
        return error;
    }
    struct coll_topo_pml_transport* const transport = &call->transport.pml;
    coll_topo_buffers buffers;
    coll_topo_allgather_set(transport, call->communicator, call->state->module->memory, arguments->send_buffer,
                            arguments->send_count, arguments->send_type, arguments->receive_buffer,
                            arguments->receive_count, arguments->receive_type, &buffers);
    coll_topo_request_set(call, plan, &buffers);
    return OMPI_SUCCESS;
}

int coll_topo_prepare_allgatherv(struct coll_topo_request* call, bool* served) {
    const struct coll_topo_arguments* const arguments = &call->arguments;
    const int ranks = ompi_comm_size(call->communicator);
    const struct coll_topo_piece_list pieces =
        coll_topo_unequal_pieces(arguments->receive_buffer, arguments->receive_counts, arguments->receive_displacements,
                                 arguments->receive_type);
    const size_t bytes = coll_topo_pieces_packed_size(&pieces, ranks);
    coll_topo_plan* plan = NULL;
    if (bytes == 0) {
        return OMPI_SUCCESS;
    }
    const int error = coll_topo_request_plan(call, bytes, 0, 1, &plan);
    *served = plan != NULL;
    if (error != OMPI_SUCCESS || plan == NULL) {
        return error;
    }
    void* const memory = coll_topo_request_memory(call, coll_topo_gathered_pieces_memory(ranks));
    if (memory == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    coll_topo_buffers buffers;
    coll_topo_gathered_pieces_set(&call->transport.gathered, call->communicator, call->state->module->memory,
                                  arguments->send_buffer, arguments->send_count, arguments->send_type, &pieces, memory,
                                  &buffers);
    coll_topo_request_set(call, plan, &buffers);
    return OMPI_SUCCESS;
}

/* ---- bcast ---------------------------------------------------------------------------------------------------------
 */

int coll_topo_prepare_bcast(struct coll_topo_request* call, bool* served) {
    const struct coll_topo_arguments* const arguments = &call->arguments;
    const size_t bytes = (size_t)arguments->receive_count * coll_topo_datatype_bytes(arguments->receive_type);
    const bool is_root = ompi_comm_rank(call->communicator) == arguments->root;
    coll_topo_plan* plan = NULL;
    if (bytes == 0) {
        return OMPI_SUCCESS;
    }
    const int error = coll_topo_request_plan(call, bytes, arguments->root, 1, &plan);
    *served = plan != NULL;
    if (error != OMPI_SUCCESS || plan == NULL) {
        return error;
    }
    struct coll_topo_pml_transport* const transport = &call->transport.pml;
    coll_topo_pml_transport_bytes(transport, call->communicator);
    coll_topo_use_host_memory(transport, call->state->module->memory);
    coll_topo_packed_view_set(&call->result_view, arguments->receive_buffer, (size_t)arguments->receive_count,
                              arguments->receive_type);
    char* packed = coll_topo_pml_bytes_of(transport, &call->result_view);
    if (packed == NULL) {
        packed = coll_topo_request_memory(call, bytes);
        if (packed == NULL) {
            return OMPI_ERR_OUT_OF_RESOURCE;
        }
        if (is_root) {
            call->source_view = call->result_view;
            call->source = packed;
            call->source_size = bytes;
            call->load = coll_topo_request_pack;
        } else {
            call->result = packed;
            call->result_size = bytes;
            call->finish = coll_topo_request_unpack;
        }
    }
    const coll_topo_buffers buffers = {.output = packed, .elements = bytes};
    coll_topo_request_set(call, plan, &buffers);
    return OMPI_SUCCESS;
}

/* ---- gather and scatter --------------------------------------------------------------------------------------------
 */

typedef size_t piece_size(const struct coll_topo_rooted_arguments* arguments, struct ompi_communicator_t* communicator);
typedef void transport_setter(struct coll_topo_pml_transport* transport, struct ompi_communicator_t* communicator,
                              coll_topo_host_memory* memory, const struct coll_topo_rooted_arguments* arguments,
                              coll_topo_buffers* buffers);

static int prepare_rooted(struct coll_topo_request* call, piece_size* piece_of, transport_setter* set, bool* served) {
    const struct coll_topo_arguments* const all = &call->arguments;
    const struct coll_topo_rooted_arguments arguments = {
        all->send_buffer,   all->send_count,   all->send_type, all->receive_buffer,
        all->receive_count, all->receive_type, all->root};
    const size_t bytes = piece_of(&arguments, call->communicator) * (size_t)ompi_comm_size(call->communicator);
    coll_topo_plan* plan = NULL;
    if (bytes == 0) {
        return OMPI_SUCCESS;
    }
    const int error = coll_topo_request_plan(call, bytes, all->root, 1, &plan);
    *served = plan != NULL;
    if (error != OMPI_SUCCESS || plan == NULL) {
        return error;
    }
    coll_topo_buffers buffers;
    set(&call->transport.pml, call->communicator, call->state->module->memory, &arguments, &buffers);
    coll_topo_request_set(call, plan, &buffers);
    return OMPI_SUCCESS;
}

int coll_topo_prepare_gather(struct coll_topo_request* call, bool* served) {
    return prepare_rooted(call, coll_topo_gather_piece, coll_topo_gather_set, served);
}

int coll_topo_prepare_scatter(struct coll_topo_request* call, bool* served) {
    return prepare_rooted(call, coll_topo_scatter_piece, coll_topo_scatter_set, served);
}

/* ---- barrier -------------------------------------------------------------------------------------------------------
 */

int coll_topo_prepare_barrier(struct coll_topo_request* call, bool* served) {
    coll_topo_plan* plan = NULL;
    const int error = coll_topo_request_plan(call, 0, 0, 1, &plan);
    *served = plan != NULL;
    size_t* const least = &call->state->least_bytes[COLL_TOPO_BARRIER];
    if (error == OMPI_SUCCESS && plan == NULL && *least == 0) {
        *least = 1; /* no other one has a plan: they are not looked up again */
    }
    if (error != OMPI_SUCCESS || plan == NULL) {
        return error;
    }
    struct coll_topo_pml_transport* const transport = &call->transport.pml;
    call->nothing = 0;
    coll_topo_pml_transport_typed(transport, call->communicator, &ompi_mpi_byte.dt, &ompi_mpi_op_bor.op);
    coll_topo_use_host_memory(transport, call->state->module->memory);
    const coll_topo_buffers buffers = {.output = &call->nothing, .elements = 1};
    coll_topo_request_set(call, plan, &buffers);
    return OMPI_SUCCESS;
}
