/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls to neighbours from several threads of each process at once, each in a Cartesian communicator of its own, all as
 * --info cart=4p,4p says: blocking ones, while nonblocking ones of the same thread are under way.
 */
#include "test/mpi/neighbor_calls.h"
#include "test/mpi/session.h"

#include <pthread.h>

enum { THREADS = 4, UNDER_WAY = 3 };

struct worker {
    pthread_t thread;
    struct cartesian cartesian;
    int number, rounds;
};

/* Short ones, and some that are read from another process. */
static int numbers_of(int index) {
    return index % 6 == 5 ? 9000 : index * 13 % 40 + 1;
}

static void run_round(const struct worker* worker, int round) {
    struct neighbor_call pending[UNDER_WAY], call;
    MPI_Request requests[UNDER_WAY];
    const int first = 10 * worker->number + round;
    for (int i = 0; i < UNDER_WAY; i++) {
        neighbor_call_new(&pending[i], neighbor_kinds[(first + i) % NEIGHBOR_KINDS], &worker->cartesian,
                          numbers_of(first + i), first % 9);
        neighbor_call_start(&pending[i], worker->cartesian.communicator, &requests[i]);
    }
    for (int kind = 0; kind < NEIGHBOR_KINDS; kind++) {
        neighbor_call_new(&call, neighbor_kinds[kind], &worker->cartesian, numbers_of(first + kind), kind);
        neighbor_call_run(&call);
        neighbor_call_check(&call, "in one of several threads");
        neighbor_call_free(&call);
    }
    MPI_Waitall(UNDER_WAY, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < UNDER_WAY; i++) {
        neighbor_call_check(&pending[i], "under way in one of several threads");
        neighbor_call_free(&pending[i]);
    }
}

static void* work(void* argument) {
    const struct worker* worker = argument;
    for (int round = 0; round < worker->rounds; round++) run_round(worker, round);
    return NULL;
}

int main(int argc, char** argv) {
    static struct worker workers[THREADS];
    struct box box;
    session_start(&argc, &argv, MPI_THREAD_MULTIPLE);
    counters_open();
    forms_new();
    const int rounds = session.scale == SCALE_FULL ? 100 : session.scale == SCALE_SHORT ? 20 : 8;
    bool made = box_described(session.info, &box);
    for (int i = 0; i < THREADS && made; i++) {
        workers[i] = (struct worker){.number = i, .rounds = rounds};
        made = cartesian_new(&workers[i].cartesian, box.dimensions, box.sizes, box.periods);
    }
    if (check(made, "all ranks are in the communicators")) {
        const struct counters before = counters_read();
        for (int i = 0; i < THREADS; i++)
            check(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0, "a thread cannot be started");
        for (int i = 0; i < THREADS; i++) pthread_join(workers[i].thread, NULL);
        const struct counters after = counters_read();
        for (int kind = 0; kind < NEIGHBOR_KINDS; kind++) {
            const enum collective collective = neighbor_kinds[kind];
            const unsigned long long runs = after.runs[collective] - before.runs[collective];
            check(runs == (unsigned long long)rounds * THREADS,
                  "%s in threads: %d calls, but the component counts %llu runs", collective_names[collective],
                  rounds * THREADS, runs);
        }
        for (int i = 0; i < THREADS; i++) cartesian_free(&workers[i].cartesian);
    }
    forms_free();
    counters_close();
    return session_finish("neighbor_threads");
}
