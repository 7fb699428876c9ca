/* SPDX-License-Identifier: BSD-3-Clause */
/* coll_topo_profile: what the collectives of a job took, shown at its end. Where it is set, modules install other
 * functions, so that it costs nothing where it is not. */
#ifndef COLL_TOPO_MCA_PROFILE_H
#define COLL_TOPO_MCA_PROFILE_H

#include "coll_topo/engine/engine.h"
#include "coll_topo/mca/compatibility.h"

#include <stdbool.h>
#include <stdint.h>

struct coll_topo_module;
struct coll_topo_communicator_profile;
struct ompi_communicator_t;

/* What the module's calls to the modules before it are sent through: where they go. Not retained here. */
struct coll_topo_passing {
#define COLL_TOPO_PASSED(function, ...)              \
    mca_coll_base_module_##function##_fn_t function; \
    mca_coll_base_module_t* function##_module;
    COLL_TOPO_CALLS(COLL_TOPO_PASSED)
#undef COLL_TOPO_PASSED
};

/* Whether coll_topo_profile is set. */
bool coll_topo_profile_wanted(void);

/* When MPI_COMM_WORLD gets its module: makes MPI_Finalize call what writes the profile, on every rank. */
void coll_topo_profile_open(void);

/* Sends the calls that come to the module, and those that it passes on, through functions that count; the module has
 * taken over what was there before. Without memory it does nothing. */
void coll_topo_profile_install(struct coll_topo_module* module);
/* The module passes calls on to the previous one directly again. */
void coll_topo_profile_withdraw(struct coll_topo_module* module);

/* In the first collective of a communicator that coll_topo serves: counts from then on. `identity` tells it apart from
 * all others of the job. Of MPI_COMM_WORLD it also compares the clocks of ranks, which takes messages. */
void coll_topo_profile_begin(struct coll_topo_module* module, struct ompi_communicator_t* communicator,
                             uint64_t identity);
/* When the communicator is freed, before its plans are. */
void coll_topo_profile_end(struct coll_topo_module* module);

/* ---- of nonblocking and persistent calls, in any threads ----------------------------------------------------------
 */

struct coll_topo_requests_profile;

/* Once ranks have agreed to serve them by these plans; NULL: there is no profile. */
struct coll_topo_requests_profile* coll_topo_profile_begin_requests(struct coll_topo_module* module,
                                                                    struct ompi_communicator_t* communicator,
                                                                    coll_topo_communicator* plans);
/* NULL: nothing. Before the plans are freed. */
void coll_topo_profile_end_requests(struct coll_topo_requests_profile* profile);

struct coll_topo_profiled_request {
    int form; /* COLL_TOPO_NONBLOCKING ... */
    int collective;
    size_t bytes;
    int way;         /* see coll_topo_last_ways; -1: passed on */
    int64_t started; /* when, by coll_topo_profile_now */
};
/* One that has been done, or passed on. */
void coll_topo_profile_count_request(struct coll_topo_requests_profile* profile,
                                     const struct coll_topo_profiled_request* request);
int64_t coll_topo_profile_now(void);

#endif
