/* SPDX-License-Identifier: BSD-3-Clause */
/* The communicators of this process that have a profile, and what is known of the job by now. */
#ifndef COLL_TOPO_MCA_PROFILED_COMMUNICATORS_H
#define COLL_TOPO_MCA_PROFILED_COMMUNICATORS_H

#include "coll_topo/engine/profile.h"
#include "coll_topo/mca/profile/communicator_profile.h"
#include "coll_topo/mca/profile/rank_clocks.h"

struct coll_topo_profiled_job {
    coll_topo_profile* profile; /* NULL before MPI_Init and after MPI_Finalize */
    struct coll_topo_clock_reading first_reading;
    struct coll_topo_communicator_profile* in_use;
    struct coll_topo_communicator_profile* freed; /* without counts, which are in the profile */
};
/* Communicators are made and freed by any thread: only to be read by others in MPI_Finalize. */
extern struct coll_topo_profiled_job coll_topo_profiled_job;

/* A communicator's calls of a form, to be counted from now on; NULL: there is no profile of the job, or no memory. */
struct coll_topo_communicator_profile* coll_topo_profiled_add(struct coll_topo_module* module,
                                                              struct ompi_communicator_t* communicator,
                                                              coll_topo_communicator* plans, int form);
/* Before the plans are freed. */
void coll_topo_profiled_end(struct coll_topo_communicator_profile* profile);

/* Adds the counts of all communicators in use to the profile. */
void coll_topo_profiled_add_all(void);
/* Gives up the profile, and communicators that have been freed. */
void coll_topo_profiled_discard(void);

#define FOR_EACH_KIND(kind, profile)                                                                             \
    for (struct coll_topo_kind** place_ = &(profile)->kinds[0][0], *kind = *place_;                              \
         place_ < &(profile)->kinds[0][0] + COLL_TOPO_SERVED * COLL_TOPO_SIZE_CLASSES;                           \
         ++place_, kind = place_ < &(profile)->kinds[0][0] + COLL_TOPO_SERVED * COLL_TOPO_SIZE_CLASSES ? *place_ \
                                                                                                       : NULL)   \
        if (kind != NULL)

#endif
