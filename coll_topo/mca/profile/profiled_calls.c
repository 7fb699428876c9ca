/* SPDX-License-Identifier: BSD-3-Clause */
/* The collectives with coll_topo_profile: each counts, and does what it does without. The functions
 * coll_topo_passed_... stand for those of the module before, and note that a call has come to it. */
#include "coll_topo/mca/profile/profiled_call.h"

#include <stdlib.h>

/* clang-format off */
PROFILED(allreduce, ALLREDUCE,
         (const void* send_buffer, void* receive_buffer, coll_topo_count count, struct ompi_datatype_t* datatype,
          struct ompi_op_t* operation),
         (send_buffer, receive_buffer, count, datatype, operation),
         bytes_of((size_t)count, datatype), EVERYONE)

/* Of a reduce or gather, only the root has to wait for all others; of a bcast or scatter, all others for the root. */
PROFILED(reduce, REDUCE,
         (const void* send_buffer, void* receive_buffer, coll_topo_count count, struct ompi_datatype_t* datatype,
          struct ompi_op_t* operation, int root),
         (send_buffer, receive_buffer, count, datatype, operation, root),
         bytes_of((size_t)count, datatype), IS_ROOT ? EVERYONE : COLL_TOPO_AWAITED)

PROFILED(bcast, BCAST,
         (void* buffer, coll_topo_count count, struct ompi_datatype_t* datatype, int root),
         (buffer, count, datatype, root),
         bytes_of((size_t)count, datatype), IS_ROOT ? COLL_TOPO_AWAITED : COLL_TOPO_WAITS)

PROFILED(reduce_scatter, REDUCE_SCATTER,
         (const void* send_buffer, void* receive_buffer, coll_topo_counts counts, struct ompi_datatype_t* datatype,
          struct ompi_op_t* operation),
         (send_buffer, receive_buffer, counts, datatype, operation),
         coll_topo_bytes_of_pieces(counts, datatype, NULL, communicator), EVERYONE)

PROFILED(reduce_scatter_block, REDUCE_SCATTER_BLOCK,
         (const void* send_buffer, void* receive_buffer, coll_topo_count count, struct ompi_datatype_t* datatype,
          struct ompi_op_t* operation),
         (send_buffer, receive_buffer, count, datatype, operation),
         bytes_of((size_t)count, datatype) * RANKS, EVERYONE)

/* Of a scan, only the last rank has to wait for all others. */
PROFILED(scan, SCAN,
         (const void* send_buffer, void* receive_buffer, coll_topo_count count, struct ompi_datatype_t* datatype,
          struct ompi_op_t* operation),
         (send_buffer, receive_buffer, count, datatype, operation),
         bytes_of((size_t)count, datatype), IS_LAST ? COLL_TOPO_WAITS : COLL_TOPO_AWAITED)

PROFILED(exscan, EXSCAN,
         (const void* send_buffer, void* receive_buffer, coll_topo_count count, struct ompi_datatype_t* datatype,
          struct ompi_op_t* operation),
         (send_buffer, receive_buffer, count, datatype, operation),
         bytes_of((size_t)count, datatype), IS_LAST ? COLL_TOPO_WAITS : COLL_TOPO_AWAITED)

PROFILED(allgather, ALLGATHER,
         (const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type, void* receive_buffer,
          coll_topo_count receive_count, struct ompi_datatype_t* receive_type),
         (send_buffer, send_count, send_type, receive_buffer, receive_count, receive_type),
         bytes_of((size_t)receive_count, receive_type) * RANKS, EVERYONE)

PROFILED(allgatherv, ALLGATHERV,
         (const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type, void* receive_buffer,
          coll_topo_counts receive_counts, coll_topo_displacements displacements,
          struct ompi_datatype_t* receive_type),
         (send_buffer, send_count, send_type, receive_buffer, receive_counts, displacements, receive_type),
         coll_topo_bytes_of_pieces(receive_counts, receive_type, NULL, communicator), EVERYONE)

PROFILED(gather, GATHER,
         (const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type, void* receive_buffer,
          coll_topo_count receive_count, struct ompi_datatype_t* receive_type, int root),
         (send_buffer, send_count, send_type, receive_buffer, receive_count, receive_type, root),
         (IS_ROOT ? bytes_of((size_t)receive_count, receive_type) : bytes_of((size_t)send_count, send_type)) * RANKS,
         IS_ROOT ? EVERYONE : COLL_TOPO_AWAITED)

