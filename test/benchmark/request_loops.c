/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an allreduce takes in a loop: as a blocking call, as a nonblocking one that is waited for at once, and as a
 * persistent one. See scripts/compare-one-host.
 *
 *   mpirun ... request_loops BYTES CALLS
 *
 * The three loops of CALLS take turns; prints the median of each in nanoseconds a call. Loops of a millisecond or less
 * are mostly not interrupted.
 */
#include "test/mpi/persistent_functions.h"

#include <stdio.h>
#include <stdlib.h>

enum { TURNS = 101, BLOCKING = 0, NONBLOCKING, PERSISTENT, FORMS };

struct loop {
    double *sent, *received;
    int elements;
    MPI_Request persistent;
};

static void call(const struct loop* loop, int form) {
    MPI_Request request = loop->persistent;
    switch (form) {
        case BLOCKING:
            MPI_Allreduce(loop->sent, loop->received, loop->elements, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            return;
        case NONBLOCKING:
            MPI_Iallreduce(loop->sent, loop->received, loop->elements, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
            break;
        default:
            MPI_Start(&request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static double nanoseconds(const struct loop* loop, int form, int calls) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < calls; ++i) call(loop, form);
    return (MPI_Wtime() - begin) / calls * 1e9;
}

static int compare(const void* left, const void* right) {
    const double a = *(const double*)left, b = *(const double*)right;
    return (a > b) - (a < b);
}

int main(int argc, char** argv) {
    static double times[FORMS][TURNS];
    struct loop loop;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int bytes = argc == 3 ? atoi(argv[1]) : 0, calls = argc == 3 ? atoi(argv[2]) : 0;
    loop.elements = bytes / (int)sizeof(double);
    loop.sent = calloc((size_t)loop.elements + 1, sizeof(double));
    loop.received = calloc((size_t)loop.elements + 1, sizeof(double));
    if (loop.elements < 1 || calls < 1 || loop.sent == NULL || loop.received == NULL) {
        fprintf(stderr, "request_loops: give it BYTES, at least 8, and CALLS\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Allreduce_init(loop.sent, loop.received, loop.elements, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &loop.persistent);
    for (int turn = 0; turn < TURNS; ++turn)
        for (int form = 0; form < FORMS; ++form) times[form][turn] = nanoseconds(&loop, form, calls);
    for (int form = 0; form < FORMS; ++form) qsort(times[form], TURNS, sizeof(double), compare);
    if (rank == 0)
        printf("%.1f %.1f %.1f\n", times[BLOCKING][TURNS / 2], times[NONBLOCKING][TURNS / 2],
               times[PERSISTENT][TURNS / 2]);
    MPI_Request_free(&loop.persistent);
    free(loop.sent);
    free(loop.received);
    MPI_Finalize();
    return 0;
}
