/* SPDX-License-Identifier: BSD-3-Clause */
/* The collectives that combine data: allreduce, reduce, reduce_scatter, reduce_scatter_block. */
#include "coll_topo/mca/collectives.h"
#include "coll_topo/mca/counters.h"
#include "coll_topo/mca/planned_call.h"

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/op/op.h"

/* Elements must lie one after the other, upwards, for blocks of them to be addressed. All ranks pass the same datatype
 * to a reduction, so this is the same on all of them. */
static bool reducible(struct ompi_datatype_t* datatype) {
    ptrdiff_t lower_bound = 0, extent = 0;
    ompi_datatype_get_extent(datatype, &lower_bound, &extent);
    return extent > 0;
}

/* As coll_topo_plan_call, for `elements` of a datatype. */
static int plan_reduction(struct coll_topo_module* module, struct ompi_communicator_t* communicator, int collective,
                          size_t elements, struct ompi_datatype_t* datatype, struct ompi_op_t* operation, int root,
                          coll_topo_plan** plan) {
    if (!reducible(datatype)) {
        *plan = NULL;
        coll_topo_count_fallback();
        return OMPI_SUCCESS;
    }
    return coll_topo_plan_call(module, communicator, collective, elements * coll_topo_datatype_bytes(datatype), root,
                               ompi_op_is_commute(operation), plan);
}

int coll_topo_allreduce(const void* send_buffer, void* receive_buffer, int count, struct ompi_datatype_t* datatype,
                        struct ompi_op_t* operation, struct ompi_communicator_t* communicator,
                        mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    coll_topo_plan* plan = NULL;
    if ((size_t)count * coll_topo_datatype_bytes(datatype) == 0) {
        return OMPI_SUCCESS;
    }
    int error = plan_reduction(module, communicator, COLL_TOPO_ALLREDUCE, (size_t)count, datatype, operation, 0, &plan);
    if (error == OMPI_SUCCESS && plan == NULL) {
        return module->previous_allreduce(send_buffer, receive_buffer, count, datatype, operation, communicator,
                                          module->previous_allreduce_module);
    }
    if (error == OMPI_SUCCESS && send_buffer != MPI_IN_PLACE) {
        error = ompi_datatype_copy_content_same_ddt(datatype, (size_t)count, receive_buffer, (char*)send_buffer);
    }
    if (error != OMPI_SUCCESS) {
        return error;
    }
    struct coll_topo_pml_transport transport;
    coll_topo_pml_transport_typed(&transport, communicator, datatype, operation);
    const coll_topo_buffers buffers = {.output = receive_buffer, .elements = (size_t)count};
    return coll_topo_run_call(module, COLL_TOPO_ALLREDUCE, plan, &transport, &buffers);
}

/* Where a rank of a reduce works: it holds the rank's contribution when it begins. The root's receive buffer; elsewhere
 * the send buffer if the plan only sends from it, else a copy of that. */
static int reduce_memory(struct coll_topo_module* module, const coll_topo_plan* plan, bool is_root,
                         const struct coll_topo_pml_transport* transport, const void* send_buffer, void* receive_buffer,
                         size_t count, void** memory) {
    *memory = receive_buffer;
    if (!is_root && coll_topo_plan_keeps_output(plan)) {
        *memory = (void*)send_buffer;
        return OMPI_SUCCESS;
    }
    if (!is_root) {
        const coll_topo_transport* of_elements = &transport->base;
        const size_t room = count * (size_t)of_elements->extent + (size_t)of_elements->scratch_tail;
        char* temporary = coll_topo_temporary(module->plans, room);
        if (temporary == NULL) {
            return OMPI_ERR_OUT_OF_RESOURCE;
        }
        *memory = temporary + of_elements->scratch_lead;
    } else if (send_buffer == MPI_IN_PLACE) {
        return OMPI_SUCCESS;
    }
    return ompi_datatype_copy_content_same_ddt(transport->datatype, count, *memory, (char*)send_buffer);
}