PROFILED(scatter, SCATTER,
         (const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type, void* receive_buffer,
          coll_topo_count receive_count, struct ompi_datatype_t* receive_type, int root),
         (send_buffer, send_count, send_type, receive_buffer, receive_count, receive_type, root),
         (IS_ROOT ? bytes_of((size_t)send_count, send_type) : bytes_of((size_t)receive_count, receive_type)) * RANKS,
         IS_ROOT ? COLL_TOPO_AWAITED : COLL_TOPO_WAITS)

PROFILED(gatherv, GATHERV,
         (const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type, void* receive_buffer,
          coll_topo_counts receive_counts, coll_topo_displacements displacements, struct ompi_datatype_t* receive_type,
          int root),
         (send_buffer, send_count, send_type, receive_buffer, receive_counts, displacements, receive_type, root),
         IS_ROOT ? coll_topo_bytes_of_pieces(receive_counts, receive_type, NULL, communicator)
                 : bytes_of((size_t)send_count, send_type),
         IS_ROOT ? EVERYONE : COLL_TOPO_AWAITED)

PROFILED(scatterv, SCATTERV,
         (const void* send_buffer, coll_topo_counts send_counts, coll_topo_displacements displacements,
          struct ompi_datatype_t* send_type, void* receive_buffer, coll_topo_count receive_count,
          struct ompi_datatype_t* receive_type, int root),
         (send_buffer, send_counts, displacements, send_type, receive_buffer, receive_count, receive_type, root),
         IS_ROOT ? coll_topo_bytes_of_pieces(send_counts, send_type, NULL, communicator)
                 : bytes_of((size_t)receive_count, receive_type),
         IS_ROOT ? COLL_TOPO_AWAITED : COLL_TOPO_WAITS)

PROFILED(alltoall, ALLTOALL,
         (const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type, void* receive_buffer,
          coll_topo_count receive_count, struct ompi_datatype_t* receive_type),
         (send_buffer, send_count, send_type, receive_buffer, receive_count, receive_type),
         bytes_of((size_t)receive_count, receive_type) * RANKS, EVERYONE)

PROFILED(alltoallv, ALLTOALLV,
         (const void* send_buffer, coll_topo_counts send_counts, coll_topo_displacements send_displacements,
          struct ompi_datatype_t* send_type, void* receive_buffer, coll_topo_counts receive_counts,
          coll_topo_displacements receive_displacements, struct ompi_datatype_t* receive_type),
         (send_buffer, send_counts, send_displacements, send_type, receive_buffer, receive_counts,
          receive_displacements, receive_type),
         send_buffer == MPI_IN_PLACE ? coll_topo_bytes_of_pieces(receive_counts, receive_type, NULL, communicator)
                                     : coll_topo_bytes_of_pieces(send_counts, send_type, NULL, communicator), EVERYONE)

PROFILED(alltoallw, ALLTOALLW,
         (const void* send_buffer, coll_topo_counts send_counts, coll_topo_displacements send_displacements,
          struct ompi_datatype_t* const* send_types, void* receive_buffer, coll_topo_counts receive_counts,
          coll_topo_displacements receive_displacements, struct ompi_datatype_t* const* receive_types),
         (send_buffer, send_counts, send_displacements, send_types, receive_buffer, receive_counts,
          receive_displacements, receive_types),
         send_buffer == MPI_IN_PLACE ? coll_topo_bytes_of_pieces(receive_counts, NULL, receive_types, communicator)
                                     : coll_topo_bytes_of_pieces(send_counts, NULL, send_types, communicator), EVERYONE)

PROFILED(neighbor_allgather, NEIGHBOR_ALLGATHER,
         (const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type, void* receive_buffer,
          coll_topo_count receive_count, struct ompi_datatype_t* receive_type),
         (send_buffer, send_count, send_type, receive_buffer, receive_count, receive_type),
         coll_topo_bytes_of_neighbors(receive_count, receive_type, communicator), NOBODY)

