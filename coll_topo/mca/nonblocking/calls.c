/* SPDX-License-Identifier: BSD-3-Clause */
/* The nonblocking and persistent collectives as Open MPI calls them. */
#include "coll_topo/mca/module/collectives.h"
#include "coll_topo/mca/module/counters.h"
#include "coll_topo/mca/nonblocking/request.h"

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/op/op.h"

#include <stdint.h>

static int pass_on(struct coll_topo_module* module, struct ompi_communicator_t* communicator, int collective,
                   const struct coll_topo_arguments* arguments, bool is_persistent, struct ompi_info_t* info,
                   ompi_request_t** request);

/* ---- what is not looked at any further ----------------------------------------------------------------------------
 */

/* Open MPI makes such calls itself, a few for each communicator that it makes from this one. As long as there are no
 * others, these are not worth an agreement and plans. Ranks count them alike. */
static bool is_as_for_new_communicator(struct coll_topo_module* module, int collective,
                                       const struct coll_topo_arguments* arguments) {
    enum { MOST_ELEMENTS = 2, MOST_CALLS = 64 };
    return collective == COLL_TOPO_ALLREDUCE && arguments->send_count <= MOST_ELEMENTS &&
           arguments->send_type == &ompi_mpi_int.dt &&
           (arguments->operation == &ompi_mpi_op_max.op || arguments->operation == &ompi_mpi_op_min.op) &&
           module->calls_for_new_communicators++ < MOST_CALLS;
}

/* Of reductions and barriers, by which a schedule is chosen; else SIZE_MAX. */
static size_t bytes_of(struct ompi_communicator_t* communicator, int collective,
                       const struct coll_topo_arguments* arguments) {
    if (arguments->operation == NULL) {
        return collective == COLL_TOPO_BARRIER ? 0 : SIZE_MAX;
    }
    const int ranks = ompi_comm_size(communicator);
    size_t elements = (size_t)arguments->send_count;
    if (collective == COLL_TOPO_REDUCE_SCATTER_BLOCK) {
        elements = (size_t)arguments->receive_count * (size_t)ranks;
    }
    for (int rank = 0; collective == COLL_TOPO_REDUCE_SCATTER && rank < ranks; ++rank) {
        elements += coll_topo_count_of(arguments->receive_counts, rank);
    }
    return elements * coll_topo_datatype_bytes(arguments->send_type);
}

/* Whether the previous module does a call in any case. Looked at first, so that it costs next to nothing. */
static bool is_left(struct coll_topo_module* module, struct ompi_communicator_t* communicator, int collective,
                    const struct coll_topo_arguments* arguments) {
    const struct coll_topo_nonblocking* const state = module->nonblocking;
    if (OPAL_UNLIKELY(state == NULL)) {
        return is_as_for_new_communicator(module, collective, arguments);
    }
    const size_t least = state->least_bytes[collective];
    return OPAL_UNLIKELY(least != 0) && least != SIZE_MAX && state->decision == COLL_TOPO_OURS &&
           bytes_of(communicator, collective, arguments) < least;
}

/* ---- the calls ----------------------------------------------------------------------------------------------------
 */

/* NULL if there is no memory. */
static struct coll_topo_request* take(mca_coll_base_module_t* base, struct ompi_communicator_t* communicator,
                                      int collective, const struct coll_topo_arguments* arguments) {
    struct coll_topo_nonblocking* const state = coll_topo_nonblocking_of((struct coll_topo_module*)base, communicator);
    struct coll_topo_request* const call =
        OPAL_LIKELY(state != NULL) ? coll_topo_request_take(state, collective) : NULL;
    if (OPAL_LIKELY(call != NULL)) {
        call->arguments = *arguments;
    }
    return call;
}

static int start(mca_coll_base_module_t* base, struct ompi_communicator_t* communicator, int collective,
                 const struct coll_topo_arguments* arguments, ompi_request_t** request) {
    struct coll_topo_module* const module = (struct coll_topo_module*)base;
    if (is_left(module, communicator, collective, arguments)) {
        coll_topo_count_nonblocking_fallback();
        return pass_on(module, communicator, collective, arguments, false, NULL, request);
    }
    struct coll_topo_request* const call = take(base, communicator, collective, arguments);
    return OPAL_LIKELY(call != NULL) ? coll_topo_request_start(call, request) : OMPI_ERR_OUT_OF_RESOURCE;
}

