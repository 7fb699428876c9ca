/* SPDX-License-Identifier: BSD-3-Clause */
/* The text that says which ranks of a communicator differ from the rank that reports, and how: a line for the ranks of
 * a host that differ alike. */
#ifndef COLL_TOPO_MCA_DIFFERENCES_H
#define COLL_TOPO_MCA_DIFFERENCES_H

#include "coll_topo/engine/peer_record.h"

#include <stddef.h>

struct ompi_communicator_t;

enum { COLL_TOPO_DIFFERENCES_SHOWN = 4 };

struct coll_topo_differences {
    int shown;
    int named;  /* ranks whose host was looked up */
    int others; /* ranks that are only counted */
    struct coll_topo_difference {
        char host_name[COLL_TOPO_HOST_NAME_SIZE];
        char how[96];
        int first_rank, more_ranks;
    } difference[COLL_TOPO_DIFFERENCES_SHOWN];
};

/* Adds a rank; the list is zeroed at first. `how` is copied, cut if need be. */
void coll_topo_differences_add(struct coll_topo_differences* list, struct ompi_communicator_t* communicator, int rank,
                               const char* how);

/* Lines, each indented and ended by a newline; cut if need be. */
void coll_topo_differences_text(const struct coll_topo_differences* list, char* text, size_t size);

#endif
