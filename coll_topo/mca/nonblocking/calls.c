/* SPDX-License-Identifier: BSD-3-Clause */
/* The nonblocking and persistent collectives as Open MPI calls them. */
#include "coll_topo/mca/module/collectives.h"
#include "coll_topo/mca/module/counters.h"
#include "coll_topo/mca/nonblocking/request.h"

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/op/op.h"

#include <stdint.h>

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
    return arguments->operation != NULL || collective == COLL_TOPO_BARRIER
               ? coll_topo_arguments_bytes(communicator, collective, arguments)
               : SIZE_MAX;
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
        coll_topo_profile_started(call);
    }
    return call;
}

static int start(mca_coll_base_module_t* base, struct ompi_communicator_t* communicator, int collective,
                 const struct coll_topo_arguments* arguments, ompi_request_t** request) {
    struct coll_topo_module* const module = (struct coll_topo_module*)base;
    if (is_left(module, communicator, collective, arguments)) {
        coll_topo_count_nonblocking_fallback();
        coll_topo_profile_left(module->nonblocking, collective, arguments);
        return coll_topo_pass_arguments_on(module, communicator, collective, arguments, false, NULL, request);
    }
    struct coll_topo_request* const call = take(base, communicator, collective, arguments);
    return OPAL_LIKELY(call != NULL) ? coll_topo_request_start(call, request) : OMPI_ERR_OUT_OF_RESOURCE;
}

/* A request for what is served in any case; else NULL. */
static struct coll_topo_request* take_if_served(mca_coll_base_module_t* base, int collective) {
    struct coll_topo_nonblocking* const state = ((struct coll_topo_module*)base)->nonblocking;
    return OPAL_LIKELY(state != NULL && state->least_bytes[collective] == 0) ? coll_topo_request_take(state, collective)
                                                                             : NULL;
}

static int make_persistent(mca_coll_base_module_t* base, struct ompi_communicator_t* communicator, int collective,
                           const struct coll_topo_arguments* arguments, struct ompi_info_t* info,
                           ompi_request_t** request) {
    struct coll_topo_request* const call = take(base, communicator, collective, arguments);
    return call != NULL ? coll_topo_request_make_persistent(call, info, request) : OMPI_ERR_OUT_OF_RESOURCE;
}

#define PARAMETERS(...) __VA_ARGS__

/* Both forms of a collective: its parameters but for those that all have, and what is written down of them, at once
 * where it stays: the shortest calls notice a copy. */
#define FORMS(function, collective, parameters, ...)                                                                \
    int coll_topo_i##function(parameters, struct ompi_communicator_t* communicator, ompi_request_t** request,       \
                              mca_coll_base_module_t* base) {                                                       \
        struct coll_topo_request* const call = take_if_served(base, collective);                                    \
        if (OPAL_LIKELY(call != NULL)) {                                                                            \
            call->arguments = (struct coll_topo_arguments){__VA_ARGS__};                                            \
            coll_topo_profile_started(call);                                                                        \
            return coll_topo_request_start(call, request);                                                          \
        }                                                                                                           \
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
