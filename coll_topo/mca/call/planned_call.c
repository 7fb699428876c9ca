/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/call/planned_call.h"

#include "coll_topo/mca/module/agreement.h"
#include "coll_topo/mca/module/counters.h"
#include "coll_topo/mca/module/report.h"

#include "ompi/communicator/communicator.h"

#include <stdint.h>

int coll_topo_error_of(int core_error) {
    return core_error == COLL_TOPO_OUT_OF_MEMORY ? OMPI_ERR_OUT_OF_RESOURCE : OMPI_ERROR;
}

int coll_topo_decided(struct coll_topo_module* module, struct ompi_communicator_t* communicator) {
    if (OPAL_LIKELY(module->decision != COLL_TOPO_UNDECIDED)) {
        return OMPI_SUCCESS;
    }
    return coll_topo_decide(module, communicator);
}

int coll_topo_plan_by(coll_topo_chooser* choose, struct coll_topo_module* module,
                      struct ompi_communicator_t* communicator, int collective, size_t bytes, int root, int commutative,
                      coll_topo_plan** plan) {
    const char* explanation = NULL;
    *plan = NULL;
    if (module->decision != COLL_TOPO_OURS || module->least_bytes[collective] == SIZE_MAX) {
        return OMPI_SUCCESS;
    }
    const int error = choose(module->plans, collective, bytes, root, commutative, &explanation, plan);
    if (error != COLL_TOPO_OK) {
        return coll_topo_error_of(error);
    }
    if (OPAL_UNLIKELY(explanation != NULL)) {
        coll_topo_report_text(communicator, explanation);
    }
    return OMPI_SUCCESS;
}

int coll_topo_plan_call(struct coll_topo_module* module, struct ompi_communicator_t* communicator, int collective,
                        size_t bytes, int root, int commutative, coll_topo_plan** plan) {
    *plan = NULL;
    int error = coll_topo_decided(module, communicator);
    if (error == OMPI_SUCCESS) {
        error = coll_topo_plan_by(module->choose, module, communicator, collective, bytes, root, commutative, plan);
    }
    if (error == OMPI_SUCCESS && *plan == NULL) {
        coll_topo_count_fallback();
    }
    return error;
}

int coll_topo_error_of_run(int core_error, const struct coll_topo_pml_transport* transport) {
    if (core_error == COLL_TOPO_OK) {
        return OMPI_SUCCESS;
    }
    return transport->error != OMPI_SUCCESS ? transport->error : coll_topo_error_of(core_error);
}

int coll_topo_ran(int collective, int core_error, const struct coll_topo_pml_transport* transport) {
    if (core_error == COLL_TOPO_OK) {
        coll_topo_count_run(collective);
    }
    return coll_topo_error_of_run(core_error, transport);
}

int coll_topo_run_call(struct coll_topo_module* module, int collective, coll_topo_plan* plan,
                       struct coll_topo_pml_transport* transport, const coll_topo_buffers* buffers) {
    coll_topo_pml_transport_for_lanes(transport, coll_topo_plan_lanes(plan));
    return coll_topo_ran(collective, coll_topo_run(module->plans, plan, &transport->base, buffers), transport);
}
