/* SPDX-License-Identifier: BSD-3-Clause */
/* The alltoall family, and calls to the neighbours of a Cartesian communicator, whose dimensions all ranks know. Ranks
 * may pass different counts and datatypes of equal signature, so that only packed bytes are the same on both sides of a
 * message: those decide where all pieces are equal, and those are cut into messages. Of unequal pieces no rank knows
 * all sizes, so none may decide by those it knows. */
#include "coll_topo/mca/call/exchange.h"
#include "coll_topo/mca/module/collectives.h"

/* ---- what a call is given of a side ------------------------------------------------------------------------------ */

/* Written down member by member, as an initializer would zero all others too, which short calls notice. */

static inline void send_equal(struct coll_topo_arguments* arguments, const void* buffer, coll_topo_count count,
                              struct ompi_datatype_t* type) {
    arguments->send_buffer = buffer;
    arguments->send_count = count;
    arguments->send_type = type;
}

static inline void receive_equal(struct coll_topo_arguments* arguments, void* buffer, coll_topo_count count,
                                 struct ompi_datatype_t* type) {
    arguments->receive_buffer = buffer;
    arguments->receive_count = count;
    arguments->receive_type = type;
}

static inline void send_unequal(struct coll_topo_arguments* arguments, const void* buffer, coll_topo_counts counts,
                                coll_topo_displacements displacements, struct ompi_datatype_t* type) {
    arguments->send_buffer = buffer;
    arguments->send_counts = counts;
    arguments->send_displacements = displacements;
    arguments->send_type = type;
}

static inline void receive_unequal(struct coll_topo_arguments* arguments, void* buffer, coll_topo_counts counts,
                                   coll_topo_displacements displacements, struct ompi_datatype_t* type) {
    arguments->receive_buffer = buffer;
    arguments->receive_counts = counts;
    arguments->receive_displacements = displacements;
    arguments->receive_type = type;
}

/* Each piece of a type of its own; where it lies comes besides, as neighbours say it in another type. */

static inline void send_of_types(struct coll_topo_arguments* arguments, const void* buffer, coll_topo_counts counts,
                                 struct ompi_datatype_t* const* types) {
    arguments->send_buffer = buffer;
    arguments->send_counts = counts;
    arguments->send_types = types;
}

static inline void receive_of_types(struct coll_topo_arguments* arguments, void* buffer, coll_topo_counts counts,
                                    struct ompi_datatype_t* const* types) {
    arguments->receive_buffer = buffer;
    arguments->receive_counts = counts;
    arguments->receive_types = types;
}

/* ---- the alltoall family ----------------------------------------------------------------------------------------- */

int coll_topo_alltoall(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                       void* receive_buffer, coll_topo_count receive_count, struct ompi_datatype_t* receive_type,
                       struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* const module = (struct coll_topo_module*)base;
    struct coll_topo_arguments arguments;
    int error = OMPI_SUCCESS;
    send_equal(&arguments, send_buffer, send_count, send_type);
    receive_equal(&arguments, receive_buffer, receive_count, receive_type);
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
    struct coll_topo_module* const module = (struct coll_topo_module*)base;
    struct coll_topo_arguments arguments;
    int error = OMPI_SUCCESS;
    send_unequal(&arguments, send_buffer, send_counts, send_displacements, send_type);
    receive_unequal(&arguments, receive_buffer, receive_counts, receive_displacements, receive_type);
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
    struct coll_topo_module* const module = (struct coll_topo_module*)base;
    struct coll_topo_arguments arguments;
    int error = OMPI_SUCCESS;
    send_of_types(&arguments, send_buffer, send_counts, send_types);
    arguments.send_displacements = send_displacements;
    receive_of_types(&arguments, receive_buffer, receive_counts, receive_types);
    arguments.receive_displacements = receive_displacements;
    if (coll_topo_exchanged(module, communicator, COLL_TOPO_ALLTOALLW, &arguments, &error)) {
        return error;
    }
    return module->previous_alltoallw(send_buffer, send_counts, send_displacements, send_types, receive_buffer,
                                      receive_counts, receive_displacements, receive_types, communicator,
                                      module->previous_alltoallw_module);
}

/* ---- neighbours -------------------------------------------------------------------------------------------------- */

