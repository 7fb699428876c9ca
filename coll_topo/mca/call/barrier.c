/* SPDX-License-Identifier: BSD-3-Clause */
/* Barrier: an allreduce of one byte, whose value does not matter. No rank has its result before all have contributed,
 * so none leaves before all have entered. */
#include "coll_topo/mca/call/planned_call.h"
#include "coll_topo/mca/module/collectives.h"
#include "coll_topo/mca/transport/memory_transport.h"

#include "ompi/communicator/communicator.h"

/* A call of Open MPI's function would be a part of the time that shows, for a value that nobody looks at. */
static void leave_as_it_is(coll_topo_transport* transport, const void* source, void* target, size_t elements) {
    (void)transport;
    (void)source;
    (void)target;
    (void)elements;
}

int coll_topo_barrier(struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    coll_topo_plan* plan = NULL;
    const int error = coll_topo_plan_call(module, communicator, COLL_TOPO_BARRIER, 0, 0, 1, &plan);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (plan == NULL) {
        return module->previous_barrier(communicator, module->previous_barrier_module);
    }
    unsigned char nothing = 0;
    struct coll_topo_pml_transport transport;
    coll_topo_pml_transport_bytes(&transport, communicator);
    transport.base.reduce = leave_as_it_is;
    coll_topo_use_host_memory(&transport, module->memory);
    const coll_topo_buffers buffers = {.output = &nothing, .elements = 1};
    return coll_topo_run_call(module, COLL_TOPO_BARRIER, plan, &transport, &buffers);
}
