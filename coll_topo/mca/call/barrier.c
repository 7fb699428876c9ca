/* SPDX-License-Identifier: BSD-3-Clause */
/* Barrier: an allreduce of one byte. No rank has its result before all have contributed, so none leaves before all have
 * entered. */
#include "coll_topo/mca/call/planned_call.h"
#include "coll_topo/mca/module/collectives.h"
#include "coll_topo/mca/transport/memory_transport.h"

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/op/op.h"

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
    coll_topo_pml_transport_typed(&transport, communicator, &ompi_mpi_byte.dt, &ompi_mpi_op_bor.op);
    coll_topo_use_host_memory(&transport, module->memory);
    const coll_topo_buffers buffers = {.output = &nothing, .elements = 1};
    return coll_topo_run_call(module, COLL_TOPO_BARRIER, plan, &transport, &buffers);
}
