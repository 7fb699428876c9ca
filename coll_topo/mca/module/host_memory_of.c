/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/host_memory_of.h"

#include "coll_topo/mca/compatibility.h"
#include "coll_topo/mca/module/messages.h"
#include "coll_topo/mca/module/parameters.h"
#include "coll_topo/mca/module/report.h"

#include "ompi/communicator/communicator.h"
#include "ompi/group/group.h"
#include "ompi/proc/proc.h"
#include "opal/runtime/opal_progress.h"

#include <stdlib.h>

/* What passes between the first member and all others, one after the other. */
enum step { OFFER, HAVE_JOINED, ALL_HAVE_JOINED, CAN_ACCESS, ALL_CAN_ACCESS, END };

struct coll_topo_connecting {
    struct ompi_communicator_t* communicator;
    int* ranks; /* its ranks on this host, ascending */
    int count;
    int own; /* number of this one among them */
    enum step step;
    bool posted; /* the messages of the step */
    coll_topo_memory_offer offer;
    bool usable;   /* as far as is known */
    bool* answers; /* of the first member: those of the others */
    struct ompi_request_t** requests;
    coll_topo_host_memory* memory;
};

/* Of the same job, so that both see it alike. Processes of this host are known to Open MPI; others need not be. */
static bool is_on_this_host(struct ompi_communicator_t* communicator, int rank) {
    const ompi_proc_t* process = ompi_group_peer_lookup_existing(communicator->c_local_group, rank);
    return process != NULL && OPAL_PROC_ON_LOCAL_NODE(process->super.proc_flags) &&
           process->super.proc_name.jobid == OPAL_PROC_MY_NAME.jobid;
}

static void find_members(struct coll_topo_connecting* all) {
    const int size = ompi_comm_size(all->communicator);
    for (int rank = 0; rank < size; ++rank) {
        if (rank == ompi_comm_rank(all->communicator)) {
            all->own = all->count;
        } else if (!is_on_this_host(all->communicator, rank)) {
            continue;
        }
        all->ranks[all->count++] = rank;
    }
}

static void destroy(struct coll_topo_connecting* all) {
    free(all->ranks);
    free(all->answers);
    free(all->requests);
    free(all);
}

struct coll_topo_connecting* coll_topo_connect_begin(struct ompi_communicator_t* communicator) {
    const size_t size = (size_t)ompi_comm_size(communicator);
    struct coll_topo_connecting* all = calloc(1, sizeof *all);
    if (all == NULL) {
        return NULL;
    }
    all->communicator = communicator;
    all->ranks = malloc(size * sizeof *all->ranks);
    all->answers = malloc(size * sizeof *all->answers);
    all->requests = calloc(size, sizeof *all->requests);
    if (all->ranks == NULL || all->answers == NULL || all->requests == NULL) {
        destroy(all);
        return NULL;
    }
    find_members(all);
    all->step = all->count > 1 ? OFFER : END;
    return all;
}

/* ---- a step --------------------------------------------------------------------------------------------------------
 */

/* What this member does before the messages of a step. */
static void prepare(struct coll_topo_connecting* all) {
    const bool wanted = coll_topo_parameters.host_memory;
    switch (all->step) {
        case OFFER:
            if (all->own == 0 && wanted) {
                all->memory = coll_topo_host_memory_create(all->count, COLL_TOPO_FIXED_TAGS, &all->offer);
            }
            break;
        case HAVE_JOINED:
            if (all->own > 0 && wanted && all->offer.process != 0) {
                all->memory = coll_topo_host_memory_join(&all->offer, all->count, COLL_TOPO_FIXED_TAGS, all->own);
            }
            all->usable = all->memory != NULL;
            break;
        case CAN_ACCESS:
            all->usable = coll_topo_host_memory_can_access(all->memory) &&
                          coll_topo_host_memory_begin(all->memory, all->ranks, ompi_comm_size(all->communicator),
                                                      opal_using_threads());
            break;
        default:
            break;
    }
}

