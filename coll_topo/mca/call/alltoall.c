/* SPDX-License-Identifier: BSD-3-Clause */
/* The alltoall family. Ranks may pass different counts and datatypes of equal signature, so that only packed bytes are
 * the same on both sides of a message, and in alltoall on all ranks: those decide, and those are cut into messages. Of
 * alltoallv and alltoallw no rank knows all sizes, so none may decide by those it knows. */
#include "coll_topo/mca/call/exchange.h"
#include "coll_topo/mca/module/collectives.h"

int coll_topo_alltoall(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                       void* receive_buffer, coll_topo_count receive_count, struct ompi_datatype_t* receive_type,
                       struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    struct coll_topo_arguments arguments;
    arguments.send_buffer = send_buffer;
    arguments.send_count = send_count;
    arguments.send_type = send_type;
    arguments.receive_buffer = receive_buffer;
    arguments.receive_count = receive_count;
    arguments.receive_type = receive_type;
    int error = OMPI_SUCCESS;
    if (coll_topo_exchanged(module, communicator, COLL_TOPO_ALLTOALL, &arguments, &error)) {
        return error;
    }
    return module->previous_alltoall(send_buffer, send_count, send_type, receive_buffer, receive_count, receive_type,
                                     communicator, module->previous_alltoall_module);
}

int coll_topo_alltoallv(const void* send_buffer, coll_topo_counts send_counts,
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
    if (coll_topo_exchanged(module, communicator, COLL_TOPO_ALLTOALLV, &arguments, &error)) {
        return error;
    }
    return module->previous_alltoallv(send_buffer, send_counts, send_displacements, send_type, receive_buffer,
                                      receive_counts, receive_displacements, receive_type, communicator,
                                      module->previous_alltoallv_module);
}

int coll_topo_alltoallw(const void* send_buffer, coll_topo_counts send_counts,
                        coll_topo_displacements send_displacements, struct ompi_datatype_t* const* send_types,
                        void* receive_buffer, coll_topo_counts receive_counts,
                        coll_topo_displacements receive_displacements, struct ompi_datatype_t* const* receive_types,
                        struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    struct coll_topo_arguments arguments;
    arguments.send_buffer = send_buffer;
    arguments.send_counts = send_counts;
    arguments.send_displacements = send_displacements;
    arguments.send_types = send_types;
    arguments.receive_buffer = receive_buffer;
    arguments.receive_counts = receive_counts;
    arguments.receive_displacements = receive_displacements;
    arguments.receive_types = receive_types;
    int error = OMPI_SUCCESS;
    if (coll_topo_exchanged(module, communicator, COLL_TOPO_ALLTOALLW, &arguments, &error)) {
        return error;
    }
    return module->previous_alltoallw(send_buffer, send_counts, send_displacements, send_types, receive_buffer,
                                      receive_counts, receive_displacements, receive_types, communicator,
                                      module->previous_alltoallw_module);
}
