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

/* ---- barrier.c --------------------------------------------------------------------------------------------------- */

int coll_topo_barrier(struct ompi_communicator_t* communicator, mca_coll_base_module_t* base);

/* ---- alltoall.c -------------------------------------------------------------------------------------------------- */

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

/* ---- nonblocking/calls.c ----------------------------------------------------------------------------------------- */

int coll_topo_iallreduce(const void* send_buffer, void* receive_buffer, coll_topo_count count,
                         struct ompi_datatype_t* datatype, struct ompi_op_t* operation,
                         struct ompi_communicator_t* communicator, ompi_request_t** request,
                         mca_coll_base_module_t* base);

int coll_topo_ireduce(const void* send_buffer, void* receive_buffer, coll_topo_count count,
                      struct ompi_datatype_t* datatype, struct ompi_op_t* operation, int root,
                      struct ompi_communicator_t* communicator, ompi_request_t** request, mca_coll_base_module_t* base);

int coll_topo_ireduce_scatter(const void* send_buffer, void* receive_buffer, coll_topo_counts counts,
                              struct ompi_datatype_t* datatype, struct ompi_op_t* operation,
                              struct ompi_communicator_t* communicator, ompi_request_t** request,
                              mca_coll_base_module_t* base);

int coll_topo_ireduce_scatter_block(const void* send_buffer, void* receive_buffer, coll_topo_count count,
                                    struct ompi_datatype_t* datatype, struct ompi_op_t* operation,
                                    struct ompi_communicator_t* communicator, ompi_request_t** request,
                                    mca_coll_base_module_t* base);

int coll_topo_iallgather(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                         void* receive_buffer, coll_topo_count receive_count, struct ompi_datatype_t* receive_type,
                         struct ompi_communicator_t* communicator, ompi_request_t** request,
                         mca_coll_base_module_t* base);

int coll_topo_iallgatherv(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                          void* receive_buffer, coll_topo_counts receive_counts, coll_topo_displacements displacements,
                          struct ompi_datatype_t* receive_type, struct ompi_communicator_t* communicator,
                          ompi_request_t** request, mca_coll_base_module_t* base);

int coll_topo_ibcast(void* buffer, coll_topo_count count, struct ompi_datatype_t* datatype, int root,
                     struct ompi_communicator_t* communicator, ompi_request_t** request, mca_coll_base_module_t* base);

int coll_topo_ibarrier(struct ompi_communicator_t* communicator, ompi_request_t** request,
                       mca_coll_base_module_t* base);

int coll_topo_ialltoall(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                        void* receive_buffer, coll_topo_count receive_count, struct ompi_datatype_t* receive_type,
                        struct ompi_communicator_t* communicator, ompi_request_t** request,
                        mca_coll_base_module_t* base);

int coll_topo_ialltoallv(const void* send_buffer, coll_topo_counts send_counts,
                         coll_topo_displacements send_displacements, struct ompi_datatype_t* send_type,
                         void* receive_buffer, coll_topo_counts receive_counts,
                         coll_topo_displacements receive_displacements, struct ompi_datatype_t* receive_type,
                         struct ompi_communicator_t* communicator, ompi_request_t** request,
                         mca_coll_base_module_t* base);

int coll_topo_ialltoallw(const void* send_buffer, coll_topo_counts send_counts,
                         coll_topo_displacements send_displacements, struct ompi_datatype_t* const* send_types,
                         void* receive_buffer, coll_topo_counts receive_counts,
                         coll_topo_displacements receive_displacements, struct ompi_datatype_t* const* receive_types,
                         struct ompi_communicator_t* communicator, ompi_request_t** request,
                         mca_coll_base_module_t* base);

#endif
