/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather and bcast, which only move data. Ranks may pass different counts and datatypes of
 * equal signature, so that only packed bytes are the same on all of them: those decide, and those are cut into
 * messages. */
#include "coll_topo/mca/call/data_movement.h"

#include "coll_topo/mca/call/planned_call.h"
#include "coll_topo/mca/module/collectives.h"
#include "coll_topo/mca/transport/memory_transport.h"

#include "ompi/communicator/communicator.h"

void coll_topo_allgather_set(struct coll_topo_pml_transport* transport, struct ompi_communicator_t* communicator,
                             coll_topo_host_memory* memory, const void* send_buffer, coll_topo_count send_count,
                             struct ompi_datatype_t* send_type, void* receive_buffer, coll_topo_count receive_count,
                             struct ompi_datatype_t* receive_type, coll_topo_buffers* buffers) {
    coll_topo_pml_transport_packed(transport, communicator);
    coll_topo_use_host_memory(transport, memory);
    coll_topo_packed_view_set(&transport->receive_view, receive_buffer,
                              (size_t)receive_count * (size_t)ompi_comm_size(communicator), receive_type);
    if (send_buffer == MPI_IN_PLACE) {
        const ptrdiff_t own =
            (ptrdiff_t)ompi_comm_rank(communicator) * (ptrdiff_t)receive_count * transport->receive_view.extent;
        send_buffer = (const char*)receive_buffer + own;
        coll_topo_packed_view_set(&transport->send_view, send_buffer, (size_t)receive_count, receive_type);
    } else {
        coll_topo_packed_view_set(&transport->send_view, send_buffer, (size_t)send_count, send_type);
    }
    *buffers = (coll_topo_buffers){.input = send_buffer,
                                   .output = receive_buffer,
                                   .elements = (size_t)receive_count * transport->receive_view.element_size};
    char* const output = coll_topo_pml_bytes_of(transport, &transport->receive_view);
    char* const input = coll_topo_pml_bytes_of(transport, &transport->send_view);
    if (output != NULL) {
        /* Then pieces may be received where they belong. */
        transport->base.unpack = NULL;
        buffers->output = output;
    }
    if (input != NULL) {
        transport->base.pack = NULL;
        buffers->input = input;
    }
}

int coll_topo_allgather(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                        void* receive_buffer, coll_topo_count receive_count, struct ompi_datatype_t* receive_type,
                        struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    const size_t ranks = (size_t)ompi_comm_size(communicator);
    const size_t piece = (size_t)receive_count * coll_topo_datatype_bytes(receive_type);
    coll_topo_plan* plan = NULL;
    if (piece == 0) {
        return OMPI_SUCCESS;
    }
    const int error = coll_topo_plan_call(module, communicator, COLL_TOPO_ALLGATHER, piece * ranks, 0, 1, &plan);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (plan == NULL) {
        return module->previous_allgather(send_buffer, send_count, send_type, receive_buffer, receive_count,
                                          receive_type, communicator, module->previous_allgather_module);
    }
    struct coll_topo_pml_transport transport;
    coll_topo_buffers buffers;
    coll_topo_allgather_set(&transport, communicator, module->memory, send_buffer, send_count, send_type,
                            receive_buffer, receive_count, receive_type, &buffers);
    return coll_topo_run_call(module, COLL_TOPO_ALLGATHER, plan, &transport, &buffers);
}

int coll_topo_bcast(void* buffer, coll_topo_count count, struct ompi_datatype_t* datatype, int root,
                    struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    const size_t bytes = (size_t)count * coll_topo_datatype_bytes(datatype);
    const bool is_root = ompi_comm_rank(communicator) == root;
    coll_topo_plan* plan = NULL;
    if (bytes == 0) {
        return OMPI_SUCCESS;
    }
    int error = coll_topo_plan_call(module, communicator, COLL_TOPO_BCAST, bytes, root, 1, &plan);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (plan == NULL) {
        return module->previous_bcast(buffer, count, datatype, root, communicator, module->previous_bcast_module);
    }
    struct coll_topo_pml_transport transport;
    coll_topo_pml_transport_bytes(&transport, communicator);
    coll_topo_use_host_memory(&transport, module->memory);
    struct coll_topo_packed_view view;
    coll_topo_packed_view_set(&view, buffer, (size_t)count, datatype);
    char* const in_place = coll_topo_pml_bytes_of(&transport, &view);
    char* const packed = in_place != NULL ? in_place : coll_topo_temporary(module->plans, bytes);
    if (packed == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    if (is_root && packed != in_place) {
        error = coll_topo_packed_view_read(&view, packed, 0, bytes);
    }
    if (error == OMPI_SUCCESS) {
        const coll_topo_buffers buffers = {.output = packed, .elements = bytes};
        error = coll_topo_run_call(module, COLL_TOPO_BCAST, plan, &transport, &buffers);
    }
    if (error == OMPI_SUCCESS && !is_root && packed != in_place) {
        error = coll_topo_packed_view_write(&view, packed, 0, bytes);
    }
    return error;
}
