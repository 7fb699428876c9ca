/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/persistent_lives.h"
#include "test/mpi/request_calls.h"
#include "test/mpi/session.h"

#include <pthread.h>

enum { THREADS = 4, OF_EACH = 4 };
struct worker {
    pthread_t thread;
    struct request_call calls[OF_EACH];
    MPI_Request requests[OF_EACH];
    int number, rounds;
};

static void* work(void* argument) {
    struct worker* const worker = argument;
    for (int round = 0; round < worker->rounds; round++) {
        for (int i = 0; i < OF_EACH; i++) {
            fill_call(&worker->calls[i], 100 * round + 10 * worker->number + i);
            MPI_Start(&worker->requests[i]);
        }
        MPI_Waitall(OF_EACH, worker->requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < OF_EACH; i++) check_result(&worker->calls[i], "in one of several threads");
    }
    return NULL;
}

/* On one communicator: requests are matched by where they were made. */
void in_threads(int rounds) {
    static struct worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i].number = i;
        workers[i].rounds = rounds;
        for (int k = 0; k < OF_EACH; k++) {
            make_call(&workers[i].calls[k], (enum kind)((OF_EACH * i + k) % KINDS), MPI_COMM_WORLD, k ? 5 : 700, 0);
            init_persistent(&workers[i].calls[k], &workers[i].requests[k]);
        }
    }
    for (int i = 0; i < THREADS; i++)
        check(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0, "a thread cannot be started");
    for (int i = 0; i < THREADS; i++) pthread_join(workers[i].thread, NULL);
    for (int i = 0; i < THREADS; i++) {
        for (int k = 0; k < OF_EACH; k++) {
            MPI_Request_free(&workers[i].requests[k]);
            free_call(&workers[i].calls[k]);
        }
    }
}
