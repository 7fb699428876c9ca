/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/settings_differences.h"

#include "coll_topo/mca/module/messages.h"
#include "coll_topo/mca/module/parameters.h"
#include "coll_topo/mca/module/reproducible.h"

#include "ompi/communicator/communicator.h"
#include "opal/runtime/opal_progress.h"

#include <stdio.h>
#include <stdlib.h>

static const char* mode_name(int32_t reproducible) {
    return reproducible >= 0 && reproducible < COLL_TOPO_REPRODUCIBLE_END ? coll_topo_reproducible_names[reproducible]
                                                                          : "an unknown value";
}

static void describe(const struct coll_topo_common_settings* own, const struct coll_topo_common_settings* theirs,
                     char* text, size_t size) {
    if (theirs->withdrawn != own->withdrawn) {
        snprintf(text, size, "coll_topo_priority was set %snegative", theirs->withdrawn ? "" : "not ");
        return;
    }
    if (theirs->reproducible != own->reproducible) {
        snprintf(text, size, "info key coll_topo_reproducible is %s, not %s", mode_name(theirs->reproducible),
                 mode_name(own->reproducible));
        return;
    }
    for (int call = 0; call < COLL_TOPO_SERVED; ++call) {
        if (theirs->algorithm[call] != own->algorithm[call]) {
            snprintf(text, size, "another coll_topo_%s_algorithm", coll_topo_collective_name(call));
            return;
        }
    }
    if (theirs->parameters != own->parameters) {
        snprintf(text, size, "other parameters coll_topo_..., set since MPI_Init");
        return;
    }
    snprintf(text, size, "other components beside coll_topo, or other parameters coll_tuned_...");
}

int coll_topo_collect_begin(struct coll_topo_collecting* collecting, struct ompi_communicator_t* communicator,
                            const struct coll_topo_common_settings* own) {
    const int ranks = ompi_comm_rank(communicator) == 0 ? ompi_comm_size(communicator) : 1;
    int error = OMPI_SUCCESS;
    *collecting = (struct coll_topo_collecting){.own = *own,
                                                .theirs = malloc((size_t)ranks * sizeof *collecting->theirs),
                                                .requests = calloc((size_t)ranks, sizeof(struct ompi_request_t*)),
                                                .ranks = ranks};
    if (collecting->theirs == NULL || collecting->requests == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    if (ompi_comm_rank(communicator) != 0) {
        return coll_topo_message_post_send(communicator, 0, &collecting->own, sizeof collecting->own,
                                           collecting->requests);
    }
    for (int rank = 1; rank < ranks && error == OMPI_SUCCESS; ++rank) {
        error = coll_topo_message_post_receive(communicator, rank, &collecting->theirs[rank],
                                               sizeof *collecting->theirs, &collecting->requests[rank]);
    }
    return error;
}

static void compare(const struct coll_topo_collecting* collecting, struct ompi_communicator_t* communicator,
                    struct coll_topo_differences* list) {
    const uint64_t own = coll_topo_settings_digest(&collecting->own);
    for (int rank = 1; rank < collecting->ranks; ++rank) {
        const struct coll_topo_common_settings* const theirs = &collecting->theirs[rank];
        if (coll_topo_settings_digest(theirs) != own) {
            char how[96];
            describe(&collecting->own, theirs, how, sizeof how);
            coll_topo_differences_add(list, communicator, rank, how);
        }
    }
}

bool coll_topo_collect_advance(struct coll_topo_collecting* collecting, struct ompi_communicator_t* communicator,
                               struct coll_topo_differences* list, int* error) {
    *error = OMPI_SUCCESS;
    for (int rank = 0; rank < collecting->ranks && *error == OMPI_SUCCESS; ++rank) {
        struct ompi_request_t** const request = &collecting->requests[rank];
        if (*request == NULL) {
            continue;
        }
        if (coll_topo_message_test(communicator, request, error)) {
            coll_topo_message_end(request);
        } else if (*error == OMPI_SUCCESS) {
            return false;
        }
    }
    if (*error == OMPI_SUCCESS) {
        compare(collecting, communicator, list);
    }
    coll_topo_collect_end(collecting);
    return true;
}

void coll_topo_collect_end(struct coll_topo_collecting* collecting) {
    const bool sends = collecting->ranks == 1; /* few bytes, which the PML has already */
    for (int rank = 0; collecting->requests != NULL && rank < collecting->ranks; ++rank) {
        if (sends) {
            coll_topo_message_end(&collecting->requests[rank]);
        } else {
            coll_topo_message_cancel(&collecting->requests[rank]);
        }
    }
    free(collecting->theirs);
    free(collecting->requests);
    collecting->theirs = NULL;
    collecting->requests = NULL;
}

int coll_topo_settings_collect(struct ompi_communicator_t* communicator, const struct coll_topo_common_settings* own,
                               struct coll_topo_differences* list) {
    struct coll_topo_collecting collecting;
    int error = coll_topo_collect_begin(&collecting, communicator, own);
    if (error != OMPI_SUCCESS) {
        coll_topo_collect_end(&collecting);
        return error;
    }
    while (!coll_topo_collect_advance(&collecting, communicator, list, &error)) {
        opal_progress();
    }
    return error;
}
