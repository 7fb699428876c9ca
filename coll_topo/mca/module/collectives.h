/* SPDX-License-Identifier: BSD-3-Clause */
/* The collectives as Open MPI calls them: a function for each of COLL_TOPO_CALLS. */
#ifndef COLL_TOPO_MCA_COLLECTIVES_H
#define COLL_TOPO_MCA_COLLECTIVES_H

#include "coll_topo/mca/compatibility.h"

/* ---- reductions.c ------------------------------------------------------------------------------------------------ */

int coll_topo_allreduce(const void* send_buffer, void* receive_buffer, coll_topo_count count,
                        struct ompi_datatype_t* datatype, struct ompi_op_t* operation,
                        struct ompi_communicator_t* communicator, mca_coll_base_module_t* base);

int coll_topo_reduce(const void* send_buffer, void* receive_buffer, coll_topo_count count,
                     struct ompi_datatype_t* datatype, struct ompi_op_t* operation, int root,
                     struct ompi_communicator_t* communicator, mca_coll_base_module_t* base);

int coll_topo_reduce_scatter(const void* send_buffer, void* receive_buffer, coll_topo_counts counts,
                             struct ompi_datatype_t* datatype, struct ompi_op_t* operation,
                             struct ompi_communicator_t* communicator, mca_coll_base_module_t* base);

int coll_topo_reduce_scatter_block(const void* send_buffer, void* receive_buffer, coll_topo_count count,
                                   struct ompi_datatype_t* datatype, struct ompi_op_t* operation,
                                   struct ompi_communicator_t* communicator, mca_coll_base_module_t* base);

int coll_topo_scan(const void* send_buffer, void* receive_buffer, coll_topo_count count,
                   struct ompi_datatype_t* datatype, struct ompi_op_t* operation,
                   struct ompi_communicator_t* communicator, mca_coll_base_module_t* base);

int coll_topo_exscan(const void* send_buffer, void* receive_buffer, coll_topo_count count,
                     struct ompi_datatype_t* datatype, struct ompi_op_t* operation,
                     struct ompi_communicator_t* communicator, mca_coll_base_module_t* base);

/* ---- data_movement.c --------------------------------------------------------------------------------------------- */

int coll_topo_allgather(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                        void* receive_buffer, coll_topo_count receive_count, struct ompi_datatype_t* receive_type,
                        struct ompi_communicator_t* communicator, mca_coll_base_module_t* base);

int coll_topo_bcast(void* buffer, coll_topo_count count, struct ompi_datatype_t* datatype, int root,
                    struct ompi_communicator_t* communicator, mca_coll_base_module_t* base);

/* ---- allgatherv.c ------------------------------------------------------------------------------------------------ */

int coll_topo_allgatherv(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                         void* receive_buffer, coll_topo_counts receive_counts, coll_topo_displacements displacements,
                         struct ompi_datatype_t* receive_type, struct ompi_communicator_t* communicator,
                         mca_coll_base_module_t* base);

/* ---- rooted_pieces.c --------------------------------------------------------------------------------------------- */

int coll_topo_gather(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                     void* receive_buffer, coll_topo_count receive_count, struct ompi_datatype_t* receive_type,
                     int root, struct ompi_communicator_t* communicator, mca_coll_base_module_t* base);

int coll_topo_scatter(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                      void* receive_buffer, coll_topo_count receive_count, struct ompi_datatype_t* receive_type,
                      int root, struct ompi_communicator_t* communicator, mca_coll_base_module_t* base);

/* ---- unequal_rooted.c -------------------------------------------------------------------------------------------- */

int coll_topo_gatherv(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                      void* receive_buffer, coll_topo_counts receive_counts, coll_topo_displacements displacements,
                      struct ompi_datatype_t* receive_type, int root, struct ompi_communicator_t* communicator,
                      mca_coll_base_module_t* base);

