/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/call/planned_call.h"
#include "coll_topo/mca/call/unequal_pieces.h"
#include "coll_topo/mca/module/collectives.h"
#include "coll_topo/mca/transport/memory_transport.h"

#include "ompi/communicator/communicator.h"

#include <stdlib.h>

/* For what goes ahead of pieces. */
static void set_transport_of_bytes(const struct coll_topo_module* module, const struct coll_topo_unequal* call,
                                   struct coll_topo_pml_transport* transport) {
    coll_topo_pml_transport_bytes(transport, call->communicator);
    coll_topo_use_host_memory(transport, module->memory);
}

static int exchange_cells(struct coll_topo_module* module, coll_topo_plan* plan, struct coll_topo_unequal* call) {
    struct coll_topo_pml_transport transport;
    const int filled = coll_topo_unequal_fill_cells(call, coll_topo_plan_is_direct(plan));
    if (filled != OMPI_SUCCESS) {
        return filled;
    }
    set_transport_of_bytes(module, call, &transport);
    const int error =
        coll_topo_exchange_sizes(module->plans, plan, &transport.base, call->root, &call->cells, call->sizes);
    return coll_topo_error_of_run(error, &transport);
}

/* The plan by which long pieces go; cells have come directly. */
static int learn_way(struct coll_topo_module* module, struct coll_topo_unequal* call, coll_topo_plan** plan) {
    struct coll_topo_pml_transport transport;
    coll_topo_buffers buffers;
    coll_topo_plan* const by_plan = *plan;
    *plan = coll_topo_plan_of_cells(by_plan);
    if (!coll_topo_unequal_set_answers(call, &buffers)) {
        return OMPI_SUCCESS;
    }
    set_transport_of_bytes(module, call, &transport);
    const int error = coll_topo_run(module->plans, coll_topo_plan_of_answers(by_plan), &transport.base, &buffers);
    if (error != COLL_TOPO_OK || !coll_topo_unequal_goes_by_plan(call)) {
        return coll_topo_error_of_run(error, &transport);
    }
    *plan = by_plan;
    return exchange_cells(module, by_plan, call);
}

/* With the sizes known: of what was too long for its cell, all where none went ahead. */
static int run(struct coll_topo_module* module, coll_topo_plan* plan, struct coll_topo_unequal* call, void* instead) {
    struct coll_topo_gathered_pieces transport;
    coll_topo_buffers buffers;
    coll_topo_unequal_set(call, &transport, module->memory, instead, &buffers);
    return coll_topo_run_call(module, call->collective, plan, &transport.pml, &buffers);
}

static int run_with_sizes(struct coll_topo_module* module, coll_topo_plan* plan, struct coll_topo_unequal* call) {
    void* const memory = coll_topo_temporary(module->plans, coll_topo_unequal_memory(call, plan));
    if (memory == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    coll_topo_unequal_use(call, plan, memory);
    coll_topo_unequal_set_known_sizes(call, plan);
    int error = OMPI_SUCCESS;
    if (!coll_topo_plan_is_direct(plan)) {
        error = exchange_cells(module, coll_topo_plan_of_cells(plan), call);
    }
    if (error != OMPI_SUCCESS) {
        return error;
    }
    const bool too_long = coll_topo_unequal_is_too_long(call);
    error = coll_topo_unequal_take_short(call, !too_long);
    if (error == OMPI_SUCCESS && coll_topo_plan_of_answers(plan) != NULL) {
        error = learn_way(module, call, &plan);
    }
    if (error != OMPI_SUCCESS || !too_long) {
        return error != OMPI_SUCCESS ? error : run(module, plan, call, NULL);
    }
    void* const instead = malloc(coll_topo_unequal_bytes(call) + 1); /* other ranks go on */
    const int end = instead != NULL ? run(module, plan, call, instead) : OMPI_ERR_OUT_OF_RESOURCE;
    free(instead);
    return end != OMPI_SUCCESS ? end : MPI_ERR_TRUNCATE;
}

int coll_topo_gatherv(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                      void* receive_buffer, coll_topo_counts receive_counts, coll_topo_displacements displacements,
                      struct ompi_datatype_t* receive_type, int root, struct ompi_communicator_t* communicator,
                      mca_coll_base_module_t* base) {
    struct coll_topo_module* const module = (struct coll_topo_module*)base;
    struct coll_topo_unequal call;
    coll_topo_plan* plan = NULL;
    const int error = coll_topo_plan_call(module, communicator, COLL_TOPO_GATHERV, 0, root, 1, &plan);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (plan == NULL) {
        return module->previous_gatherv(send_buffer, send_count, send_type, receive_buffer, receive_counts,
                                        displacements, receive_type, root, communicator,
                                        module->previous_gatherv_module);
    }
    coll_topo_unequal_set_gatherv(&call, communicator, send_buffer, send_count, send_type, receive_buffer,
                                  receive_counts, displacements, receive_type, root);
    return run_with_sizes(module, plan, &call);
}

int coll_topo_scatterv(const void* send_buffer, coll_topo_counts send_counts, coll_topo_displacements displacements,
                       struct ompi_datatype_t* send_type, void* receive_buffer, coll_topo_count receive_count,
                       struct ompi_datatype_t* receive_type, int root, struct ompi_communicator_t* communicator,
                       mca_coll_base_module_t* base) {
    struct coll_topo_module* const module = (struct coll_topo_module*)base;
    struct coll_topo_unequal call;
    coll_topo_plan* plan = NULL;
    const int error = coll_topo_plan_call(module, communicator, COLL_TOPO_SCATTERV, 0, root, 1, &plan);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (plan == NULL) {
        return module->previous_scatterv(send_buffer, send_counts, displacements, send_type, receive_buffer,
                                         receive_count, receive_type, root, communicator,
                                         module->previous_scatterv_module);
    }
    coll_topo_unequal_set_scatterv(&call, communicator, send_buffer, send_counts, displacements, send_type,
                                   receive_buffer, receive_count, receive_type, root);
    return run_with_sizes(module, plan, &call);
}
