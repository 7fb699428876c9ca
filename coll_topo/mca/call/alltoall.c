/* SPDX-License-Identifier: BSD-3-Clause */
/* The alltoall family. Ranks may pass different counts and datatypes of equal signature, so that only packed bytes are
 * the same on both sides of a message, and in alltoall on all ranks: those decide, and those are cut into messages. */
#include "coll_topo/mca/call/planned_call.h"
#include "coll_topo/mca/module/collectives.h"
#include "coll_topo/mca/transport/memory_transport.h"
#include "coll_topo/mca/transport/piece_transport.h"

#include "ompi/communicator/communicator.h"

/* Runs a direct schedule on pieces where they are. No input: in place. */
static int exchange_pieces(struct coll_topo_module* module, int collective, coll_topo_plan* plan,
                           struct ompi_communicator_t* communicator, const struct coll_topo_piece_list* input,
                           const struct coll_topo_piece_list* output) {
    const coll_topo_buffers buffers = {.elements = 0};
    struct coll_topo_piece_transport transport;
    const int ranks = ompi_comm_size(communicator);
    void* memory = coll_topo_temporary(module->plans, coll_topo_piece_transport_memory(ranks, ranks));
    if (memory == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    coll_topo_piece_transport_begin(&transport, communicator, input, ranks, output, ranks, module->memory, memory);
    const int error = coll_topo_run_call(module, collective, plan, &transport.pml, &buffers);
    coll_topo_piece_transport_end(&transport);
    return error;
}

/* ---- alltoall ---------------------------------------------------------------------------------------------------- */

/* Runs any schedule on `whole` packed bytes on each rank. What is not contiguous is packed into temporary memory or
 * unpacked from it. No view of a send buffer: in place; the input is then a copy of what is received over. */
static int exchange_packed(struct coll_topo_module* module, coll_topo_plan* plan,
                           struct ompi_communicator_t* communicator, const struct coll_topo_packed_view* send_view,
                           const struct coll_topo_packed_view* receive_view, size_t whole) {
    struct coll_topo_pml_transport transport;
    coll_topo_pml_transport_bytes(&transport, communicator);
    coll_topo_use_host_memory(&transport, module->memory);
    char* input = send_view != NULL ? coll_topo_pml_bytes_of(&transport, send_view) : NULL;
    char* output = coll_topo_pml_bytes_of(&transport, receive_view);
    const bool unpacks = output == NULL;
    char* temporary = NULL;
    int error = OMPI_SUCCESS;
    if (input == NULL || output == NULL) {
        temporary = coll_topo_temporary(module->plans, input == NULL && output == NULL ? 2 * whole : whole);
        if (temporary == NULL) {
            return OMPI_ERR_OUT_OF_RESOURCE;
        }
    }
    if (output == NULL) {
        output = temporary;
        temporary += whole;
    }
    if (input == NULL) {
        input = temporary;
        error = coll_topo_packed_view_read(send_view != NULL ? send_view : receive_view, input, 0, whole);
    }
    if (error == OMPI_SUCCESS) {
        const coll_topo_buffers buffers = {
            .input = input, .output = output, .elements = whole / (size_t)ompi_comm_size(communicator)};
        error = coll_topo_run_call(module, COLL_TOPO_ALLTOALL, plan, &transport, &buffers);
    }
    if (error == OMPI_SUCCESS && unpacks) {
        error = coll_topo_packed_view_write(receive_view, output, 0, whole);
    }
    return error;
}

int coll_topo_alltoall(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                       void* receive_buffer, coll_topo_count receive_count, struct ompi_datatype_t* receive_type,
                       struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    const size_t ranks = (size_t)ompi_comm_size(communicator);
    const size_t whole = ranks * (size_t)receive_count * coll_topo_datatype_bytes(receive_type);
    const bool in_place = send_buffer == MPI_IN_PLACE;
    coll_topo_plan* plan = NULL;
    if (whole == 0) {
        return OMPI_SUCCESS;
    }
    const int error = coll_topo_plan_call(module, communicator, COLL_TOPO_ALLTOALL, whole, 0, 1, &plan);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (plan == NULL) {
        return module->previous_alltoall(send_buffer, send_count, send_type, receive_buffer, receive_count,
                                         receive_type, communicator, module->previous_alltoall_module);
    }
    struct coll_topo_packed_view send_view, receive_view;
    coll_topo_packed_view_set(&receive_view, receive_buffer, ranks * (size_t)receive_count, receive_type);
    if (!in_place) {
        coll_topo_packed_view_set(&send_view, send_buffer, ranks * (size_t)send_count, send_type);
    }
    const bool contiguous = receive_view.bytes != NULL && !in_place && send_view.bytes != NULL;
    if (contiguous || !coll_topo_plan_is_direct(plan)) {
        return exchange_packed(module, plan, communicator, in_place ? NULL : &send_view, &receive_view, whole);
    }
    const struct coll_topo_piece_list output = coll_topo_equal_pieces(receive_buffer, receive_count, receive_type);
    if (in_place) {
        return exchange_pieces(module, COLL_TOPO_ALLTOALL, plan, communicator, NULL, &output);
    }
    const struct coll_topo_piece_list input = coll_topo_equal_pieces(send_buffer, send_count, send_type);
    return exchange_pieces(module, COLL_TOPO_ALLTOALL, plan, communicator, &input, &output);
}

/* ---- alltoallv and alltoallw: no rank knows all sizes, so none may decide by those it knows ----------------- */

int coll_topo_alltoallv(const void* send_buffer, coll_topo_counts send_counts,
                        coll_topo_displacements send_displacements, struct ompi_datatype_t* send_type,
                        void* receive_buffer, coll_topo_counts receive_counts,
                        coll_topo_displacements receive_displacements, struct ompi_datatype_t* receive_type,
                        struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    coll_topo_plan* plan = NULL;
    const int error = coll_topo_plan_call(module, communicator, COLL_TOPO_ALLTOALLV, 0, 0, 1, &plan);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (plan == NULL) {
        return module->previous_alltoallv(send_buffer, send_counts, send_displacements, send_type, receive_buffer,
                                          receive_counts, receive_displacements, receive_type, communicator,
                                          module->previous_alltoallv_module);
    }
    const struct coll_topo_piece_list output =
        coll_topo_unequal_pieces(receive_buffer, receive_counts, receive_displacements, receive_type);
    if (send_buffer == MPI_IN_PLACE) {
        return exchange_pieces(module, COLL_TOPO_ALLTOALLV, plan, communicator, NULL, &output);
    }
    const struct coll_topo_piece_list input =
        coll_topo_unequal_pieces(send_buffer, send_counts, send_displacements, send_type);
    return exchange_pieces(module, COLL_TOPO_ALLTOALLV, plan, communicator, &input, &output);
}

int coll_topo_alltoallw(const void* send_buffer, coll_topo_counts send_counts,
                        coll_topo_displacements send_displacements, struct ompi_datatype_t* const* send_types,
                        void* receive_buffer, coll_topo_counts receive_counts,
                        coll_topo_displacements receive_displacements, struct ompi_datatype_t* const* receive_types,
                        struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    coll_topo_plan* plan = NULL;
    const int error = coll_topo_plan_call(module, communicator, COLL_TOPO_ALLTOALLW, 0, 0, 1, &plan);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (plan == NULL) {
        return module->previous_alltoallw(send_buffer, send_counts, send_displacements, send_types, receive_buffer,
                                          receive_counts, receive_displacements, receive_types, communicator,
                                          module->previous_alltoallw_module);
    }
    const struct coll_topo_piece_list output =
        coll_topo_typed_pieces(receive_buffer, receive_counts, receive_displacements, receive_types);
    if (send_buffer == MPI_IN_PLACE) {
        return exchange_pieces(module, COLL_TOPO_ALLTOALLW, plan, communicator, NULL, &output);
    }
    const struct coll_topo_piece_list input =
        coll_topo_typed_pieces(send_buffer, send_counts, send_displacements, send_types);
    return exchange_pieces(module, COLL_TOPO_ALLTOALLW, plan, communicator, &input, &output);
}