static int make_persistent(mca_coll_base_module_t* base, struct ompi_communicator_t* communicator, int collective,
                           const struct coll_topo_arguments* arguments, struct ompi_info_t* info,
                           ompi_request_t** request) {
    struct coll_topo_request* const call = take(base, communicator, collective, arguments);
    return call != NULL ? coll_topo_request_make_persistent(call, info, request) : OMPI_ERR_OUT_OF_RESOURCE;
}

#define PARAMETERS(...) __VA_ARGS__

/* Both forms of a collective: its parameters but for those that all have, and what is written down of them. */
#define FORMS(function, collective, parameters, ...)                                                                \
    int coll_topo_i##function(parameters, struct ompi_communicator_t* communicator, ompi_request_t** request,       \
                              mca_coll_base_module_t* base) {                                                       \
        const struct coll_topo_arguments arguments = {__VA_ARGS__};                                                 \
        return start(base, communicator, collective, &arguments, request);                                          \
    }                                                                                                               \
    int coll_topo_##function##_init(parameters, struct ompi_communicator_t* communicator, struct ompi_info_t* info, \
                                    ompi_request_t** request, mca_coll_base_module_t* base) {                       \
        const struct coll_topo_arguments arguments = {__VA_ARGS__};                                                 \
        return make_persistent(base, communicator, collective, &arguments, info, request);                          \
    }

FORMS(allreduce, COLL_TOPO_ALLREDUCE,
      PARAMETERS(const void* send_buffer, void* receive_buffer, coll_topo_count count, struct ompi_datatype_t* datatype,
                 struct ompi_op_t* operation),
      .send_buffer = send_buffer, .receive_buffer = receive_buffer, .send_count = count, .send_type = datatype,
      .operation = operation)

FORMS(reduce, COLL_TOPO_REDUCE,
      PARAMETERS(const void* send_buffer, void* receive_buffer, coll_topo_count count, struct ompi_datatype_t* datatype,
                 struct ompi_op_t* operation, int root),
      .send_buffer = send_buffer, .receive_buffer = receive_buffer, .send_count = count, .send_type = datatype,
      .operation = operation, .root = root)

FORMS(reduce_scatter, COLL_TOPO_REDUCE_SCATTER,
      PARAMETERS(const void* send_buffer, void* receive_buffer, coll_topo_counts counts,
                 struct ompi_datatype_t* datatype, struct ompi_op_t* operation),
      .send_buffer = send_buffer, .receive_buffer = receive_buffer, .receive_counts = counts, .send_type = datatype,
      .operation = operation)

FORMS(reduce_scatter_block, COLL_TOPO_REDUCE_SCATTER_BLOCK,
      PARAMETERS(const void* send_buffer, void* receive_buffer, coll_topo_count count, struct ompi_datatype_t* datatype,
                 struct ompi_op_t* operation),
      .send_buffer = send_buffer, .receive_buffer = receive_buffer, .receive_count = count, .send_type = datatype,
      .operation = operation)

FORMS(scan, COLL_TOPO_SCAN,
      PARAMETERS(const void* send_buffer, void* receive_buffer, coll_topo_count count, struct ompi_datatype_t* datatype,
                 struct ompi_op_t* operation),
      .send_buffer = send_buffer, .receive_buffer = receive_buffer, .send_count = count, .send_type = datatype,
      .operation = operation)

FORMS(exscan, COLL_TOPO_EXSCAN,
      PARAMETERS(const void* send_buffer, void* receive_buffer, coll_topo_count count, struct ompi_datatype_t* datatype,
                 struct ompi_op_t* operation),
      .send_buffer = send_buffer, .receive_buffer = receive_buffer, .send_count = count, .send_type = datatype,
      .operation = operation)

FORMS(allgather, COLL_TOPO_ALLGATHER,
      PARAMETERS(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                 void* receive_buffer, coll_topo_count receive_count, struct ompi_datatype_t* receive_type),
      .send_buffer = send_buffer, .send_count = send_count, .send_type = send_type, .receive_buffer = receive_buffer,
      .receive_count = receive_count, .receive_type = receive_type)

