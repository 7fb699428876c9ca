/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The only way these tests know the component: its MPI_T performance variables. A test that passed because
 * another component did the work would prove nothing, so every call under test is counted.
 */
#ifndef COLL_TOPO_TEST_MPI_COUNTERS_H
#define COLL_TOPO_TEST_MPI_COUNTERS_H

#include <stdbool.h>

enum collective {
    ALLREDUCE,
    REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK,
    ALLGATHER,
    BCAST,
    REDUCE,
    ALLTOALL,
    GATHER,
    SCATTER,
    SCAN,
    EXSCAN,
    ALLGATHERV,
    GATHERV,
    SCATTERV,
    ALLTOALLV,
    ALLTOALLW,
    BARRIER,
    NEIGHBOR_ALLGATHER,
    NEIGHBOR_ALLTOALL,
    NEIGHBOR_ALLGATHERV,
    NEIGHBOR_ALLTOALLV,
    NEIGHBOR_ALLTOALLW,
    COLLECTIVES
};
/* The first ones, which every communicator has. */
enum { WITHOUT_NEIGHBORS = NEIGHBOR_ALLGATHER };

extern const char* const collective_names[COLLECTIVES];

struct counters {
    unsigned long long runs[COLLECTIVES]; /* schedules that the component ran to their end in this process */
    unsigned long long fallbacks;         /* calls that it passed to the previous module */
};

/* Who must have done a call. */
enum duty {
    DUTY_COMPONENT, /* the component, where it takes part at all */
    DUTY_EITHER,    /* the component or the previous module (operations that do not commute) */
    DUTY_NOBODY     /* nobody counts it: no data, a communicator of one rank, an intercommunicator */
};

/* Finds the variables. If the component is not there, all counters stay 0. After MPI_Init. */
void counters_open(void);
void counters_close(void);
struct counters counters_read(void);

/* Results must not depend on the order: scans that would are the previous module's. */
bool scans_may_be_left(void);

/* Checks that `calls` calls of a collective since `before` were counted as they must be. The previous module may call
 * other collectives to do its work, which are then counted too. */
void counters_check(const struct counters* before, enum collective collective, unsigned long long calls, enum duty duty,
                    const char* what);

#endif
