/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the component has stepped aside, and where all ranks are on one host and send messages, calls go directly to
 * the previous module: after the first, none passes through the component, except reduce_scatter within a host, which
 * it runs for long vectors. Where ranks of one host exchange data through memory, it runs all but the shortest of those
 * with a root, of which it runs bcast and reduce where there are more than two ranks for each processor.
 */
#include "test/mpi/all_collectives.h"
#include "test/mpi/counters.h"
#include "test/mpi/session.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 5, SHORT = 3, LONG = 128 * 1024 / sizeof(long long) };

/* As test/mpi/run says it. */
static bool through_memory(void) {
    const char* value = getenv("OMPI_MCA_coll_topo_host_memory");
    return value != NULL && strcmp(value, "1") == 0;
}

static bool is_any_of(enum collective collective, enum collective one, enum collective other) {
    return collective == one || collective == other;
}

static bool runs_long(enum collective collective) {
    return session.expectation != EXPECT_ASIDE &&
           (through_memory() || is_any_of(collective, REDUCE_SCATTER, REDUCE_SCATTER_BLOCK));
}

static bool take_turns; /* the ranks of the communicator in hand, more than two on each processor */

static bool are_many(MPI_Comm communicator) {
    cpu_set_t processors;
    int size;
    MPI_Comm_size(communicator, &size);
    return sched_getaffinity(0, sizeof processors, &processors) == 0 && size > 2 * CPU_COUNT(&processors);
}

static bool runs_short(enum collective collective) {
    return session.expectation != EXPECT_ASIDE && through_memory() &&
           (take_turns || !is_any_of(collective, BCAST, REDUCE)) && !is_any_of(collective, GATHER, SCATTER);
}

static void check_runs(const struct counters* before, bool (*serves)(enum collective), unsigned long long calls,
                       const char* what) {
    const struct counters now = counters_read();
    for (int i = 0; i < WITHOUT_NEIGHBORS; i++)
        check(now.runs[i] - before->runs[i] == (serves((enum collective)i) ? calls : 0),
              "%s %s: the component counts %llu runs", collective_names[i], what, now.runs[i] - before->runs[i]);
}

static void test_calls(MPI_Comm communicator, const char* what) {
    take_turns = are_many(communicator);
    const struct counters fresh = counters_read();
    all_collectives(communicator, SHORT, 0, what); /* the first of them decides */
    check_runs(&fresh, runs_short, 1, what);

    const struct counters decided = counters_read();
    for (int round = 1; round <= ROUNDS; round++) all_collectives(communicator, SHORT, round, what);
    check_runs(&decided, runs_short, ROUNDS, what);
    unsigned long long expected = 0;
    for (int i = 0; i < WITHOUT_NEIGHBORS; i++)
        if (runs_long((enum collective)i) && !runs_short((enum collective)i)) expected += ROUNDS;
    const unsigned long long passed_on = counters_read().fallbacks - decided.fallbacks;
    check(passed_on == expected, "%s: %llu calls were passed on, not %llu", what, passed_on, expected);

    const struct counters before_long = counters_read();
    all_collectives(communicator, LONG, ROUNDS + 1, what);
    check_runs(&before_long, runs_long, 1, "of long vectors");
}

int main(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    counters_open();
    MPI_Comm again, backwards;
    test_calls(MPI_COMM_WORLD, "in the world");
    MPI_Comm_dup(MPI_COMM_WORLD, &again);
    test_calls(again, "in a duplicate");
    MPI_Comm_split(MPI_COMM_WORLD, 0, -session.rank, &backwards);
    MPI_Comm_free(&again);
    test_calls(backwards, "backwards");
    MPI_Comm_free(&backwards);
    counters_close();
    return session_finish("given_back");
}
