/* SPDX-License-Identifier: BSD-3-Clause */
/* What all ranks of a communicator must have in common and records cannot tell, because it belongs to the communicator
 * or may change after MPI_Init. */
#ifndef COLL_TOPO_MCA_COMMON_SETTINGS_H
#define COLL_TOPO_MCA_COMMON_SETTINGS_H

#include "coll_topo/mca/module/differences.h"
#include "coll_topo/mca/module/module.h"

#include <stdbool.h>
#include <stdint.h>

/* Sent between ranks of equal builds, as bytes. */
struct coll_topo_common_settings {
    uint64_t parameters;                 /* the digest of all that must be the same, as they are now */
    uint64_t compared_with_tuned;        /* see coll_topo_settings */
    int32_t algorithm[COLL_TOPO_SERVED]; /* likewise */
    int32_t withdrawn;                   /* see coll_topo_module */
    int32_t reproducible;                /* COLL_TOPO_ANY_ORDER ..., COLL_TOPO_REPRODUCIBLE_END: an unknown value */
};

/* This rank's. Puts parameters that a tool has set out of their range back to their defaults. */
struct coll_topo_common_settings coll_topo_own_settings(const struct coll_topo_module* module,
                                                        struct ompi_communicator_t* communicator);

/* Whether all ranks have the same, which they all learn, and an identity of the communicator that no other of the job
 * has: a collective call, in ceil(log2(ranks)) messages of 24 bytes from each. An Open MPI error code. */
int coll_topo_settings_compare(struct ompi_communicator_t* communicator, const struct coll_topo_common_settings* own,
                               bool* equal, uint64_t* identity);

/* Adds to the list, on rank 0, how the others differ from it. A collective call. An Open MPI error code. */
int coll_topo_settings_collect(struct ompi_communicator_t* communicator, const struct coll_topo_common_settings* own,
                               struct coll_topo_differences* list);

#endif
