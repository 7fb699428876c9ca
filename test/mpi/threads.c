/* SPDX-License-Identifier: BSD-3-Clause */
/* Several threads of each process at once, each in a communicator of its own; calls of all sizes overlap. */
#include "test/mpi/all_collectives.h"
#include "test/mpi/counters.h"
#include "test/mpi/session.h"

#include <pthread.h>

enum { THREADS = 4 };

struct worker {
    pthread_t thread;
    MPI_Comm communicator;
    int number, rounds;
};

static void* work(void* argument) {
    const struct worker* worker = argument;
    static const int counts[] = {1, 500, 3, 4000};
    for (int round = 0; round < worker->rounds; round++)
        all_collectives(worker->communicator, counts[(round + worker->number) % 4], 10 * worker->number + round % 7,
                        "in one of several threads");
    return NULL;
}

int main(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_MULTIPLE);
    counters_open();
    const int rounds = session.scale == SCALE_FULL ? 100 : session.scale == SCALE_SHORT ? 20 : 5;
    struct worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.number = i, .rounds = rounds};
        /* Different orders of the ranks, so that the same process has different places. */
        MPI_Comm_split(MPI_COMM_WORLD, 0, i % 2 ? -session.rank : session.rank, &workers[i].communicator);
    }

    const struct counters before = counters_read();
    for (int i = 0; i < THREADS; i++)
        check(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0, "a thread cannot be started");
    for (int i = 0; i < THREADS; i++) pthread_join(workers[i].thread, NULL);
    const struct counters after = counters_read();

    const unsigned long long calls = session.ranks > 1 ? (unsigned long long)rounds * THREADS : 0;
    for (int i = 0; i < WITHOUT_NEIGHBORS; i++) {
        const unsigned long long runs = after.runs[i] - before.runs[i];
        if (session.expectation == EXPECT_ASIDE)
            check(runs == 0, "%s in threads: the component counts %llu runs", collective_names[i], runs);
        else
            /* A barrier that would be no faster is the previous module's. */
            check(session.expectation == EXPECT_MIXED || i == BARRIER ? runs <= calls : runs == calls,
                  "%s in threads: %llu calls, but the component counts %llu runs", collective_names[i], calls, runs);
    }
    for (int i = 0; i < THREADS; i++) MPI_Comm_free(&workers[i].communicator);
    counters_close();
    return session_finish("threads");
}
