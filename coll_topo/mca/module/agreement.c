/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/agreement.h"

#include "coll_topo/mca/module/common_settings.h"
#include "coll_topo/mca/module/disagreement.h"
#include "coll_topo/mca/module/host_memory_of.h"
#include "coll_topo/mca/module/nonblocking.h"
#include "coll_topo/mca/module/parameters.h"
#include "coll_topo/mca/module/peers.h"
#include "coll_topo/mca/module/plans.h"
#include "coll_topo/mca/module/report.h"
#include "coll_topo/mca/module/reproducible.h"
#include "coll_topo/mca/module/settings_differences.h"
#include "coll_topo/mca/module/topology.h"

#include "ompi/communicator/communicator.h"

#include <stdlib.h>

/* Plans for ranks that all agree. What can fail here fails alike on all of them, but for a lack of memory. */
static int plan(struct coll_topo_module* module, struct ompi_communicator_t* communicator,
                const struct coll_topo_peer* peers, const struct coll_topo_common_settings* common) {
    const coll_topo_topology* topology = NULL;
    char message[1024] = "";
    coll_topo_settings settings = coll_topo_parameters.settings;
    settings.compared_with_tuned = common->compared_with_tuned;
    if (common->reproducible != COLL_TOPO_REPRODUCIBLE_END) {
        settings.reproducible = common->reproducible;
    } else if (ompi_comm_rank(communicator) == 0) {
        coll_topo_reproducible_unknown(communicator);
    }
    int error = module->memory_decided ? OMPI_SUCCESS : coll_topo_host_memory_of(communicator, &module->memory);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    module->memory_decided = true;
    settings.host_memory = coll_topo_host_memory_has_all(module->memory);
    error = coll_topo_plans_make(communicator, peers, &settings, &module->topology, &topology, &module->plans, message,
                                 sizeof message);
    if (error == COLL_TOPO_OUT_OF_MEMORY) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    if (error != COLL_TOPO_OK) {
        module->decision = COLL_TOPO_ASIDE;
        coll_topo_plans_report_failure(communicator, message);
        return OMPI_SUCCESS;
    }
    module->decision = COLL_TOPO_OURS;
    module->reproducible = settings.reproducible;
    if (ompi_comm_rank(communicator) == 0) {
        coll_topo_report_plans(communicator, topology, module->plans, module->reproducible);
    }
    return OMPI_SUCCESS;
}

/* Among ranks that can all use the component: whether they are to do the same on this communicator. */
static int settle(struct coll_topo_module* module, struct ompi_communicator_t* communicator,
                  const struct coll_topo_peer* peers) {
    const struct coll_topo_common_settings own = coll_topo_own_settings(module, communicator);
    struct coll_topo_comparison all;
    int error = coll_topo_settings_compare(communicator, &own, &all);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (all.missed >= 0) {
        module->decision = COLL_TOPO_ASIDE;
        coll_topo_report_missed(communicator, peers, all.missed);
        return OMPI_SUCCESS;
    }
    if (all.equal && !own.withdrawn) {
        error = plan(module, communicator, peers, &own);
        if (error == OMPI_SUCCESS && module->decision == COLL_TOPO_OURS && coll_topo_profile_wanted()) {
            coll_topo_profile_begin(module, communicator, all.identity);
        }
        return error;
    }
    module->decision = COLL_TOPO_ASIDE;
    if (!all.equal) {
        struct coll_topo_differences list = {0};
        error = coll_topo_settings_collect(communicator, &own, &list);
        coll_topo_report_settings(communicator, peers, error == OMPI_SUCCESS ? &list : NULL);
    }
    return error;
}

int coll_topo_decide(struct coll_topo_module* module, struct ompi_communicator_t* communicator) {
    const int size = ompi_comm_size(communicator);
    int error = OMPI_SUCCESS;
    if (module->nonblocking != NULL) {
        coll_topo_nonblocking_settle(module->nonblocking);
        if (module->decision != COLL_TOPO_UNDECIDED) {
            return OMPI_SUCCESS;
        }
    }
    if (coll_topo_own_record.readiness != COLL_TOPO_READY) {
        coll_topo_abort_if_required(communicator);
    }
    struct coll_topo_peer* peers = calloc((size_t)size, sizeof *peers);
    if (peers == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    const int missed = coll_topo_peers_look_up(communicator, peers);
    if (coll_topo_peers_all_equal(peers, size)) {
        error = settle(module, communicator, peers);
    } else {
        module->decision = COLL_TOPO_ASIDE;
        if (missed >= 0) {
            error = coll_topo_settings_decline(communicator, missed);
        }
        coll_topo_report_peers(communicator, peers);
    }
    free(peers);
    if (error == OMPI_SUCCESS) {
        coll_topo_module_give_back(module, communicator);
    }
    return error;
}
