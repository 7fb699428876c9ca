/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls to the neighbours of a Cartesian communicator. All ranks know its dimensions, and so choose alike without a
 * message. Of unequal pieces no rank knows all sizes, so none may decide by those it knows. */
#include "coll_topo/mca/call/exchange.h"
#include "coll_topo/mca/module/collectives.h"

int coll_topo_neighbor_allgather(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                                 void* receive_buffer, coll_topo_count receive_count,
                                 struct ompi_datatype_t* receive_type, struct ompi_communicator_t* communicator,
                                 mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    struct coll_topo_arguments arguments;
    arguments.send_buffer = send_buffer;
    arguments.send_count = send_count;
    arguments.send_type = send_type;
    arguments.receive_buffer = receive_buffer;
    arguments.receive_count = receive_count;
    arguments.receive_type = receive_type;
    int error = OMPI_SUCCESS;
    if (coll_topo_exchanged(module, communicator, COLL_TOPO_NEIGHBOR_ALLGATHER, &arguments, &error)) {
        return error;
    }
    return module->previous_neighbor_allgather(send_buffer, send_count, send_type, receive_buffer, receive_count,
                                               receive_type, communicator, module->previous_neighbor_allgather_module);
}

int coll_topo_neighbor_alltoall(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                                void* receive_buffer, coll_topo_count receive_count,
                                struct ompi_datatype_t* receive_type, struct ompi_communicator_t* communicator,
                                mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    struct coll_topo_arguments arguments;
    arguments.send_buffer = send_buffer;
    arguments.send_count = send_count;
    arguments.send_type = send_type;
    arguments.receive_buffer = receive_buffer;
    arguments.receive_count = receive_count;
    arguments.receive_type = receive_type;
    int error = OMPI_SUCCESS;
    if (coll_topo_exchanged(module, communicator, COLL_TOPO_NEIGHBOR_ALLTOALL, &arguments, &error)) {
        return error;
    }
    return module->previous_neighbor_alltoall(send_buffer, send_count, send_type, receive_buffer, receive_count,
                                              receive_type, communicator, module->previous_neighbor_alltoall_module);
}

int coll_topo_neighbor_allgatherv(const void* send_buffer, coll_topo_count send_count,
                                  struct ompi_datatype_t* send_type, void* receive_buffer,
                                  coll_topo_counts receive_counts, coll_topo_displacements displacements,
                                  struct ompi_datatype_t* receive_type, struct ompi_communicator_t* communicator,
                                  mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    struct coll_topo_arguments arguments;
    arguments.send_buffer = send_buffer;
    arguments.send_count = send_count;
    arguments.send_type = send_type;
    arguments.receive_buffer = receive_buffer;
    arguments.receive_counts = receive_counts;
    arguments.receive_displacements = displacements;
    arguments.receive_type = receive_type;
    int error = OMPI_SUCCESS;
    if (coll_topo_exchanged(module, communicator, COLL_TOPO_NEIGHBOR_ALLGATHERV, &arguments, &error)) {
        return error;
    }
    return module->previous_neighbor_allgatherv(send_buffer, send_count, send_type, receive_buffer, receive_counts,
                                                displacements, receive_type, communicator,
                                                module->previous_neighbor_allgatherv_module);
}

int coll_topo_neighbor_alltoallv(const void* send_buffer, coll_topo_counts send_counts,
                                 coll_topo_displacements send_displacements, struct ompi_datatype_t* send_type,
                                 void* receive_buffer, coll_topo_counts receive_counts,
                                 coll_topo_displacements receive_displacements, struct ompi_datatype_t* receive_type,
                                 struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    struct coll_topo_arguments arguments;
    arguments.send_buffer = send_buffer;
    arguments.send_counts = send_counts;
    arguments.send_displacements = send_displacements;
    arguments.send_type = send_type;
    arguments.receive_buffer = receive_buffer;
    arguments.receive_counts = receive_counts;
    arguments.receive_displacements = receive_displacements;
    arguments.receive_type = receive_type;
    int error = OMPI_SUCCESS;
    if (coll_topo_exchanged(module, communicator, COLL_TOPO_NEIGHBOR_ALLTOALLV, &arguments, &error)) {
        return error;
    }
    return module->previous_neighbor_alltoallv(send_buffer, send_counts, send_displacements, send_type, receive_buffer,
                                               receive_counts, receive_displacements, receive_type, communicator,
                                               module->previous_neighbor_alltoallv_module);
}

int coll_topo_neighbor_alltoallw(const void* send_buffer, coll_topo_counts send_counts,
                                 coll_topo_byte_displacements send_displacements,
                                 struct ompi_datatype_t* const* send_types, void* receive_buffer,
                                 coll_topo_counts receive_counts, coll_topo_byte_displacements receive_displacements,
                                 struct ompi_datatype_t* const* receive_types, struct ompi_communicator_t* communicator,
                                 mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    struct coll_topo_arguments arguments;
    arguments.send_buffer = send_buffer;
    arguments.send_counts = send_counts;
    arguments.send_byte_displacements = send_displacements;
    arguments.send_types = send_types;
    arguments.receive_buffer = receive_buffer;
    arguments.receive_counts = receive_counts;
    arguments.receive_byte_displacements = receive_displacements;
    arguments.receive_types = receive_types;
    int error = OMPI_SUCCESS;
    if (coll_topo_exchanged(module, communicator, COLL_TOPO_NEIGHBOR_ALLTOALLW, &arguments, &error)) {
        return error;
    }
    return module->previous_neighbor_alltoallw(send_buffer, send_counts, send_displacements, send_types, receive_buffer,
                                               receive_counts, receive_displacements, receive_types, communicator,
                                               module->previous_neighbor_alltoallw_module);
}
