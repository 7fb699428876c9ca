/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/agreement.h"

#include "coll_topo/mca/module/parameters.h"
#include "coll_topo/mca/module/peers.h"
#include "coll_topo/mca/module/previous.h"
#include "coll_topo/mca/module/report.h"
#include "coll_topo/mca/module/reproducible.h"
#include "coll_topo/mca/module/topology.h"

#include "ompi/communicator/communicator.h"

#include <stdio.h>
#include <stdlib.h>

enum { DIFFERENCES_SHOWN = 4 };

static const char* difference(enum coll_topo_peer_kind kind) {
    switch (kind) {
        case COLL_TOPO_PEER_DIFFERENT:
            return "other rules or parameters, another topology or data representation";
        case COLL_TOPO_PEER_NOT_LISTED:
            return "its host is not in the topology file";
        case COLL_TOPO_PEER_UNUSABLE:
            return "cannot use its topology file or rules";
        case COLL_TOPO_PEER_NO_FILE:
            return "coll_topo_topology_file is not set";
        case COLL_TOPO_PEER_ABSENT:
            return "has not loaded the component";
        default:
            return "agrees";
    }
}

/* A line for each of the first ranks that differ. */
static void list_differences(struct ompi_communicator_t* communicator, const struct coll_topo_peer* peers, int asked,
                             char* text, size_t size) {
    size_t used = 0;
    int differing = 0;
    text[0] = '\0';
    for (int rank = 0; rank < asked && used < size; ++rank) {
        if (peers[rank].kind != COLL_TOPO_PEER_EQUAL && differing++ < DIFFERENCES_SHOWN) {
            char host_name[COLL_TOPO_HOST_NAME_SIZE] = "an unknown host";
            if (peers[rank].kind != COLL_TOPO_PEER_ABSENT) {
                coll_topo_peers_host_name(communicator, rank, host_name, sizeof host_name);
            }
            used += (size_t)snprintf(text + used, size - used, "    rank %d on %s: %s\n", rank, host_name,
                                     difference(peers[rank].kind));
        }
    }
    if (differing > DIFFERENCES_SHOWN && used < size) {
        snprintf(text + used, size - used, "    and %d more\n", differing - DIFFERENCES_SHOWN);
    }
}

/* Whether this rank is the one to report: the lowest that takes part, which all that do know to be the same. Where a
 * rank without a record ended the search before one was found, the rank after that. */
static bool reports(const struct coll_topo_peer* peers, int found, int own_rank) {
    for (int rank = 0; rank < found; ++rank) {
        if (peers[rank].kind == COLL_TOPO_PEER_EQUAL || peers[rank].kind == COLL_TOPO_PEER_DIFFERENT) {
            return rank == own_rank;
        }
    }
    return own_rank == found + 1;
}

static void step_aside(struct ompi_communicator_t* communicator, const struct coll_topo_peer* peers, int found) {
    const int own_rank = ompi_comm_rank(communicator);
    if (reports(peers, found, own_rank)) {
        char differences[1024];
        const int asked = found < ompi_comm_size(communicator) ? found + 1 : found;
        list_differences(communicator, peers, asked, differences, sizeof differences);
        coll_topo_report_differences(communicator, own_rank, differences);
    }
}

/* Plans for ranks that all agree. What can fail here fails alike on all of them, but for a lack of memory. */
static int plan(struct coll_topo_module* module, struct ompi_communicator_t* communicator,
                const struct coll_topo_peer* peers) {
    const int size = ompi_comm_size(communicator);
    coll_topo_location* locations = malloc((size_t)size * sizeof *locations);
    char message[1024] = "";
    if (locations == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    for (int rank = 0; rank < size; ++rank) {
        locations[rank] = peers[rank].location;
    }
    coll_topo_settings settings = coll_topo_parameters.settings;
    settings.reproducible = coll_topo_reproducible_of(communicator);
    if (coll_topo_parameters.compare_with_tuned && settings.reproducible == COLL_TOPO_ANY_ORDER) {
        settings.compared_with_tuned = coll_topo_served_by_tuned(module, communicator);
    }
    const int error =
        coll_topo_communicator_create(coll_topo_topology_of_job, locations, size, ompi_comm_rank(communicator),
                                      &settings, &module->plans, message, sizeof message);
    free(locations);
    if (error == COLL_TOPO_OUT_OF_MEMORY) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    if (error != COLL_TOPO_OK) {
        module->plans = NULL;
        module->decision = COLL_TOPO_ASIDE;
        if (ompi_comm_rank(communicator) == 0) {
            coll_topo_report_cannot_plan(communicator, message);
        }
        return OMPI_SUCCESS;
    }
    module->decision = COLL_TOPO_OURS;
    module->reproducible = settings.reproducible;
    if (coll_topo_report_wanted(communicator)) {
        coll_topo_report_plans(communicator, coll_topo_topology_summary(coll_topo_topology_of_job),
                               coll_topo_communicator_summary(module->plans), module->reproducible);
    }
    return OMPI_SUCCESS;
}

int coll_topo_decide(struct coll_topo_module* module, struct ompi_communicator_t* communicator) {
    const int size = ompi_comm_size(communicator);
    int error = OMPI_SUCCESS;
    if (coll_topo_own_record.readiness != COLL_TOPO_READY) {
        coll_topo_abort_if_required(communicator);
    }
    struct coll_topo_peer* peers = calloc((size_t)size, sizeof *peers);
    if (peers == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    const int found = coll_topo_peers_look_up(communicator, peers);
    int equal = 0;
    while (equal < found && peers[equal].kind == COLL_TOPO_PEER_EQUAL) {
        ++equal;
    }
    if (equal == size) {
        error = plan(module, communicator, peers);
    } else {
        module->decision = COLL_TOPO_ASIDE;
        step_aside(communicator, peers, found);
    }
    free(peers);
    if (error == OMPI_SUCCESS) {
        coll_topo_module_give_back(module, communicator);
    }
    return error;
}
