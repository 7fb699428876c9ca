/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/agreement.h"

#include "coll_topo/mca/module/common_settings.h"
#include "coll_topo/mca/module/differences.h"
#include "coll_topo/mca/module/host_memory_of.h"
#include "coll_topo/mca/module/nonblocking.h"
#include "coll_topo/mca/module/parameters.h"
#include "coll_topo/mca/module/peers.h"
#include "coll_topo/mca/module/plans.h"
#include "coll_topo/mca/module/report.h"
#include "coll_topo/mca/module/reproducible.h"
#include "coll_topo/mca/module/slurm.h"
#include "coll_topo/mca/module/topology.h"

#include "ompi/communicator/communicator.h"

#include <stdlib.h>

/* Where they are to come from Slurm, a topology or the lack of it has other reasons. */
static const char* difference(enum coll_topo_peer_kind kind) {
    if (coll_topo_slurm_wanted() && kind == COLL_TOPO_PEER_DIFFERENT) {
        return "another SLURM_TOPOLOGY_ADDR_PATTERN, other rules, parameters or data representation";
    }
    if (coll_topo_slurm_wanted() && kind == COLL_TOPO_PEER_UNUSABLE) {
        return "has no SLURM_TOPOLOGY_ADDR that can be used, or cannot use its rules";
    }
    switch (kind) {
        case COLL_TOPO_PEER_DIFFERENT:
            return "other rules or parameters, another topology or data representation";
        case COLL_TOPO_PEER_OTHER_BUILD:
            return "another build of the component";
        case COLL_TOPO_PEER_OTHER_VERSION:
            return "another version of the component";
        case COLL_TOPO_PEER_NOT_LISTED:
            return "its host is not in the topology file";
        case COLL_TOPO_PEER_UNUSABLE:
            return "cannot use its topology file or rules";
        case COLL_TOPO_PEER_NO_FILE:
            return "coll_topo_topology_file is not set";
        case COLL_TOPO_PEER_SWITCHED_OFF:
            return "coll_topo_priority is negative";
        case COLL_TOPO_PEER_ABSENT:
            return "has not loaded the component";
        default:
            return "agrees";
    }
}

/* Whether this rank is the one to report: the lowest that is READY, which all that are know to be the same. Where a
 * process without a record ended the search before one was found, the lowest one of each host. */
static bool reports(const struct coll_topo_peer* peers, struct ompi_communicator_t* communicator) {
    for (int rank = 0; rank < ompi_comm_size(communicator); ++rank) {
        if (coll_topo_peer_is_ready(peers[rank].kind)) {
            return rank == ompi_comm_rank(communicator);
        }
    }
    return coll_topo_peers_first_on_host(communicator);
}

/* Whichever rank has coll_topo_require, the one that reports ends the job: another could end it before the message. */
static void report(struct ompi_communicator_t* communicator, const struct coll_topo_peer* peers,
                   const struct coll_topo_differences* list) {
    char lines[1024];
    bool required = false;
    for (int rank = 0; rank < ompi_comm_size(communicator); ++rank) {
        required = required || peers[rank].required;
    }
    coll_topo_differences_text(list, lines, sizeof lines);
    coll_topo_report_differences(communicator, ompi_comm_rank(communicator), lines, required);
}

static void report_peers(struct ompi_communicator_t* communicator, const struct coll_topo_peer* peers) {
    if (reports(peers, communicator)) {
        struct coll_topo_differences list = {0};
        for (int rank = 0; rank < ompi_comm_size(communicator); ++rank) {
            if (peers[rank].kind != COLL_TOPO_PEER_EQUAL && peers[rank].kind != COLL_TOPO_PEER_UNASKED) {
                coll_topo_differences_add(&list, communicator, rank, difference(peers[rank].kind));
            }
        }
        report(communicator, peers, &list);
    } else {
        coll_topo_report_is_elsewhere();
    }
}

/* A rank that has all records learns from others that one has not come to them. Where rank 0 is one of those, it has
 * reported that itself. */
static void report_missed(struct ompi_communicator_t* communicator, const struct coll_topo_peer* peers, int missed) {
    if (ompi_comm_rank(communicator) == 0) {
        struct coll_topo_differences list = {0};
        coll_topo_differences_add(&list, communicator, missed, "what it published has not reached all ranks in time");
        report(communicator, peers, &list);
    } else {
        coll_topo_report_is_elsewhere();
    }
}

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
        report_missed(communicator, peers, all.missed);
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
        if (error == OMPI_SUCCESS && ompi_comm_rank(communicator) == 0) {
            report(communicator, peers, &list);
        } else {
            coll_topo_report_is_elsewhere();
        }
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
        report_peers(communicator, peers);
    }
    free(peers);
    if (error == OMPI_SUCCESS) {
        coll_topo_module_give_back(module, communicator);
    }
    return error;
}
