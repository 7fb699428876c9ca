/* SPDX-License-Identifier: BSD-3-Clause */
/* The nonblocking collectives as Open MPI calls them. */
#include "coll_topo/mca/module/collectives.h"
#include "coll_topo/mca/nonblocking/request.h"

/* A call of a collective, to be given its arguments; returns if there is no memory. */
#define TAKE(call, collective)                                                                               \
    struct coll_topo_nonblocking* const state =                                                              \
        coll_topo_nonblocking_of((struct coll_topo_module*)base, communicator);                              \
    struct coll_topo_request* const call = state != NULL ? coll_topo_request_take(state, collective) : NULL; \
    if (OPAL_UNLIKELY(call == NULL)) {                                                                       \
        return OMPI_ERR_OUT_OF_RESOURCE;                                                                     \
    }                                                                                                        \
    struct coll_topo_arguments* const arguments = &call->arguments

int coll_topo_iallreduce(const void* send_buffer, void* receive_buffer, coll_topo_count count,
                         struct ompi_datatype_t* datatype, struct ompi_op_t* operation,
                         struct ompi_communicator_t* communicator, ompi_request_t** request,
                         mca_coll_base_module_t* base) {
    TAKE(call, COLL_TOPO_ALLREDUCE);
    arguments->send_buffer = send_buffer;
    arguments->receive_buffer = receive_buffer;
    arguments->send_count = count;
    arguments->send_type = datatype;
    arguments->operation = operation;
    return coll_topo_request_start(call, request);
}

int coll_topo_ireduce(const void* send_buffer, void* receive_buffer, coll_topo_count count,
                      struct ompi_datatype_t* datatype, struct ompi_op_t* operation, int root,
                      struct ompi_communicator_t* communicator, ompi_request_t** request,
                      mca_coll_base_module_t* base) {
    TAKE(call, COLL_TOPO_REDUCE);
    arguments->send_buffer = send_buffer;
    arguments->receive_buffer = receive_buffer;
    arguments->send_count = count;
    arguments->send_type = datatype;
    arguments->operation = operation;
    arguments->root = root;
    return coll_topo_request_start(call, request);
}

int coll_topo_ireduce_scatter(const void* send_buffer, void* receive_buffer, coll_topo_counts counts,
                              struct ompi_datatype_t* datatype, struct ompi_op_t* operation,
                              struct ompi_communicator_t* communicator, ompi_request_t** request,
                              mca_coll_base_module_t* base) {
    TAKE(call, COLL_TOPO_REDUCE_SCATTER);
    arguments->send_buffer = send_buffer;
    arguments->receive_buffer = receive_buffer;
    arguments->receive_counts = counts;
    arguments->send_type = datatype;
    arguments->operation = operation;
    return coll_topo_request_start(call, request);
}

int coll_topo_ireduce_scatter_block(const void* send_buffer, void* receive_buffer, coll_topo_count count,
                                    struct ompi_datatype_t* datatype, struct ompi_op_t* operation,
                                    struct ompi_communicator_t* communicator, ompi_request_t** request,
                                    mca_coll_base_module_t* base) {
    TAKE(call, COLL_TOPO_REDUCE_SCATTER_BLOCK);
    arguments->send_buffer = send_buffer;
    arguments->receive_buffer = receive_buffer;
    arguments->receive_count = count;
    arguments->send_type = datatype;
    arguments->operation = operation;
    return coll_topo_request_start(call, request);
}

int coll_topo_iallgather(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                         void* receive_buffer, coll_topo_count receive_count, struct ompi_datatype_t* receive_type,
                         struct ompi_communicator_t* communicator, ompi_request_t** request,
                         mca_coll_base_module_t* base) {
    TAKE(call, COLL_TOPO_ALLGATHER);
    arguments->send_buffer = send_buffer;
    arguments->send_count = send_count;
    arguments->send_type = send_type;
    arguments->receive_buffer = receive_buffer;
    arguments->receive_count = receive_count;
    arguments->receive_type = receive_type;
    return coll_topo_request_start(call, request);
}

int coll_topo_iallgatherv(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                          void* receive_buffer, coll_topo_counts receive_counts, coll_topo_displacements displacements,
                          struct ompi_datatype_t* receive_type, struct ompi_communicator_t* communicator,
                          ompi_request_t** request, mca_coll_base_module_t* base) {
    TAKE(call, COLL_TOPO_ALLGATHERV);
    arguments->send_buffer = send_buffer;
    arguments->send_count = send_count;
    arguments->send_type = send_type;
    arguments->receive_buffer = receive_buffer;
    arguments->receive_counts = receive_counts;
    arguments->receive_displacements = displacements;
    arguments->receive_type = receive_type;
    return coll_topo_request_start(call, request);
}

int coll_topo_ibcast(void* buffer, coll_topo_count count, struct ompi_datatype_t* datatype, int root,
                     struct ompi_communicator_t* communicator, ompi_request_t** request, mca_coll_base_module_t* base) {
    TAKE(call, COLL_TOPO_BCAST);
    arguments->receive_buffer = buffer;
    arguments->receive_count = count;
    arguments->receive_type = datatype;
    arguments->root = root;
    return coll_topo_request_start(call, request);
}

