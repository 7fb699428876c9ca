/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/counters.h"

#include "test/mpi/session.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* const collective_names[COLLECTIVES] = {"allreduce",
                                                   "reduce_scatter",
                                                   "reduce_scatter_block",
                                                   "allgather",
                                                   "bcast",
                                                   "reduce",
                                                   "alltoall",
                                                   "gather",
                                                   "scatter",
                                                   "scan",
                                                   "exscan",
                                                   "allgatherv",
                                                   "gatherv",
                                                   "scatterv",
                                                   "alltoallv",
                                                   "alltoallw",
                                                   "barrier",
                                                   "neighbor_allgather",
                                                   "neighbor_alltoall",
                                                   "neighbor_allgatherv",
                                                   "neighbor_alltoallv",
                                                   "neighbor_alltoallw"};

static MPI_T_pvar_session variable_session;
static MPI_T_pvar_handle handles[COLLECTIVES + 1];
static bool found[COLLECTIVES + 1];

/* The variable of a collective or, behind those, of the calls that were passed on. */
static const char* variable_name(int slot) {
    static char name[64];
    if (slot == COLLECTIVES) return "coll_topo_fallbacks";
    snprintf(name, sizeof name, "coll_topo_%s_runs", collective_names[slot]);
    return name;
}

static void open_variable(int index, int slot) {
    char name[256], description[1024];
    int name_length = sizeof name, description_length = sizeof description;
    int verbosity, class, bind, readonly, continuous, atomic, count;
    MPI_Datatype type;
    MPI_T_enum enumeration;
    MPI_T_pvar_get_info(index, name, &name_length, &verbosity, &class, &type, &enumeration, description,
                        &description_length, &bind, &readonly, &continuous, &atomic);
    bool counts = check(class == MPI_T_PVAR_CLASS_COUNTER && type == MPI_UNSIGNED_LONG_LONG,
                        "%s is no counter of type unsigned long long", variable_name(slot));
    if (!counts) return;
    if (MPI_T_pvar_handle_alloc(variable_session, index, NULL, &handles[slot], &count) != MPI_SUCCESS) return;
    if (!continuous) MPI_T_pvar_start(variable_session, handles[slot]);
    found[slot] = true;
}

void counters_open(void) {
    int level;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
    MPI_T_pvar_session_create(&variable_session);
    for (int slot = 0; slot <= COLLECTIVES; slot++) {
        int index;
        if (MPI_T_pvar_get_index(variable_name(slot), MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS)
            open_variable(index, slot);
        if (session.expectation != EXPECT_ASIDE)
            check(found[slot], "performance variable %s is missing: is the component loaded?", variable_name(slot));
    }
}

void counters_close(void) {
    for (int slot = 0; slot <= COLLECTIVES; slot++)
        if (found[slot]) MPI_T_pvar_handle_free(variable_session, &handles[slot]);
    MPI_T_pvar_session_free(&variable_session);
    MPI_T_finalize();
}

struct counters counters_read(void) {
    unsigned long long values[COLLECTIVES + 1] = {0};
    for (int slot = 0; slot <= COLLECTIVES; slot++)
        if (found[slot]) MPI_T_pvar_read(variable_session, handles[slot], &values[slot]);
    struct counters now = {.fallbacks = values[COLLECTIVES]};
    memcpy(now.runs, values, sizeof now.runs);
    return now;
}

bool scans_may_be_left(void) {
    const char* mode = getenv("OMPI_MCA_coll_topo_reproducible");
    return mode != NULL && (strcmp(mode, "exact") == 0 || strcmp(mode, "fixed_point") == 0);
}

/* What was counted between two readings. */
struct tally {
    unsigned long long runs, others, fallbacks; /* `others`: runs of other collectives */
};

static struct tally tally_since(const struct counters* before, enum collective collective) {
    const struct counters now = counters_read();
    struct tally tally = {now.runs[collective] - before->runs[collective], 0, now.fallbacks - before->fallbacks};
    for (int other = 0; other < COLLECTIVES; other++)
        if (other != (int)collective) tally.others += now.runs[other] - before->runs[other];
    return tally;
}

static bool is_right(struct tally tally, unsigned long long calls, enum duty duty) {
    const bool by_component = tally.runs == calls && tally.others == 0 && tally.fallbacks == 0;
    const bool by_previous = tally.runs == 0 && tally.fallbacks >= calls;
    if (duty == DUTY_NOBODY) return tally.runs == 0 && tally.others == 0 && tally.fallbacks == 0;
    if (session.expectation == EXPECT_ASIDE) return tally.runs == 0 && tally.others == 0;
    if (duty == DUTY_EITHER || session.expectation == EXPECT_MIXED) return by_component || by_previous;
    return by_component;
}

void counters_check(const struct counters* before, enum collective collective, unsigned long long calls, enum duty duty,
                    const char* what) {
    const struct tally tally = tally_since(before, collective);
    check(is_right(tally, calls, duty),
          "%s %s: %llu calls, but the component counts %llu runs, %llu runs of other collectives, %llu fallbacks",
          collective_names[collective], what, calls, tally.runs, tally.others, tally.fallbacks);
}
