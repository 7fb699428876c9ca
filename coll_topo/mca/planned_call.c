/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/planned_call.h"

#include "coll_topo/mca/agreement.h"
#include "coll_topo/mca/counters.h"
#include "coll_topo/mca/report.h"

#include "ompi/communicator/communicator.h"

static int error_of(int core_error) {
    return core_error == COLL_TOPO_OUT_OF_MEMORY ? OMPI_ERR_OUT_OF_RESOURCE : OMPI_ERROR;
}

int coll_topo_plan_call(struct coll_topo_module* module, struct ompi_communicator_t* communicator, int collective,
                        size_t bytes, int root, int commutative, coll_topo_plan** plan) {
    const char* explanation = NULL;
    *plan = NULL;
    if (OPAL_UNLIKELY(module->decision == COLL_TOPO_UNDECIDED)) {
        const int error = coll_topo_decide(module, communicator);
        if (error != OMPI_SUCCESS) {
            return error;
        }
    }
    if (module->decision == COLL_TOPO_OURS) {
        const int error = coll_topo_choose(module->plans, collective, bytes, root, commutative, &explanation, plan);
        if (error != COLL_TOPO_OK) {
            return error_of(error);
        }
        if (explanation != NULL && coll_topo_report_wanted(communicator)) {
            coll_topo_report_choice(communicator, explanation);
        }
    }
    if (*plan == NULL) {
        coll_topo_count_fallback();
    }
    return OMPI_SUCCESS;
}

int coll_topo_run_call(struct coll_topo_module* module, int collective, coll_topo_plan* plan,
                       struct coll_topo_pml_transport* transport, const coll_topo_buffers* buffers) {
    const int error = coll_topo_run(module->plans, plan, &transport->base, buffers);
    if (error == COLL_TOPO_OK) {
        coll_topo_count_run(collective);
        return OMPI_SUCCESS;
    }
    return transport->error != OMPI_SUCCESS ? transport->error : error_of(error);
}