/* Whether this member sends in the step: the first one to all, or all to it. */
static bool sends_in_step(const struct coll_topo_connecting* all) {
    const bool is_told = all->step == OFFER || all->step == ALL_HAVE_JOINED || all->step == ALL_CAN_ACCESS;
    return is_told == (all->own == 0);
}

static int post(struct coll_topo_connecting* all) {
    const size_t bytes = all->step == OFFER ? sizeof all->offer : sizeof all->usable;
    void* const own = all->step == OFFER ? (void*)&all->offer : (void*)&all->usable;
    const bool sends = sends_in_step(all);
    const int first = all->own == 0 ? 1 : 0, end = all->own == 0 ? all->count : 1;
    int error = OMPI_SUCCESS;
    all->posted = true;
    for (int member = first; member < end && error == OMPI_SUCCESS; ++member) {
        struct ompi_request_t** const request = &all->requests[member];
        void* const data = sends || all->own > 0 ? own : (void*)&all->answers[member];
        error = sends ? coll_topo_message_post_send(all->communicator, all->ranks[member], data, bytes, request)
                      : coll_topo_message_post_receive(all->communicator, all->ranks[member], data, bytes, request);
    }
    return error;
}

/* Whether its messages are done. */
static bool has_ended(struct coll_topo_connecting* all, int* error) {
    for (int member = 0; member < all->count; ++member) {
        struct ompi_request_t** const request = &all->requests[member];
        if (*request == NULL) {
            continue;
        }
        if (!coll_topo_message_test(all->communicator, request, error)) {
            return false;
        }
        coll_topo_message_end(request);
    }
    return true;
}

static enum step next_step(struct coll_topo_connecting* all) {
    const bool has_asked = all->step == HAVE_JOINED || all->step == CAN_ACCESS;
    for (int member = 1; has_asked && all->own == 0 && member < all->count; ++member) {
        all->usable = all->usable && all->answers[member];
    }
    return all->step == ALL_HAVE_JOINED && !all->usable ? END : all->step + 1;
}

/* ---- from the first to the last ------------------------------------------------------------------------------------
 */

/* A send is left to the PML, which has so few bytes already: its peer may never receive it. */
static void give_up(struct coll_topo_connecting* all) {
    for (int member = 0; member < all->count; ++member) {
        if (sends_in_step(all)) {
            coll_topo_message_end(&all->requests[member]);
        } else {
            coll_topo_message_cancel(&all->requests[member]);
        }
    }
}

bool coll_topo_connect_advance(struct coll_topo_connecting* all, coll_topo_host_memory** memory, int* error) {
    *error = OMPI_SUCCESS;
    while (all->step != END && *error == OMPI_SUCCESS) {
        if (!all->posted) {
            prepare(all);
            *error = post(all);
        }
        if (*error == OMPI_SUCCESS && !has_ended(all, error) && *error == OMPI_SUCCESS) {
            return false;
        }
        if (*error == OMPI_SUCCESS) {
            all->step = next_step(all);
            all->posted = false;
        }
    }
    if (*error != OMPI_SUCCESS) {
        give_up(all);
    }
    if (*error != OMPI_SUCCESS || !all->usable) {
        coll_topo_host_memory_free(all->memory);
        all->memory = NULL;
    }
    *memory = all->memory;
    if (all->own == 0 && all->count > 1 && all->memory == NULL && coll_topo_parameters.host_memory) {
        coll_topo_report_no_host_memory(all->communicator);
    }
    destroy(all);
    return true;
}

int coll_topo_host_memory_of(struct ompi_communicator_t* communicator, coll_topo_host_memory** memory) {
    struct coll_topo_connecting* const all = coll_topo_connect_begin(communicator);
    int error = OMPI_ERR_OUT_OF_RESOURCE;
    *memory = NULL;
    while (all != NULL && !coll_topo_connect_advance(all, memory, &error)) {
        opal_progress();
    }
    return error;
}
