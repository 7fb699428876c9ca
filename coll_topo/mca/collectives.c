/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/collectives.h"

#include "coll_topo/mca/agreement.h"
#include "coll_topo/mca/counters.h"
#include "coll_topo/mca/module.h"
#include "coll_topo/mca/pml_transport.h"
#include "coll_topo/mca/report.h"

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/op/op.h"

/* Chooses a plan from what is equal on all ranks: the decision about the communicator, the packed size of the whole
 * vector and whether the operation commutes. No plan: the previous module does it. An Open MPI error code. */
static int choose(struct coll_topo_module* module, struct ompi_communicator_t* communicator, int collective,
                  size_t bytes, int commutative, coll_topo_plan** plan) {
    const char* explanation = NULL;
    *plan = NULL;
    if (OPAL_UNLIKELY(module->decision == COLL_TOPO_UNDECIDED)) {
        const int error = coll_topo_decide(module, communicator);
        if (error != OMPI_SUCCESS) {
            return error;
        }
    }
    if (module->decision == COLL_TOPO_OURS) {
        const int error = coll_topo_choose(module->plans, collective, bytes, 0, commutative, &explanation, plan);
        if (error != COLL_TOPO_OK) {
            return error == COLL_TOPO_OUT_OF_MEMORY ? OMPI_ERR_OUT_OF_RESOURCE : OMPI_ERROR;
        }
        if (explanation != NULL && coll_topo_report_wanted(communicator)) {
            coll_topo_report_choice(communicator, explanation);
        }
    }
    return OMPI_SUCCESS;
}

static int run(struct coll_topo_module* module, int collective, coll_topo_plan* plan,
               struct coll_topo_pml_transport* transport, const coll_topo_buffers* buffers) {
    const int error = coll_topo_run(module->plans, plan, &transport->base, buffers);
    if (error == COLL_TOPO_OK) {
        coll_topo_count_run(collective);
        return OMPI_SUCCESS;
    }
    if (transport->error != OMPI_SUCCESS) {
        return transport->error;
    }
    return error == COLL_TOPO_OUT_OF_MEMORY ? OMPI_ERR_OUT_OF_RESOURCE : OMPI_ERROR;
}

/* Elements must lie one after the other, upwards, for blocks of them to be addressed. All ranks pass the same datatype
 * to a reduction, so this is the same on all of them. */
static bool reducible(struct ompi_datatype_t* datatype) {
    ptrdiff_t lower_bound = 0, extent = 0;
    ompi_datatype_get_extent(datatype, &lower_bound, &extent);
    return extent > 0;
}

int coll_topo_allreduce(const void* send_buffer, void* receive_buffer, int count, struct ompi_datatype_t* datatype,
                        struct ompi_op_t* operation, struct ompi_communicator_t* communicator,
                        mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    const size_t bytes = (size_t)count * coll_topo_datatype_bytes(datatype);
    coll_topo_plan* plan = NULL;
    if (bytes == 0) {
        return OMPI_SUCCESS;
    }
    int error = reducible(datatype)
                    ? choose(module, communicator, COLL_TOPO_ALLREDUCE, bytes, ompi_op_is_commute(operation), &plan)
                    : OMPI_SUCCESS;
    if (error == OMPI_SUCCESS && plan == NULL) {
        coll_topo_count_fallback();
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
    return run(module, COLL_TOPO_ALLREDUCE, plan, &transport, &buffers);
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
    const size_t bytes = elements * coll_topo_datatype_bytes(datatype);
    if (bytes == 0) {
        return OMPI_SUCCESS;
    }
    const int error = reducible(datatype) ? choose(module, communicator, COLL_TOPO_REDUCE_SCATTER, bytes,
                                                   ompi_op_is_commute(operation), &plan)
                                          : OMPI_SUCCESS;
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (plan == NULL) {
        coll_topo_count_fallback();
        return module->previous_reduce_scatter(send_buffer, receive_buffer, counts, datatype, operation, communicator,
                                               module->previous_reduce_scatter_module);
    }
    struct coll_topo_pml_transport transport;
    coll_topo_pml_transport_typed(&transport, communicator, datatype, operation);
    const coll_topo_buffers buffers = {.input = send_buffer == MPI_IN_PLACE ? receive_buffer : send_buffer,
                                       .output = receive_buffer,
                                       .elements = elements,
                                       .piece_elements = counts};
    return run(module, COLL_TOPO_REDUCE_SCATTER, plan, &transport, &buffers);
}

int coll_topo_reduce_scatter_block(const void* send_buffer, void* receive_buffer, int count,
                                   struct ompi_datatype_t* datatype, struct ompi_op_t* operation,
                                   struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    const size_t piece = (size_t)count * coll_topo_datatype_bytes(datatype);
    coll_topo_plan* plan = NULL;
    if (piece == 0) {
        return OMPI_SUCCESS;
    }
    const int error = reducible(datatype)
                          ? choose(module, communicator, COLL_TOPO_REDUCE_SCATTER_BLOCK,
                                   piece * (size_t)ompi_comm_size(communicator), ompi_op_is_commute(operation), &plan)
                          : OMPI_SUCCESS;
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (plan == NULL) {
        coll_topo_count_fallback();
        return module->previous_reduce_scatter_block(send_buffer, receive_buffer, count, datatype, operation,
                                                     communicator, module->previous_reduce_scatter_block_module);
    }
    struct coll_topo_pml_transport transport;
    coll_topo_pml_transport_typed(&transport, communicator, datatype, operation);
    const coll_topo_buffers buffers = {.input = send_buffer == MPI_IN_PLACE ? receive_buffer : send_buffer,
                                       .output = receive_buffer,
                                       .elements = (size_t)count};
    return run(module, COLL_TOPO_REDUCE_SCATTER_BLOCK, plan, &transport, &buffers);
}

/* Ranks may pass different datatypes of equal signature, so that only packed bytes are the same on all of them. */
int coll_topo_allgather(const void* send_buffer, int send_count, struct ompi_datatype_t* send_type,
                        void* receive_buffer, int receive_count, struct ompi_datatype_t* receive_type,
                        struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    const size_t ranks = (size_t)ompi_comm_size(communicator);
    const size_t piece = (size_t)receive_count * coll_topo_datatype_bytes(receive_type);
    coll_topo_plan* plan = NULL;
    if (piece == 0) {
        return OMPI_SUCCESS;
    }
    const int error = choose(module, communicator, COLL_TOPO_ALLGATHER, piece * ranks, 1, &plan);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (plan == NULL) {
        coll_topo_count_fallback();
        return module->previous_allgather(send_buffer, send_count, send_type, receive_buffer, receive_count,
                                          receive_type, communicator, module->previous_allgather_module);
    }
    struct coll_topo_pml_transport transport;
    coll_topo_pml_transport_packed(&transport, communicator);
    coll_topo_packed_view_set(&transport.receive_view, receive_buffer, (size_t)receive_count * ranks, receive_type);
    if (send_buffer == MPI_IN_PLACE) {
        const ptrdiff_t own = (ptrdiff_t)ompi_comm_rank(communicator) * receive_count * transport.receive_view.extent;
        send_buffer = (const char*)receive_buffer + own;
        coll_topo_packed_view_set(&transport.send_view, send_buffer, (size_t)receive_count, receive_type);
    } else {
        coll_topo_packed_view_set(&transport.send_view, send_buffer, (size_t)send_count, send_type);
    }
    const coll_topo_buffers buffers = {.input = send_buffer, .output = receive_buffer, .elements = piece};
    return run(module, COLL_TOPO_ALLGATHER, plan, &transport, &buffers);
}
