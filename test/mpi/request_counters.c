/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/request_counters.h"

#include "test/mpi/session.h"

#include <string.h>

enum { COUNTED = 12 };
static const char* const counted[COUNTED] = {"allreduce", "reduce",  "reduce_scatter", "allgather", "bcast", "alltoall",
                                             "gather",    "scatter", "gatherv",        "scatterv",  "scan",  "exscan"};
static MPI_T_pvar_session variables;

struct counter {
    MPI_T_pvar_handle handle;
    bool found;
};
static struct counter runs[COUNTED], messages;

/* It counts from here on. */
static void open_counter(struct counter* counter, const char* name) {
    int index, elements;
    counter->found = MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS &&
                     MPI_T_pvar_handle_alloc(variables, index, NULL, &counter->handle, &elements) == MPI_SUCCESS;
}

/* What it has counted; 0 if it is not there. */
static unsigned long long close_counter(struct counter* counter) {
    unsigned long long count = 0;
    if (!counter->found) return 0;
    MPI_T_pvar_read(variables, counter->handle, &count);
    MPI_T_pvar_handle_free(variables, &counter->handle);
    return count;
}

void open_request_counters(void) {
    int level;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
    MPI_T_pvar_session_create(&variables);
    for (int i = 0; i < COUNTED; i++) {
        char name[64] = "coll_topo_i";
        open_counter(&runs[i], strcat(strcat(name, counted[i]), "_runs"));
    }
    open_counter(&messages, "coll_topo_nonblocking_memory_messages");
}

void check_request_counters(unsigned long long least) {
    const unsigned long long through_memory = close_counter(&messages);
    unsigned long long served = 0;
    for (int i = 0; i < COUNTED; i++) served += close_counter(&runs[i]);
    MPI_T_pvar_session_free(&variables);
    MPI_T_finalize();
    if (session.expectation == EXPECT_ASIDE)
        check(served == 0, "the component counts %llu runs", served);
    else
        check(session.ranks == 1 || served > least, "the component counts only %llu runs", served);
    if (session.memory != MEMORY_EITHER)
        check((through_memory > 0) == (session.memory == MEMORY_USED), "%llu messages went through memory",
              through_memory);
}