int coll_topo_reduce(const void* send_buffer, void* receive_buffer, int count, struct ompi_datatype_t* datatype,
                     struct ompi_op_t* operation, int root, struct ompi_communicator_t* communicator,
                     mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    coll_topo_plan* plan = NULL;
    if ((size_t)count * coll_topo_datatype_bytes(datatype) == 0) {
        return OMPI_SUCCESS;
    }
    int error = plan_reduction(module, communicator, COLL_TOPO_REDUCE, (size_t)count, datatype, operation, root, &plan);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (plan == NULL) {
        return module->previous_reduce(send_buffer, receive_buffer, count, datatype, operation, root, communicator,
                                       module->previous_reduce_module);
    }
    struct coll_topo_pml_transport transport;
    coll_topo_pml_transport_typed(&transport, communicator, datatype, operation);
    coll_topo_buffers buffers = {.elements = (size_t)count};
    error = reduce_memory(module, plan, ompi_comm_rank(communicator) == root, &transport, send_buffer, receive_buffer,
                          (size_t)count, &buffers.output);
    return error == OMPI_SUCCESS ? coll_topo_run_call(module, COLL_TOPO_REDUCE, plan, &transport, &buffers) : error;
}

int coll_topo_reduce_scatter(const void* send_buffer, void* receive_buffer, const int* counts,
                             struct ompi_datatype_t* datatype, struct ompi_op_t* operation,
                             struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    const int size = ompi_comm_size(communicator);
    coll_topo_plan* plan = NULL;
    size_t elements = 0;
    for (int rank = 0; rank < size; ++rank) {
        elements += (size_t)counts[rank];
    }
    if (elements * coll_topo_datatype_bytes(datatype) == 0) {
        return OMPI_SUCCESS;
    }
    const int error =
        plan_reduction(module, communicator, COLL_TOPO_REDUCE_SCATTER, elements, datatype, operation, 0, &plan);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (plan == NULL) {
        return module->previous_reduce_scatter(send_buffer, receive_buffer, counts, datatype, operation, communicator,
                                               module->previous_reduce_scatter_module);
    }
    struct coll_topo_pml_transport transport;
    coll_topo_pml_transport_typed(&transport, communicator, datatype, operation);
    const coll_topo_buffers buffers = {.input = send_buffer == MPI_IN_PLACE ? receive_buffer : send_buffer,
                                       .output = receive_buffer,
                                       .elements = elements,
                                       .piece_elements = counts};
    return coll_topo_run_call(module, COLL_TOPO_REDUCE_SCATTER, plan, &transport, &buffers);
}

int coll_topo_reduce_scatter_block(const void* send_buffer, void* receive_buffer, int count,
                                   struct ompi_datatype_t* datatype, struct ompi_op_t* operation,
                                   struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    const size_t elements = (size_t)count * (size_t)ompi_comm_size(communicator);
    coll_topo_plan* plan = NULL;
    if (elements * coll_topo_datatype_bytes(datatype) == 0) {
        return OMPI_SUCCESS;
    }
    const int error =
        plan_reduction(module, communicator, COLL_TOPO_REDUCE_SCATTER_BLOCK, elements, datatype, operation, 0, &plan);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (plan == NULL) {
        return module->previous_reduce_scatter_block(send_buffer, receive_buffer, count, datatype, operation,
                                                     communicator, module->previous_reduce_scatter_block_module);
    }
    struct coll_topo_pml_transport transport;
    coll_topo_pml_transport_typed(&transport, communicator, datatype, operation);
    const coll_topo_buffers buffers = {.input = send_buffer == MPI_IN_PLACE ? receive_buffer : send_buffer,
                                       .output = receive_buffer,
                                       .elements = (size_t)count};
    return coll_topo_run_call(module, COLL_TOPO_REDUCE_SCATTER_BLOCK, plan, &transport, &buffers);
}
