/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls whose number test/mpi/profile knows, in communicators that live and such that are freed.
 *
 *   profiled known              1000 allreduces of 8 bytes, 10 bcasts of 1000 bytes, 5 barriers, 3 alltoallvs, 2 empty
 *                               allreduces in MPI_COMM_WORLD; 20 allreduces of 4096 bytes in each half of the ranks,
 *                               freed, and the same again
 *   profiled many               300 communicators, one after the other, with 2 allreduces each
 *   profiled late MILLISECONDS  50 allreduces, to which the last rank comes so much later
 *   profiled threads            a duplicate for each of 4 threads, with 500 allreduces each
 *   profiled none               nothing but MPI_Init and MPI_Finalize
 *   profiled abort|exit|kill    the last rank ends so, after some calls, while others wait or are in MPI_Finalize
 *   profiled pairs N            N stretches of 500 allreduces of 8 bytes: prints nanoseconds of a call, of the fastest
 *                               hundredth and tenth of them
 */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, MOST_RANKS = 64 };

static int rank, ranks;

static int wrong(const char* what) {
    fprintf(stderr, "FAILED: %s\n", what);
    return 1;
}

static int sums(MPI_Comm communicator, int calls, int doubles) {
    double in[512], out[512];
    int size = 0, failures = 0;
    MPI_Comm_size(communicator, &size);
    for (int call = 0; call < calls; ++call) {
        for (int i = 0; i < doubles; ++i) in[i] = call + i;
        MPI_Allreduce(in, out, doubles, MPI_DOUBLE, MPI_SUM, communicator);
        for (int i = 0; i < doubles; ++i) failures += out[i] != size * (call + i);
    }
    return failures == 0 ? 0 : wrong("a sum");
}

static int known(void) {
    char data[1000];
    int counts[MOST_RANKS], displacements[MOST_RANKS], sent[MOST_RANKS], received[MOST_RANKS];
    int failures = sums(MPI_COMM_WORLD, 1000, 1);
    for (int call = 0; call < 10; ++call) {
        memset(data, rank == call % ranks ? call : -1, sizeof data);
        MPI_Bcast(data, sizeof data, MPI_CHAR, call % ranks, MPI_COMM_WORLD);
        if (data[999] != call) failures += wrong("a bcast");
    }
    for (int call = 0; call < 5; ++call) MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < ranks; ++i) {
        counts[i] = 1;
        displacements[i] = i;
        sent[i] = rank;
    }
    for (int call = 0; call < 3; ++call) {
        MPI_Alltoallv(sent, counts, displacements, MPI_INT, received, counts, displacements, MPI_INT, MPI_COMM_WORLD);
        for (int i = 0; i < ranks; ++i) failures += received[i] != i;
    }
    for (int call = 0; call < 2; ++call) {
        MPI_Allreduce(sent, received, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    for (int again = 0; again < 2; ++again) {
        MPI_Comm half;
        MPI_Comm_split(MPI_COMM_WORLD, rank < ranks / 2, rank, &half);
        failures += sums(half, 20, 512);
        MPI_Comm_free(&half);
    }
    return failures;
}

static int many(void) {
    int failures = 0;
    for (int number = 0; number < 300; ++number) {
        MPI_Comm copy;
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        failures += sums(copy, 2, 1);
        MPI_Comm_free(&copy);
    }
    return failures;
}

static int late(int milliseconds) {
    int failures = 0;
    const struct timespec pause = {0, milliseconds * 1000000L};
    for (int call = 0; call < 50; ++call) {
        if (rank == ranks - 1) nanosleep(&pause, NULL);
        failures += sums(MPI_COMM_WORLD, 1, 1);
    }
    return failures;
}

static void* in_thread(void* communicator) {
    return (void*)(size_t)sums(*(MPI_Comm*)communicator, 500, 1);
}

static int threads(void) {
    pthread_t thread[THREADS];
    MPI_Comm copy[THREADS];
    int failures = 0;
    for (int i = 0; i < THREADS; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &copy[i]);
    for (int i = 0; i < THREADS; ++i) pthread_create(&thread[i], NULL, in_thread, &copy[i]);
    for (int i = 0; i < THREADS; ++i) {
        void* failed = NULL;
        pthread_join(thread[i], &failed);
        failures += failed != NULL;
    }
    for (int i = 0; i < THREADS; ++i) MPI_Comm_free(&copy[i]);
    return failures;
}

static int by_size(const void* one, const void* other) {
    const double difference = *(const double*)one - *(const double*)other;
    return (difference > 0) - (difference < 0);
}

/* On a machine that does other things too, only the shortest of many short stretches say what a call costs. */
static int pairs(int stretches) {
    enum { CALLS = 500 };
    double in = rank, out = 0;
    double* nanoseconds = calloc((size_t)stretches, sizeof *nanoseconds);
    for (int stretch = 0; nanoseconds != NULL && stretch < stretches; ++stretch) {
        struct timespec begin, end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        for (int call = 0; call < CALLS; ++call) MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        clock_gettime(CLOCK_MONOTONIC, &end);
        nanoseconds[stretch] = ((end.tv_sec - begin.tv_sec) * 1e9 + (end.tv_nsec - begin.tv_nsec)) / CALLS;
    }
    if (nanoseconds == NULL) return wrong("no memory");
    qsort(nanoseconds, (size_t)stretches, sizeof *nanoseconds, by_size);
    if (rank == 0) printf("%.2f %.2f\n", nanoseconds[stretches / 100], nanoseconds[stretches / 10]);
    free(nanoseconds);
    return 0;
}

/* The last rank ends without MPI_Finalize, when the others are probably in it. */
static void end_by(const char* how) {
    const struct timespec pause = {0, 300000000L};
    if (rank != ranks - 1) return;
    nanosleep(&pause, NULL);
    if (strcmp(how, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 3);
    if (strcmp(how, "exit") == 0) _exit(4);
    if (strcmp(how, "kill") == 0) kill(getpid(), SIGTERM);
}

int main(int argc, char** argv) {
    int provided = 0, failures = 0;
    const char* what = argc > 1 ? argv[1] : "known";
    MPI_Init_thread(&argc, &argv, strcmp(what, "threads") == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (strcmp(what, "known") == 0) {
        failures = known();
    } else if (strcmp(what, "many") == 0) {
        failures = many();
    } else if (strcmp(what, "late") == 0) {
        failures = late(atoi(argv[2]));
    } else if (strcmp(what, "threads") == 0) {
        failures = threads();
    } else if (strcmp(what, "pairs") == 0) {
        failures = pairs(atoi(argv[2]));
    } else if (strcmp(what, "none") != 0) {
        failures = sums(MPI_COMM_WORLD, 10, 1);
        end_by(what);
    }
    MPI_Finalize();
    return failures == 0 ? 0 : 1;
}
