/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * With coll_topo_progress_thread: nonblocking calls that end while the program makes no call of MPI. It looks at the
 * memory that they write to.
 */
#include "test/mpi/session.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

enum { LONGEST = 20000 };
static long long sent[LONGEST];
static volatile long long received[LONGEST];

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What every rank gets for sent[i] = rank * LONGEST + i. */
static long long sum_of(int i) {
    const long long ranks = session.ranks;
    return ranks * (ranks - 1) / 2 * LONGEST + ranks * i;
}

static long long from_each(int i, int count) {
    const int piece = count / session.ranks;
    return (long long)(i / piece) * LONGEST + session.rank * piece + i % piece;
}

/* The first element that is not what it will be; `count` if there is none. */
static int first_left(int count, bool sums) {
    int i = 0;
    while (i < count && received[i] == (sums ? sum_of(i) : from_each(i, count))) i++;
    return i;
}

static void compute_until_there(int count, bool sums, const char* call) {
    const char* factor = getenv("TEST_TIME_FACTOR");
    const double end = seconds() + 100 * (factor != NULL ? atof(factor) : 1);
    int left = 0;
    while ((left = first_left(count, sums)) < count && seconds() < end) sched_yield();
    check(left == count, "%s of %d elements: element %d was not there after 100 s without a call of MPI", call, count,
          left);
}

int main(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_MULTIPLE);
    const int rounds = session.scale == SCALE_FULL ? 200 : 10;
    MPI_Request request;
    for (int i = 0; i < LONGEST; i++) sent[i] = (long long)session.rank * LONGEST + i;
    for (int round = 0; round < rounds; round++) {
        const int count = round % 2 == 0 ? session.ranks : LONGEST / session.ranks * session.ranks;
        MPI_Iallreduce(sent, (void*)received, count, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD, &request);
        compute_until_there(count, true, "MPI_Iallreduce");
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Ialltoall(sent, count / session.ranks, MPI_LONG_LONG, (void*)received, count / session.ranks, MPI_LONG_LONG,
                      MPI_COMM_WORLD, &request);
        compute_until_there(count, false, "MPI_Ialltoall");
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    return session_finish("computing");
}
