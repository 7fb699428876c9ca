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

/* The same for settings that are equal. */
uint64_t coll_topo_settings_digest(const struct coll_topo_common_settings* settings);

struct coll_topo_comparison {
    bool equal;        /* whether all ranks have the same */
    int missed;        /* a rank whose record has not reached all of them, -1 if there is none */
    uint64_t identity; /* of the communicator: no other of the job has it */
};

/* What all ranks learn alike, in ceil(log2(ranks)) messages of 32 bytes from each. A collective call of the ranks that
 * have the records of all; the others call coll_topo_settings_decline. An Open MPI error code. */
int coll_topo_settings_compare(struct ompi_communicator_t* communicator, const struct coll_topo_common_settings* own,
                               struct coll_topo_comparison* result);

/* The bits that are set in any rank's digest, and those that are clear in any: no bit is in both if all digests are
 * equal. The identity is that of the first rank; others have no bit of one. `missed` is 1 more than the highest rank
 * that anybody missed. */
struct coll_topo_known {
    uint64_t set, clear, identity, missed;
};

/* The same comparison, but for the identity, while the caller does other things. */
struct coll_topo_comparing {
    struct coll_topo_known known, told, theirs;
    int64_t distance;
    ompi_request_t *receive, *send; /* of the step under way; else NULL */
};
void coll_topo_compare_begin(struct coll_topo_comparing* comparing, const struct coll_topo_common_settings* own);
/* Goes on as far as messages that have arrived allow. True once it has ended: then there is a result, or an Open MPI
 * error code. */
bool coll_topo_compare_advance(struct coll_topo_comparing* comparing, struct ompi_communicator_t* communicator,
                               struct coll_topo_comparison* result, int* error);

/* Of a rank that has not got the record of rank `missed`, which may be late or not exist: tells those who may have got
 * it, and would wait for this rank. Receives nothing, as there may be nobody who has. An Open MPI error code. */
int coll_topo_settings_decline(struct ompi_communicator_t* communicator, int missed);

#endif