int coll_topo_scatterv(const void* send_buffer, coll_topo_counts send_counts, coll_topo_displacements displacements,
                       struct ompi_datatype_t* send_type, void* receive_buffer, coll_topo_count receive_count,
                       struct ompi_datatype_t* receive_type, int root, struct ompi_communicator_t* communicator,
                       mca_coll_base_module_t* base);

/* ---- barrier.c --------------------------------------------------------------------------------------------------- */

int coll_topo_barrier(struct ompi_communicator_t* communicator, mca_coll_base_module_t* base);

/* ---- exchange_calls.c -------------------------------------------------------------------------------------------- */

int coll_topo_alltoall(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                       void* receive_buffer, coll_topo_count receive_count, struct ompi_datatype_t* receive_type,
                       struct ompi_communicator_t* communicator, mca_coll_base_module_t* base);

int coll_topo_alltoallv(const void* send_buffer, coll_topo_counts send_counts,
                        coll_topo_displacements send_displacements, struct ompi_datatype_t* send_type,
                        void* receive_buffer, coll_topo_counts receive_counts,
                        coll_topo_displacements receive_displacements, struct ompi_datatype_t* receive_type,
                        struct ompi_communicator_t* communicator, mca_coll_base_module_t* base);

int coll_topo_alltoallw(const void* send_buffer, coll_topo_counts send_counts,
                        coll_topo_displacements send_displacements, struct ompi_datatype_t* const* send_types,
                        void* receive_buffer, coll_topo_counts receive_counts,
                        coll_topo_displacements receive_displacements, struct ompi_datatype_t* const* receive_types,
                        struct ompi_communicator_t* communicator, mca_coll_base_module_t* base);

int coll_topo_neighbor_allgather(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                                 void* receive_buffer, coll_topo_count receive_count,
                                 struct ompi_datatype_t* receive_type, struct ompi_communicator_t* communicator,
                                 mca_coll_base_module_t* base);

int coll_topo_neighbor_alltoall(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                                void* receive_buffer, coll_topo_count receive_count,
                                struct ompi_datatype_t* receive_type, struct ompi_communicator_t* communicator,
                                mca_coll_base_module_t* base);

int coll_topo_neighbor_allgatherv(const void* send_buffer, coll_topo_count send_count,
                                  struct ompi_datatype_t* send_type, void* receive_buffer,
                                  coll_topo_counts receive_counts, coll_topo_displacements displacements,
                                  struct ompi_datatype_t* receive_type, struct ompi_communicator_t* communicator,
                                  mca_coll_base_module_t* base);

int coll_topo_neighbor_alltoallv(const void* send_buffer, coll_topo_counts send_counts,
                                 coll_topo_displacements send_displacements, struct ompi_datatype_t* send_type,
                                 void* receive_buffer, coll_topo_counts receive_counts,
                                 coll_topo_displacements receive_displacements, struct ompi_datatype_t* receive_type,
                                 struct ompi_communicator_t* communicator, mca_coll_base_module_t* base);

int coll_topo_neighbor_alltoallw(const void* send_buffer, coll_topo_counts send_counts,
                                 coll_topo_byte_displacements send_displacements,
                                 struct ompi_datatype_t* const* send_types, void* receive_buffer,
                                 coll_topo_counts receive_counts, coll_topo_byte_displacements receive_displacements,
                                 struct ompi_datatype_t* const* receive_types, struct ompi_communicator_t* communicator,
                                 mca_coll_base_module_t* base);

/* ---- nonblocking/calls.c ----------------------------------------------------------------------------------------- */

/* Functions as Open MPI's table has them. */
#define COLL_TOPO_DECLARE(function, ...)                                              \
    __typeof__(*(mca_coll_base_module_i##function##_fn_t)NULL) coll_topo_i##function; \
    __typeof__(*(mca_coll_base_module_##function##_init_fn_t)NULL) coll_topo_##function##_init;
COLL_TOPO_CALLS(COLL_TOPO_DECLARE)
#undef COLL_TOPO_DECLARE

#endif
