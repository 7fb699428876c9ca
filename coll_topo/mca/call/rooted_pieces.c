/* SPDX-License-Identifier: BSD-3-Clause */
/* Gather and scatter of equal pieces. As in data_movement.c, packed bytes are what ranks agree on. */
#include "coll_topo/mca/call/rooted_pieces.h"

#include "coll_topo/mca/call/planned_call.h"
#include "coll_topo/mca/module/collectives.h"
#include "coll_topo/mca/transport/memory_transport.h"

#include "ompi/communicator/communicator.h"

static bool is_root(const struct coll_topo_rooted_arguments* arguments, struct ompi_communicator_t* communicator) {
    return ompi_comm_rank(communicator) == arguments->root;
}

static size_t bytes_sent(const struct coll_topo_rooted_arguments* arguments) {
    return (size_t)arguments->send_count * coll_topo_datatype_bytes(arguments->send_type);
}

static size_t bytes_received(const struct coll_topo_rooted_arguments* arguments) {
    return (size_t)arguments->receive_count * coll_topo_datatype_bytes(arguments->receive_type);
}

size_t coll_topo_gather_piece(const struct coll_topo_rooted_arguments* arguments,
                              struct ompi_communicator_t* communicator) {
    return is_root(arguments, communicator) ? bytes_received(arguments) : bytes_sent(arguments);
}

size_t coll_topo_scatter_piece(const struct coll_topo_rooted_arguments* arguments,
                               struct ompi_communicator_t* communicator) {
    return is_root(arguments, communicator) ? bytes_sent(arguments) : bytes_received(arguments);
}

/* Piece `rank` of those that lie one after the other. */
static char* piece_at(const void* buffer, int rank, coll_topo_count count, const struct coll_topo_packed_view* view) {
    return (char*)buffer + (ptrdiff_t)rank * (ptrdiff_t)count * view->extent;
}

/* What is sent or received where it lies need not be packed. */
static const void* input_of(struct coll_topo_pml_transport* transport, const void* buffer) {
    char* const bytes = coll_topo_pml_bytes_of(transport, &transport->send_view);
    if (bytes == NULL) {
        return buffer;
    }
    transport->base.pack = NULL;
    return bytes;
}

static void* output_of(struct coll_topo_pml_transport* transport, void* buffer) {
    char* const bytes = coll_topo_pml_bytes_of(transport, &transport->receive_view);
    if (bytes == NULL) {
        return buffer;
    }
    transport->base.unpack = NULL;
    return bytes;
}

void coll_topo_gather_set(struct coll_topo_pml_transport* transport, struct ompi_communicator_t* communicator,
                          coll_topo_host_memory* memory, const struct coll_topo_rooted_arguments* arguments,
                          coll_topo_buffers* buffers) {
    const void* own = arguments->send_buffer;
    coll_topo_pml_transport_packed(transport, communicator);
    coll_topo_use_host_memory(transport, memory);
    *buffers = (coll_topo_buffers){.elements = coll_topo_gather_piece(arguments, communicator)};
    if (is_root(arguments, communicator)) {
        coll_topo_packed_view_set(&transport->receive_view, arguments->receive_buffer,
                                  (size_t)arguments->receive_count * (size_t)ompi_comm_size(communicator),
                                  arguments->receive_type);
        buffers->output = output_of(transport, arguments->receive_buffer);
    }
    if (own == MPI_IN_PLACE) {
        own = piece_at(arguments->receive_buffer, arguments->root, arguments->receive_count, &transport->receive_view);
        coll_topo_packed_view_set(&transport->send_view, own, (size_t)arguments->receive_count,
                                  arguments->receive_type);
    } else {
        coll_topo_packed_view_set(&transport->send_view, own, (size_t)arguments->send_count, arguments->send_type);
    }
    buffers->input = input_of(transport, own);
}

int coll_topo_leave_in_place(coll_topo_transport* transport, const void* packed, size_t at, size_t bytes) {
    (void)transport;
    (void)packed;
    (void)at;
    (void)bytes;
    return COLL_TOPO_OK;
}

void coll_topo_scatter_set(struct coll_topo_pml_transport* transport, struct ompi_communicator_t* communicator,
                           coll_topo_host_memory* memory, const struct coll_topo_rooted_arguments* arguments,
                           coll_topo_buffers* buffers) {
    coll_topo_pml_transport_packed(transport, communicator);
    coll_topo_use_host_memory(transport, memory);
    *buffers = (coll_topo_buffers){.elements = coll_topo_scatter_piece(arguments, communicator)};
    if (is_root(arguments, communicator)) {
        coll_topo_packed_view_set(&transport->send_view, arguments->send_buffer,
                                  (size_t)arguments->send_count * (size_t)ompi_comm_size(communicator),
                                  arguments->send_type);
        buffers->input = input_of(transport, arguments->send_buffer);
    }
    if (arguments->receive_buffer == MPI_IN_PLACE) {
        transport->base.unpack = coll_topo_leave_in_place;
        return;
    }
    coll_topo_packed_view_set(&transport->receive_view, arguments->receive_buffer, (size_t)arguments->receive_count,
                              arguments->receive_type);
    buffers->output = output_of(transport, arguments->receive_buffer);
}

int coll_topo_gather(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                     void* receive_buffer, coll_topo_count receive_count, struct ompi_datatype_t* receive_type,
                     int root, struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    const struct coll_topo_rooted_arguments arguments = {send_buffer,   send_count,   send_type, receive_buffer,
                                                         receive_count, receive_type, root};
    const size_t bytes = coll_topo_gather_piece(&arguments, communicator) * (size_t)ompi_comm_size(communicator);
    coll_topo_plan* plan = NULL;
    if (bytes == 0) {
        return OMPI_SUCCESS;
    }
    const int error = coll_topo_plan_call(module, communicator, COLL_TOPO_GATHER, bytes, root, 1, &plan);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (plan == NULL) {
        return module->previous_gather(send_buffer, send_count, send_type, receive_buffer, receive_count, receive_type,
                                       root, communicator, module->previous_gather_module);
    }
    struct coll_topo_pml_transport transport;
    coll_topo_buffers buffers;
    coll_topo_gather_set(&transport, communicator, module->memory, &arguments, &buffers);
    return coll_topo_run_call(module, COLL_TOPO_GATHER, plan, &transport, &buffers);
}

int coll_topo_scatter(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                      void* receive_buffer, coll_topo_count receive_count, struct ompi_datatype_t* receive_type,
                      int root, struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    const struct coll_topo_rooted_arguments arguments = {send_buffer,   send_count,   send_type, receive_buffer,
                                                         receive_count, receive_type, root};
    const size_t bytes = coll_topo_scatter_piece(&arguments, communicator) * (size_t)ompi_comm_size(communicator);
    coll_topo_plan* plan = NULL;
    if (bytes == 0) {
        return OMPI_SUCCESS;
    }
    const int error = coll_topo_plan_call(module, communicator, COLL_TOPO_SCATTER, bytes, root, 1, &plan);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (plan == NULL) {
        return module->previous_scatter(send_buffer, send_count, send_type, receive_buffer, receive_count, receive_type,
                                        root, communicator, module->previous_scatter_module);
    }
    struct coll_topo_pml_transport transport;
    coll_topo_buffers buffers;
    coll_topo_scatter_set(&transport, communicator, module->memory, &arguments, &buffers);
    return coll_topo_run_call(module, COLL_TOPO_SCATTER, plan, &transport, &buffers);
}
