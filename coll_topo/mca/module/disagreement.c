/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/disagreement.h"

#include "coll_topo/mca/module/report.h"
#include "coll_topo/mca/module/slurm.h"

#include "ompi/communicator/communicator.h"

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

void coll_topo_report_peers(struct ompi_communicator_t* communicator, const struct coll_topo_peer* peers) {
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

/* Where rank 0 is one of those to whom it has not come, it has reported that itself. */
void coll_topo_report_missed(struct ompi_communicator_t* communicator, const struct coll_topo_peer* peers, int missed) {
    if (ompi_comm_rank(communicator) == 0) {
        struct coll_topo_differences list = {0};
        coll_topo_differences_add(&list, communicator, missed, "what it published has not reached all ranks in time");
        report(communicator, peers, &list);
    } else {
        coll_topo_report_is_elsewhere();
    }
}

void coll_topo_report_settings(struct ompi_communicator_t* communicator, const struct coll_topo_peer* peers,
                               const struct coll_topo_differences* list) {
    if (list != NULL && ompi_comm_rank(communicator) == 0) {
        report(communicator, peers, list);
    } else {
        coll_topo_report_is_elsewhere();
    }
}