FORMS(allgatherv, COLL_TOPO_ALLGATHERV,
      PARAMETERS(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                 void* receive_buffer, coll_topo_counts receive_counts, coll_topo_displacements displacements,
                 struct ompi_datatype_t* receive_type),
      .send_buffer = send_buffer, .send_count = send_count, .send_type = send_type, .receive_buffer = receive_buffer,
      .receive_counts = receive_counts, .receive_displacements = displacements, .receive_type = receive_type)

FORMS(bcast, COLL_TOPO_BCAST,
      PARAMETERS(void* buffer, coll_topo_count count, struct ompi_datatype_t* datatype, int root),
      .receive_buffer = buffer, .receive_count = count, .receive_type = datatype, .root = root)

/* A type that means nothing may not be looked at, not even to retain it: the other one stands for it. */
#define OF_ROOT(type, other) (ompi_comm_rank(communicator) == root ? (type) : (other))

FORMS(gather, COLL_TOPO_GATHER,
      PARAMETERS(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                 void* receive_buffer, coll_topo_count receive_count, struct ompi_datatype_t* receive_type, int root),
      .send_buffer = send_buffer, .send_count = send_count, .send_type = send_type, .receive_buffer = receive_buffer,
      .receive_count = receive_count, .receive_type = OF_ROOT(receive_type, send_type), .root = root)

FORMS(scatter, COLL_TOPO_SCATTER,
      PARAMETERS(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                 void* receive_buffer, coll_topo_count receive_count, struct ompi_datatype_t* receive_type, int root),
      .send_buffer = send_buffer, .send_count = send_count, .send_type = OF_ROOT(send_type, receive_type),
      .receive_buffer = receive_buffer, .receive_count = receive_count,
      .receive_type = receive_buffer == MPI_IN_PLACE ? send_type : receive_type, .root = root)

FORMS(gatherv, COLL_TOPO_GATHERV,
      PARAMETERS(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                 void* receive_buffer, coll_topo_counts receive_counts, coll_topo_displacements displacements,
                 struct ompi_datatype_t* receive_type, int root),
      .send_buffer = send_buffer, .send_count = send_count, .send_type = send_type, .receive_buffer = receive_buffer,
      .receive_counts = receive_counts, .receive_displacements = displacements,
      .receive_type = OF_ROOT(receive_type, send_type), .root = root)

FORMS(scatterv, COLL_TOPO_SCATTERV,
      PARAMETERS(const void* send_buffer, coll_topo_counts send_counts, coll_topo_displacements displacements,
                 struct ompi_datatype_t* send_type, void* receive_buffer, coll_topo_count receive_count,
                 struct ompi_datatype_t* receive_type, int root),
      .send_buffer = send_buffer, .send_counts = send_counts, .send_displacements = displacements,
      .send_type = OF_ROOT(send_type, receive_type), .receive_buffer = receive_buffer, .receive_count = receive_count,
      .receive_type = receive_buffer == MPI_IN_PLACE ? send_type : receive_type, .root = root)

FORMS(alltoall, COLL_TOPO_ALLTOALL,
      PARAMETERS(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                 void* receive_buffer, coll_topo_count receive_count, struct ompi_datatype_t* receive_type),
      .send_buffer = send_buffer, .send_count = send_count, .send_type = send_type, .receive_buffer = receive_buffer,
      .receive_count = receive_count, .receive_type = receive_type)

FORMS(alltoallv, COLL_TOPO_ALLTOALLV,
      PARAMETERS(const void* send_buffer, coll_topo_counts send_counts, coll_topo_displacements send_displacements,
                 struct ompi_datatype_t* send_type, void* receive_buffer, coll_topo_counts receive_counts,
                 coll_topo_displacements receive_displacements, struct ompi_datatype_t* receive_type),
      .send_buffer = send_buffer, .send_counts = send_counts, .send_displacements = send_displacements,
      .send_type = send_type, .receive_buffer = receive_buffer, .receive_counts = receive_counts,
      .receive_displacements = receive_displacements, .receive_type = receive_type)

FORMS(alltoallw, COLL_TOPO_ALLTOALLW,
      PARAMETERS(const void* send_buffer, coll_topo_counts send_counts, coll_topo_displacements send_displacements,
                 struct ompi_datatype_t* const* send_types, void* receive_buffer, coll_topo_counts receive_counts,
                 coll_topo_displacements receive_displacements, struct ompi_datatype_t* const* receive_types),
      .send_buffer = send_buffer, .send_counts = send_counts, .send_displacements = send_displacements,
      .send_types = send_types, .receive_buffer = receive_buffer, .receive_counts = receive_counts,
      .receive_displacements = receive_displacements, .receive_types = receive_types)

