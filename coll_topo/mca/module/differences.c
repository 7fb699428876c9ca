/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/differences.h"

#include "coll_topo/mca/module/peers.h"

#include <stdio.h>
#include <string.h>

/* Each look-up of a host's name takes some microseconds, and a job may have 100000 ranks. */
enum { RANKS_NAMED = 256 };

static struct coll_topo_difference* find(struct coll_topo_differences* list, const char* host_name, const char* how) {
    for (int i = 0; i < list->shown; ++i) {
        struct coll_topo_difference* known = &list->difference[i];
        if (strcmp(known->host_name, host_name) == 0 && strncmp(known->how, how, sizeof known->how - 1) == 0) {
            return known;
        }
    }
    return NULL;
}

void coll_topo_differences_add(struct coll_topo_differences* list, struct ompi_communicator_t* communicator, int rank,
                               const char* how) {
    char host_name[COLL_TOPO_HOST_NAME_SIZE];
    if (list->named == RANKS_NAMED) {
        ++list->others;
        return;
    }
    ++list->named;
    coll_topo_peers_host_name(communicator, rank, host_name, sizeof host_name);
    struct coll_topo_difference* known = find(list, host_name, how);
    if (known != NULL) {
        ++known->more_ranks;
    } else if (list->shown < COLL_TOPO_DIFFERENCES_SHOWN) {
        struct coll_topo_difference* added = &list->difference[list->shown++];
        added->first_rank = rank;
        snprintf(added->host_name, sizeof added->host_name, "%s", host_name);
        snprintf(added->how, sizeof added->how, "%s", how);
    } else {
        ++list->others;
    }
}

void coll_topo_differences_text(const struct coll_topo_differences* list, char* text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < list->shown && used < size; ++i) {
        const struct coll_topo_difference* line = &list->difference[i];
        char more[32] = "";
        if (line->more_ranks > 0) {
            snprintf(more, sizeof more, " and %d more", line->more_ranks);
        }
        used += (size_t)snprintf(text + used, size - used, "    rank %d%s on %s: %s\n", line->first_rank, more,
                                 line->host_name, line->how);
    }
    if (list->others > 0 && used < size) {
        snprintf(text + used, size - used, "    and %d ranks more\n", list->others);
    }
}
