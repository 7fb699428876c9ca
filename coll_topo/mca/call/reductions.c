/* SPDX-License-Identifier: BSD-3-Clause */
/* The collectives that combine data: allreduce, reduce, reduce_scatter, reduce_scatter_block, scan, exscan. */
#include "coll_topo/mca/call/reduction_call.h"
#include "coll_topo/mca/module/collectives.h"
#include "coll_topo/mca/module/counters.h"

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"

int coll_topo_allreduce(const void* send_buffer, void* receive_buffer, coll_topo_count count,
                        struct ompi_datatype_t* datatype, struct ompi_op_t* operation,
                        struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    const struct coll_topo_reduction_call call = {.collective = COLL_TOPO_ALLREDUCE,
                                                  .send_buffer = send_buffer,
                                                  .receive_buffer = receive_buffer,
                                                  .elements = (size_t)count,
                                                  .own_end = (size_t)count,
                                                  .datatype = datatype,
                                                  .operation = operation};
    bool passed_on = false;
    const int error = coll_topo_reduce_by_plan(module, communicator, &call, &passed_on);
    return !passed_on ? error
                      : module->previous_allreduce(send_buffer, receive_buffer, count, datatype, operation,
                                                   communicator, module->previous_allreduce_module);
}

int coll_topo_reduce(const void* send_buffer, void* receive_buffer, coll_topo_count count,
                     struct ompi_datatype_t* datatype, struct ompi_op_t* operation, int root,
                     struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    const bool is_root = ompi_comm_rank(communicator) == root;
    const struct coll_topo_reduction_call call = {.collective = COLL_TOPO_REDUCE,
                                                  .send_buffer = send_buffer,
                                                  .receive_buffer = receive_buffer,
                                                  .elements = (size_t)count,
                                                  .own_end = is_root ? (size_t)count : 0,
                                                  .root = root,
                                                  .datatype = datatype,
                                                  .operation = operation};
    bool passed_on = false;
    const int error = coll_topo_reduce_by_plan(module, communicator, &call, &passed_on);
    return !passed_on ? error
                      : module->previous_reduce(send_buffer, receive_buffer, count, datatype, operation, root,
                                                communicator, module->previous_reduce_module);
}

int coll_topo_reduce_scatter(const void* send_buffer, void* receive_buffer, coll_topo_counts counts,
                             struct ompi_datatype_t* datatype, struct ompi_op_t* operation,
                             struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    const int size = ompi_comm_size(communicator), own = ompi_comm_rank(communicator);
    struct coll_topo_reduction_call call = {.collective = COLL_TOPO_REDUCE_SCATTER,
                                            .send_buffer = send_buffer,
                                            .receive_buffer = receive_buffer,
                                            .datatype = datatype,
                                            .operation = operation};
    for (int rank = 0; rank < size; ++rank) {
        const size_t piece = coll_topo_count_of(counts, rank);
        if (piece != coll_topo_count_of(counts, 0)) {
            call.piece_elements = coll_topo_piece_counts_of(counts);
        }
        if (rank == own) {
            call.own_begin = call.elements;
            call.own_end = call.elements + piece;
        }
        call.elements += piece;
    }
    bool passed_on = false;
    const int error = coll_topo_reduce_by_plan(module, communicator, &call, &passed_on);
    return !passed_on ? error
                      : module->previous_reduce_scatter(send_buffer, receive_buffer, counts, datatype, operation,
                                                        communicator, module->previous_reduce_scatter_module);
}

int coll_topo_reduce_scatter_block(const void* send_buffer, void* receive_buffer, coll_topo_count count,
                                   struct ompi_datatype_t* datatype, struct ompi_op_t* operation,
                                   struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    const size_t piece = (size_t)count, own = (size_t)ompi_comm_rank(communicator);
    const struct coll_topo_reduction_call call = {.collective = COLL_TOPO_REDUCE_SCATTER_BLOCK,
                                                  .send_buffer = send_buffer,
                                                  .receive_buffer = receive_buffer,
                                                  .elements = piece * (size_t)ompi_comm_size(communicator),
                                                  .own_begin = piece * own,
                                                  .own_end = piece * (own + 1),
                                                  .datatype = datatype,
                                                  .operation = operation};
    bool passed_on = false;
    const int error = coll_topo_reduce_by_plan(module, communicator, &call, &passed_on);
    return !passed_on
               ? error
               : module->previous_reduce_scatter_block(send_buffer, receive_buffer, count, datatype, operation,
                                                       communicator, module->previous_reduce_scatter_block_module);
}

int coll_topo_scan(const void* send_buffer, void* receive_buffer, coll_topo_count count,
                   struct ompi_datatype_t* datatype, struct ompi_op_t* operation,
                   struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    const struct coll_topo_reduction_call call = {.collective = COLL_TOPO_SCAN,
                                                  .send_buffer = send_buffer,
                                                  .receive_buffer = receive_buffer,
                                                  .elements = (size_t)count,
                                                  .own_end = (size_t)count,
                                                  .datatype = datatype,
                                                  .operation = operation};
    bool passed_on = false;
    const int error = coll_topo_reduce_by_plan(module, communicator, &call, &passed_on);
    return !passed_on ? error
                      : module->previous_scan(send_buffer, receive_buffer, count, datatype, operation, communicator,
                                              module->previous_scan_module);
}

int coll_topo_exscan(const void* send_buffer, void* receive_buffer, coll_topo_count count,
                     struct ompi_datatype_t* datatype, struct ompi_op_t* operation,
                     struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    const bool is_first = ompi_comm_rank(communicator) == 0;
    const struct coll_topo_reduction_call call = {.collective = COLL_TOPO_EXSCAN,
                                                  .send_buffer = send_buffer,
                                                  .receive_buffer = receive_buffer,
                                                  .elements = (size_t)count,
                                                  .own_end = is_first ? 0 : (size_t)count,
                                                  .datatype = datatype,
                                                  .operation = operation};
    bool passed_on = false;
    const int error = coll_topo_reduce_by_plan(module, communicator, &call, &passed_on);
    return !passed_on ? error
                      : module->previous_exscan(send_buffer, receive_buffer, count, datatype, operation, communicator,
                                                module->previous_exscan_module);
}