PROFILED(neighbor_alltoall, NEIGHBOR_ALLTOALL,
         (const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type, void* receive_buffer,
          coll_topo_count receive_count, struct ompi_datatype_t* receive_type),
         (send_buffer, send_count, send_type, receive_buffer, receive_count, receive_type),
         coll_topo_bytes_of_neighbors(receive_count, receive_type, communicator), NOBODY)

PROFILED(neighbor_allgatherv, NEIGHBOR_ALLGATHERV,
         (const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type, void* receive_buffer,
          coll_topo_counts receive_counts, coll_topo_displacements displacements,
          struct ompi_datatype_t* receive_type),
         (send_buffer, send_count, send_type, receive_buffer, receive_counts, displacements, receive_type),
         coll_topo_bytes_of_neighbor_pieces(receive_counts, receive_type, NULL, communicator), NOBODY)

PROFILED(neighbor_alltoallv, NEIGHBOR_ALLTOALLV,
         (const void* send_buffer, coll_topo_counts send_counts, coll_topo_displacements send_displacements,
          struct ompi_datatype_t* send_type, void* receive_buffer, coll_topo_counts receive_counts,
          coll_topo_displacements receive_displacements, struct ompi_datatype_t* receive_type),
         (send_buffer, send_counts, send_displacements, send_type, receive_buffer, receive_counts,
          receive_displacements, receive_type),
         coll_topo_bytes_of_neighbor_pieces(send_counts, send_type, NULL, communicator), NOBODY)

PROFILED(neighbor_alltoallw, NEIGHBOR_ALLTOALLW,
         (const void* send_buffer, coll_topo_counts send_counts, coll_topo_byte_displacements send_displacements,
          struct ompi_datatype_t* const* send_types, void* receive_buffer, coll_topo_counts receive_counts,
          coll_topo_byte_displacements receive_displacements, struct ompi_datatype_t* const* receive_types),
         (send_buffer, send_counts, send_displacements, send_types, receive_buffer, receive_counts,
          receive_displacements, receive_types),
         coll_topo_bytes_of_neighbor_pieces(send_counts, NULL, send_types, communicator), NOBODY)
/* clang-format on */

static int coll_topo_profiled_barrier(struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    const struct coll_topo_call_begin begin = coll_topo_enter(module, COLL_TOPO_BARRIER, 0);
    const int error = coll_topo_barrier(communicator, base);
    const bool may_streak = communicator->c_coll->coll_barrier == coll_topo_profiled_barrier;
    if (coll_topo_leave(module, COLL_TOPO_BARRIER, 0, EVERYONE, &begin, may_streak)) {
        communicator->c_coll->coll_barrier = coll_topo_barrier;
    }
    return error;
}

static int coll_topo_passed_barrier(struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    if (ends_streak(module, COLL_TOPO_BARRIER)) {
        communicator->c_coll->coll_barrier = coll_topo_profiled_barrier;
        return coll_topo_profiled_barrier(communicator, base);
    }
    const bool timed = pass_on(module->profile);
    const int error = module->passing->barrier(communicator, module->passing->barrier_module);
    if (OPAL_UNLIKELY(timed)) {
        module->profile->returned = coll_topo_now();
    }
    return error;
}

/* The module passes calls on to itself, and retains nothing by that: its own functions go with it. */
void coll_topo_profile_install(struct coll_topo_module* module) {
    module->passing = calloc(1, sizeof *module->passing);
    if (module->passing == NULL) {
        return;
    }
#define INSTALL(name, ...)                                                 \
    if (module->previous_##name != NULL) {                                 \
        module->passing->name = module->previous_##name;                   \
        module->passing->name##_module = module->previous_##name##_module; \
        module->previous_##name = coll_topo_passed_##name;                 \
        module->previous_##name##_module = &module->super;                 \
        module->super.coll_##name = coll_topo_profiled_##name;             \
    }
    COLL_TOPO_CALLS(INSTALL)
#undef INSTALL
}

void coll_topo_profile_withdraw(struct coll_topo_module* module) {
    if (module->passing == NULL) {
        return;
    }
#define WITHDRAW(name, ...)                                                \
    if (module->previous_##name != NULL) {                                 \
        module->previous_##name = module->passing->name;                   \
        module->previous_##name##_module = module->passing->name##_module; \
    }
    COLL_TOPO_CALLS(WITHDRAW)
#undef WITHDRAW
    free(module->passing);
    module->passing = NULL;
}
