/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/counters.h"

#include "test/mpi/session.h"

#include <mpi.h>
#include <string.h>

const char* const collective_names[COLLECTIVES] = {"allreduce", "reduce_scatter", "reduce_scatter_block", "allgather"};

static const char* const variable_names[COLLECTIVES + 1] = {"coll_topo_allreduce_runs", "coll_topo_reduce_scatter_runs",
                                                            "coll_topo_reduce_scatter_block_runs",
                                                            "coll_topo_allgather_runs", "coll_topo_fallbacks"};

static MPI_T_pvar_session variable_session;
static MPI_T_pvar_handle handles[COLLECTIVES + 1];
static bool found[COLLECTIVES + 1];

static void open_variable(int index, int slot) {
    char name[256], description[1024];
    int name_length = sizeof name, description_length = sizeof description;
    int verbosity, class, bind, readonly, continuous, atomic, count;
    MPI_Datatype type;
    MPI_T_enum enumeration;
    MPI_T_pvar_get_info(index, name, &name_length, &verbosity, &class, &type, &enumeration, description,
                        &description_length, &bind, &readonly, &continuous, &atomic);
    bool counts = check(class == MPI_T_PVAR_CLASS_COUNTER && type == MPI_UNSIGNED_LONG_LONG,
                        "%s is no counter of type unsigned long long", variable_names[slot]);
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
        if (MPI_T_pvar_get_index(variable_names[slot], MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS)
            open_variable(index, slot);
        if (session.expectation != EXPECT_ASIDE)
            check(found[slot], "performance variable %s is missing: is the component loaded?", variable_names[slot]);
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

void counters_check(const struct counters* before, enum collective collective, unsigned long long calls, enum duty duty,
                    const char* what) {
    struct counters now = counters_read();
    unsigned long long runs = now.runs[collective] - before->runs[collective];
    unsigned long long others = 0;
    for (int other = 0; other < COLLECTIVES; other++)
        if (other != (int)collective) others += now.runs[other] - before->runs[other];
    unsigned long long fallbacks = now.fallbacks - before->fallbacks;

    bool right = others == 0;
    if (duty == DUTY_NOBODY || session.expectation == EXPECT_ASIDE)
        right = right && runs == 0 && (duty != DUTY_NOBODY || fallbacks == 0);
    else if (duty == DUTY_EITHER || session.expectation == EXPECT_MIXED)
        right = right && runs + fallbacks == calls;
    else
        right = right && runs == calls && fallbacks == 0;
    check(right,
          "%s %s: %llu calls, but the component counts %llu runs, %llu runs of other collectives, %llu fallbacks",
          collective_names[collective], what, calls, runs, others, fallbacks);
}