int coll_topo_neighbor_allgather(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                                 void* receive_buffer, coll_topo_count receive_count,
                                 struct ompi_datatype_t* receive_type, struct ompi_communicator_t* communicator,
                                 mca_coll_base_module_t* base) {
    struct coll_topo_module* const module = (struct coll_topo_module*)base;
    struct coll_topo_arguments arguments;
    int error = OMPI_SUCCESS;
    send_equal(&arguments, send_buffer, send_count, send_type);
    receive_equal(&arguments, receive_buffer, receive_count, receive_type);
    if (coll_topo_exchanged(module, communicator, COLL_TOPO_NEIGHBOR_ALLGATHER, &arguments, &error)) {
        return error;
    }
    return module->previous_neighbor_allgather(send_buffer, send_count, send_type, receive_buffer, receive_count,
                                               receive_type, communicator, module->previous_neighbor_allgather_module);
}

int coll_topo_neighbor_allgatherv(const void* send_buffer, coll_topo_count send_count,
                                  struct ompi_datatype_t* send_type, void* receive_buffer,
                                  coll_topo_counts receive_counts, coll_topo_displacements receive_displacements,
                                  struct ompi_datatype_t* receive_type, struct ompi_communicator_t* communicator,
                                  mca_coll_base_module_t* base) {
    struct coll_topo_module* const module = (struct coll_topo_module*)base;
    struct coll_topo_arguments arguments;
    int error = OMPI_SUCCESS;
    send_equal(&arguments, send_buffer, send_count, send_type);
    receive_unequal(&arguments, receive_buffer, receive_counts, receive_displacements, receive_type);
    if (coll_topo_exchanged(module, communicator, COLL_TOPO_NEIGHBOR_ALLGATHERV, &arguments, &error)) {
        return error;
    }
    return module->previous_neighbor_allgatherv(send_buffer, send_count, send_type, receive_buffer, receive_counts,
                                                receive_displacements, receive_type, communicator,
                                                module->previous_neighbor_allgatherv_module);
}

int coll_topo_neighbor_alltoall(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                                void* receive_buffer, coll_topo_count receive_count,
                                struct ompi_datatype_t* receive_type, struct ompi_communicator_t* communicator,
                                mca_coll_base_module_t* base) {
    struct coll_topo_module* const module = (struct coll_topo_module*)base;
    struct coll_topo_arguments arguments;
    int error = OMPI_SUCCESS;
    send_equal(&arguments, send_buffer, send_count, send_type);
    receive_equal(&arguments, receive_buffer, receive_count, receive_type);
    if (coll_topo_exchanged(module, communicator, COLL_TOPO_NEIGHBOR_ALLTOALL, &arguments, &error)) {
        return error;
    }
    return module->previous_neighbor_alltoall(send_buffer, send_count, send_type, receive_buffer, receive_count,
                                              receive_type, communicator, module->previous_neighbor_alltoall_module);
}

int coll_topo_neighbor_alltoallv(const void* send_buffer, coll_topo_counts send_counts,
                                 coll_topo_displacements send_displacements, struct ompi_datatype_t* send_type,
                                 void* receive_buffer, coll_topo_counts receive_counts,
                                 coll_topo_displacements receive_displacements, struct ompi_datatype_t* receive_type,
                                 struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* const module = (struct coll_topo_module*)base;
    struct coll_topo_arguments arguments;
    int error = OMPI_SUCCESS;
    send_unequal(&arguments, send_buffer, send_counts, send_displacements, send_type);
    receive_unequal(&arguments, receive_buffer, receive_counts, receive_displacements, receive_type);
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
    struct coll_topo_module* const module = (struct coll_topo_module*)base;
    struct coll_topo_arguments arguments;
    int error = OMPI_SUCCESS;
    send_of_types(&arguments, send_buffer, send_counts, send_types);
    arguments.send_byte_displacements = send_displacements;
    receive_of_types(&arguments, receive_buffer, receive_counts, receive_types);
    arguments.receive_byte_displacements = receive_displacements;
    if (coll_topo_exchanged(module, communicator, COLL_TOPO_NEIGHBOR_ALLTOALLW, &arguments, &error)) {
        return error;
    }
    return module->previous_neighbor_alltoallw(send_buffer, send_counts, send_displacements, send_types, receive_buffer,
                                               receive_counts, receive_displacements, receive_types, communicator,
                                               module->previous_neighbor_alltoallw_module);
}