int coll_topo_ibarrier(struct ompi_communicator_t* communicator, ompi_request_t** request,
                       mca_coll_base_module_t* base) {
    TAKE(call, COLL_TOPO_BARRIER);
    (void)arguments;
    return coll_topo_request_start(call, request);
}

int coll_topo_ialltoall(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                        void* receive_buffer, coll_topo_count receive_count, struct ompi_datatype_t* receive_type,
                        struct ompi_communicator_t* communicator, ompi_request_t** request,
                        mca_coll_base_module_t* base) {
    TAKE(call, COLL_TOPO_ALLTOALL);
    arguments->send_buffer = send_buffer;
    arguments->send_count = send_count;
    arguments->send_type = send_type;
    arguments->receive_buffer = receive_buffer;
    arguments->receive_count = receive_count;
    arguments->receive_type = receive_type;
    return coll_topo_request_start(call, request);
}

int coll_topo_ialltoallv(const void* send_buffer, coll_topo_counts send_counts,
                         coll_topo_displacements send_displacements, struct ompi_datatype_t* send_type,
                         void* receive_buffer, coll_topo_counts receive_counts,
                         coll_topo_displacements receive_displacements, struct ompi_datatype_t* receive_type,
                         struct ompi_communicator_t* communicator, ompi_request_t** request,
                         mca_coll_base_module_t* base) {
    TAKE(call, COLL_TOPO_ALLTOALLV);
    arguments->send_buffer = send_buffer;
    arguments->send_counts = send_counts;
    arguments->send_displacements = send_displacements;
    arguments->send_type = send_type;
    arguments->receive_buffer = receive_buffer;
    arguments->receive_counts = receive_counts;
    arguments->receive_displacements = receive_displacements;
    arguments->receive_type = receive_type;
    return coll_topo_request_start(call, request);
}

int coll_topo_ialltoallw(const void* send_buffer, coll_topo_counts send_counts,
                         coll_topo_displacements send_displacements, struct ompi_datatype_t* const* send_types,
                         void* receive_buffer, coll_topo_counts receive_counts,
                         coll_topo_displacements receive_displacements, struct ompi_datatype_t* const* receive_types,
                         struct ompi_communicator_t* communicator, ompi_request_t** request,
                         mca_coll_base_module_t* base) {
    TAKE(call, COLL_TOPO_ALLTOALLW);
    arguments->send_buffer = send_buffer;
    arguments->send_counts = send_counts;
    arguments->send_displacements = send_displacements;
    arguments->send_types = send_types;
    arguments->receive_buffer = receive_buffer;
    arguments->receive_counts = receive_counts;
    arguments->receive_displacements = receive_displacements;
    arguments->receive_types = receive_types;
    return coll_topo_request_start(call, request);
}

/* The previous module's function, with the communicator, where the request goes, and that module. */
#define PREVIOUS(function, ...) \
    module->previous_i##function(__VA_ARGS__, call->communicator, request, module->previous_i##function##_module)

int coll_topo_pass_on(struct coll_topo_request* call, ompi_request_t** request) {
    struct coll_topo_module* const module = call->state->module;
    const struct coll_topo_arguments* const a = &call->arguments;
    switch (call->collective) {
        case COLL_TOPO_ALLREDUCE:
            return PREVIOUS(allreduce, a->send_buffer, a->receive_buffer, a->send_count, a->send_type, a->operation);
        case COLL_TOPO_REDUCE:
            return PREVIOUS(reduce, a->send_buffer, a->receive_buffer, a->send_count, a->send_type, a->operation,
                            a->root);
        case COLL_TOPO_REDUCE_SCATTER:
            return PREVIOUS(reduce_scatter, a->send_buffer, a->receive_buffer, a->receive_counts, a->send_type,
                            a->operation);
        case COLL_TOPO_REDUCE_SCATTER_BLOCK:
            return PREVIOUS(reduce_scatter_block, a->send_buffer, a->receive_buffer, a->receive_count, a->send_type,
                            a->operation);
        case COLL_TOPO_ALLGATHER:
            return PREVIOUS(allgather, a->send_buffer, a->send_count, a->send_type, a->receive_buffer, a->receive_count,
                            a->receive_type);
        case COLL_TOPO_ALLGATHERV:
            return PREVIOUS(allgatherv, a->send_buffer, a->send_count, a->send_type, a->receive_buffer,
                            a->receive_counts, a->receive_displacements, a->receive_type);
        case COLL_TOPO_BCAST:
            return PREVIOUS(bcast, a->receive_buffer, a->receive_count, a->receive_type, a->root);
        case COLL_TOPO_ALLTOALL:
            return PREVIOUS(alltoall, a->send_buffer, a->send_count, a->send_type, a->receive_buffer, a->receive_count,
                            a->receive_type);
        case COLL_TOPO_ALLTOALLV:
            return PREVIOUS(alltoallv, a->send_buffer, a->send_counts, a->send_displacements, a->send_type,
                            a->receive_buffer, a->receive_counts, a->receive_displacements, a->receive_type);
        case COLL_TOPO_ALLTOALLW:
            return PREVIOUS(alltoallw, a->send_buffer, a->send_counts, a->send_displacements, a->send_types,
                            a->receive_buffer, a->receive_counts, a->receive_displacements, a->receive_types);
        default:
            return module->previous_ibarrier(call->communicator, request, module->previous_ibarrier_module);
    }
}
