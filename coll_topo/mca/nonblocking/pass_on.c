/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking and persistent calls that the previous module does. */
#include "coll_topo/mca/nonblocking/request.h"

/* The previous module's function for this form, with the communicator, where the request goes, and that module. */
#define PREVIOUS(function, ...)                                                          \
    (is_persistent                                                                       \
         ? module->previous_##function##_init(__VA_ARGS__, communicator, info, request,  \
                                              module->previous_##function##_init_module) \
         : module->previous_i##function(__VA_ARGS__, communicator, request, module->previous_i##function##_module))

int coll_topo_pass_arguments_on(struct coll_topo_module* module, struct ompi_communicator_t* communicator,
                                int collective, const struct coll_topo_arguments* a, bool is_persistent,
                                struct ompi_info_t* info, ompi_request_t** request) {
    switch (collective) {
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
        case COLL_TOPO_SCAN:
            return PREVIOUS(scan, a->send_buffer, a->receive_buffer, a->send_count, a->send_type, a->operation);
        case COLL_TOPO_EXSCAN:
            return PREVIOUS(exscan, a->send_buffer, a->receive_buffer, a->send_count, a->send_type, a->operation);
        case COLL_TOPO_ALLGATHER:
            return PREVIOUS(allgather, a->send_buffer, a->send_count, a->send_type, a->receive_buffer, a->receive_count,
                            a->receive_type);
        case COLL_TOPO_ALLGATHERV:
            return PREVIOUS(allgatherv, a->send_buffer, a->send_count, a->send_type, a->receive_buffer,
                            a->receive_counts, a->receive_displacements, a->receive_type);
        case COLL_TOPO_BCAST:
            return PREVIOUS(bcast, a->receive_buffer, a->receive_count, a->receive_type, a->root);
        case COLL_TOPO_GATHER:
            return PREVIOUS(gather, a->send_buffer, a->send_count, a->send_type, a->receive_buffer, a->receive_count,
                            a->receive_type, a->root);
        case COLL_TOPO_SCATTER:
            return PREVIOUS(scatter, a->send_buffer, a->send_count, a->send_type, a->receive_buffer, a->receive_count,
                            a->receive_type, a->root);
        case COLL_TOPO_GATHERV:
            return PREVIOUS(gatherv, a->send_buffer, a->send_count, a->send_type, a->receive_buffer, a->receive_counts,
                            a->receive_displacements, a->receive_type, a->root);
        case COLL_TOPO_SCATTERV:
            return PREVIOUS(scatterv, a->send_buffer, a->send_counts, a->send_displacements, a->send_type,
                            a->receive_buffer, a->receive_count, a->receive_type, a->root);
        case COLL_TOPO_ALLTOALL:
            return PREVIOUS(alltoall, a->send_buffer, a->send_count, a->send_type, a->receive_buffer, a->receive_count,
                            a->receive_type);
        case COLL_TOPO_ALLTOALLV:
            return PREVIOUS(alltoallv, a->send_buffer, a->send_counts, a->send_displacements, a->send_type,
                            a->receive_buffer, a->receive_counts, a->receive_displacements, a->receive_type);
        case COLL_TOPO_ALLTOALLW:
            return PREVIOUS(alltoallw, a->send_buffer, a->send_counts, a->send_displacements, a->send_types,
                            a->receive_buffer, a->receive_counts, a->receive_displacements, a->receive_types);
        case COLL_TOPO_NEIGHBOR_ALLGATHER:
            return PREVIOUS(neighbor_allgather, a->send_buffer, a->send_count, a->send_type, a->receive_buffer,
                            a->receive_count, a->receive_type);
        case COLL_TOPO_NEIGHBOR_ALLTOALL:
            return PREVIOUS(neighbor_alltoall, a->send_buffer, a->send_count, a->send_type, a->receive_buffer,
                            a->receive_count, a->receive_type);
        case COLL_TOPO_NEIGHBOR_ALLGATHERV:
            return PREVIOUS(neighbor_allgatherv, a->send_buffer, a->send_count, a->send_type, a->receive_buffer,
                            a->receive_counts, a->receive_displacements, a->receive_type);
        case COLL_TOPO_NEIGHBOR_ALLTOALLV:
            return PREVIOUS(neighbor_alltoallv, a->send_buffer, a->send_counts, a->send_displacements, a->send_type,
                            a->receive_buffer, a->receive_counts, a->receive_displacements, a->receive_type);
        case COLL_TOPO_NEIGHBOR_ALLTOALLW:
            return PREVIOUS(neighbor_alltoallw, a->send_buffer, a->send_counts, a->send_byte_displacements,
                            a->send_types, a->receive_buffer, a->receive_counts, a->receive_byte_displacements,
                            a->receive_types);
        default:
            return is_persistent ? module->previous_barrier_init(communicator, info, request,
                                                                 module->previous_barrier_init_module)
                                 : module->previous_ibarrier(communicator, request, module->previous_ibarrier_module);
    }
}

int coll_topo_pass_on(struct coll_topo_request* call, struct ompi_info_t* info, ompi_request_t** request) {
    return coll_topo_pass_arguments_on(call->state->module, call->communicator, call->collective, &call->arguments,
                                       call->super.super.req_persistent, info, request);
}