FORMS(neighbor_allgather, COLL_TOPO_NEIGHBOR_ALLGATHER,
      PARAMETERS(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                 void* receive_buffer, coll_topo_count receive_count, struct ompi_datatype_t* receive_type),
      .send_buffer = send_buffer, .send_count = send_count, .send_type = send_type, .receive_buffer = receive_buffer,
      .receive_count = receive_count, .receive_type = receive_type)

FORMS(neighbor_alltoall, COLL_TOPO_NEIGHBOR_ALLTOALL,
      PARAMETERS(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                 void* receive_buffer, coll_topo_count receive_count, struct ompi_datatype_t* receive_type),
      .send_buffer = send_buffer, .send_count = send_count, .send_type = send_type, .receive_buffer = receive_buffer,
      .receive_count = receive_count, .receive_type = receive_type)

FORMS(neighbor_allgatherv, COLL_TOPO_NEIGHBOR_ALLGATHERV,
      PARAMETERS(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                 void* receive_buffer, coll_topo_counts receive_counts, coll_topo_displacements displacements,
                 struct ompi_datatype_t* receive_type),
      .send_buffer = send_buffer, .send_count = send_count, .send_type = send_type, .receive_buffer = receive_buffer,
      .receive_counts = receive_counts, .receive_displacements = displacements, .receive_type = receive_type)

FORMS(neighbor_alltoallv, COLL_TOPO_NEIGHBOR_ALLTOALLV,
      PARAMETERS(const void* send_buffer, coll_topo_counts send_counts, coll_topo_displacements send_displacements,
                 struct ompi_datatype_t* send_type, void* receive_buffer, coll_topo_counts receive_counts,
                 coll_topo_displacements receive_displacements, struct ompi_datatype_t* receive_type),
      .send_buffer = send_buffer, .send_counts = send_counts, .send_displacements = send_displacements,
      .send_type = send_type, .receive_buffer = receive_buffer, .receive_counts = receive_counts,
      .receive_displacements = receive_displacements, .receive_type = receive_type)

FORMS(neighbor_alltoallw, COLL_TOPO_NEIGHBOR_ALLTOALLW,
      PARAMETERS(const void* send_buffer, coll_topo_counts send_counts, coll_topo_byte_displacements send_displacements,
                 struct ompi_datatype_t* const* send_types, void* receive_buffer, coll_topo_counts receive_counts,
                 coll_topo_byte_displacements receive_displacements, struct ompi_datatype_t* const* receive_types),
      .send_buffer = send_buffer, .send_counts = send_counts, .send_byte_displacements = send_displacements,
      .send_types = send_types, .receive_buffer = receive_buffer, .receive_counts = receive_counts,
      .receive_byte_displacements = receive_displacements, .receive_types = receive_types)

int coll_topo_ibarrier(struct ompi_communicator_t* communicator, ompi_request_t** request,
                       mca_coll_base_module_t* base) {
    const struct coll_topo_arguments none = {.root = 0};
    return start(base, communicator, COLL_TOPO_BARRIER, &none, request);
}

int coll_topo_barrier_init(struct ompi_communicator_t* communicator, struct ompi_info_t* info, ompi_request_t** request,
                           mca_coll_base_module_t* base) {
    const struct coll_topo_arguments none = {.root = 0};
    return make_persistent(base, communicator, COLL_TOPO_BARRIER, &none, info, request);
}

/* The previous module's function for this form, with the communicator, where the request goes, and that module. */
#define PREVIOUS(function, ...)                                                          \
    (is_persistent                                                                       \
         ? module->previous_##function##_init(__VA_ARGS__, communicator, info, request,  \
                                              module->previous_##function##_init_module) \
         : module->previous_i##function(__VA_ARGS__, communicator, request, module->previous_i##function##_module))

static int pass_on(struct coll_topo_module* module, struct ompi_communicator_t* communicator, int collective,
                   const struct coll_topo_arguments* a, bool is_persistent, struct ompi_info_t* info,
                   ompi_request_t** request) {
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
    return pass_on(call->state->module, call->communicator, call->collective, &call->arguments,
                   call->super.super.req_persistent, info, request);
}
