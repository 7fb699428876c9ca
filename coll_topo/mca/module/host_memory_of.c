/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/host_memory_of.h"

#include "coll_topo/mca/compatibility.h"
#include "coll_topo/mca/module/messages.h"
#include "coll_topo/mca/module/parameters.h"
#include "coll_topo/mca/module/report.h"

#include "ompi/communicator/communicator.h"
#include "ompi/group/group.h"
#include "ompi/proc/proc.h"

#include <stdlib.h>

/* The ranks of the communicator on this host. */
struct members {
    struct ompi_communicator_t* communicator;
    int* ranks; /* ascending */
    int count;
    int own; /* number of this one among them */
};

/* Of the same job, so that both see it alike. Processes of this host are known to Open MPI; others need not be. */
static bool is_on_this_host(struct ompi_communicator_t* communicator, int rank) {
    const ompi_proc_t* process = ompi_group_peer_lookup_existing(communicator->c_local_group, rank);
    return process != NULL && OPAL_PROC_ON_LOCAL_NODE(process->super.proc_flags) &&
           process->super.proc_name.jobid == OPAL_PROC_MY_NAME.jobid;
}

static int find_members(struct ompi_communicator_t* communicator, struct members* members) {
    const int size = ompi_comm_size(communicator);
    *members = (struct members){.communicator = communicator, .ranks = malloc((size_t)size * sizeof *members->ranks)};
    if (members->ranks == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    for (int rank = 0; rank < size; ++rank) {
        if (rank == ompi_comm_rank(communicator)) {
            members->own = members->count;
        } else if (!is_on_this_host(communicator, rank)) {
            continue;
        }
        members->ranks[members->count++] = rank;
    }
    return OMPI_SUCCESS;
}

static int send_to(const struct members* members, int member, const void* data, size_t bytes) {
    return coll_topo_message_send(members->communicator, members->ranks[member], data, bytes);
}

static int receive_from(const struct members* members, int member, void* data, size_t bytes) {
    return coll_topo_message_receive(members->communicator, members->ranks[member], data, bytes);
}

/* From the first member to all. */
static int tell_all(const struct members* members, void* data, size_t bytes) {
    int error = OMPI_SUCCESS;
    if (members->own > 0) {
        return receive_from(members, 0, data, bytes);
    }
    for (int member = 1; member < members->count && error == OMPI_SUCCESS; ++member) {
        error = send_to(members, member, data, bytes);
    }
    return error;
}

/* Whether it holds for all members; those who ask for it all know. */
static int holds_for_all(const struct members* members, bool* holds) {
    int error = OMPI_SUCCESS;
    if (members->own > 0) {
        error = send_to(members, 0, holds, sizeof *holds);
    }
    for (int member = 1; members->own == 0 && member < members->count && error == OMPI_SUCCESS; ++member) {
        bool theirs = false;
        error = receive_from(members, member, &theirs, sizeof theirs);
        *holds = *holds && theirs;
    }
    return error == OMPI_SUCCESS ? tell_all(members, holds, sizeof *holds) : error;
}

/* Leaves `memory` NULL on all members unless all of them can use it. */
static int connect_members(const struct members* members, coll_topo_host_memory** memory) {
    coll_topo_memory_offer offer = {.process = 0};
    const bool wanted = coll_topo_parameters.host_memory;
    if (members->own == 0 && wanted) {
        *memory = coll_topo_host_memory_create(members->count, COLL_TOPO_MAX_LANES, &offer);
    }
    int error = tell_all(members, &offer, sizeof offer);
    if (error == OMPI_SUCCESS && members->own > 0 && wanted && offer.process != 0) {
        *memory = coll_topo_host_memory_join(&offer, members->count, COLL_TOPO_MAX_LANES, members->own);
    }
    bool usable = *memory != NULL;
    if (error == OMPI_SUCCESS) {
        error = holds_for_all(members, &usable);
    }
    if (error == OMPI_SUCCESS && usable) {
        usable = coll_topo_host_memory_can_read(*memory) &&
                 coll_topo_host_memory_begin(*memory, members->ranks, ompi_comm_size(members->communicator));
        error = holds_for_all(members, &usable);
    }
    if (error != OMPI_SUCCESS || !usable) {
        coll_topo_host_memory_free(*memory);
        *memory = NULL;
    }
    return error;
}

int coll_topo_host_memory_of(struct ompi_communicator_t* communicator, coll_topo_host_memory** memory) {
    struct members members;
    *memory = NULL;
    int error = find_members(communicator, &members);
    if (error == OMPI_SUCCESS && members.count > 1) {
        error = connect_members(&members, memory);
        if (members.own == 0 && *memory == NULL && coll_topo_parameters.host_memory) {
            coll_topo_report_no_host_memory(communicator);
        }
    }
    free(members.ranks);
    return error;
}
