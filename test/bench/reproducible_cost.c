/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What reproducible sums cost: an allreduce of doubles on communicators that differ in coll_topo_reproducible only, in
 * turns. Also of operands whose sums are all uncertain at first, so that every element is summed twice.
 *
 *   reproducible_cost REPETITIONS BYTES...
 */
#include <float.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { OFF, EXACT, EXACT_UNCERTAIN, FIXED_POINT, FIXED_ORDER, CASES };
static const char* const titles[CASES] = {"off", "exact", "exact, all uncertain", "fixed_point", "fixed_order"};
static const char* const modes[CASES] = {"off", "exact", "exact", "fixed_point", "fixed_order"};

static MPI_Comm communicators[CASES];
static int rank;

static void make_communicators(void) {
    for (int i = 0; i < CASES; i++) {
        MPI_Info info;
        MPI_Info_create(&info);
        MPI_Info_set(info, "coll_topo_reproducible", modes[i]);
        MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &communicators[i]);
        MPI_Info_free(&info);
    }
}

/* Seconds of the slowest rank, on rank 0. */
static double time_call(int which, const double* operands, double* sums, int count) {
    double slowest = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    MPI_Allreduce(operands, sums, count, MPI_DOUBLE, MPI_SUM, communicators[which]);
    const double seconds = MPI_Wtime() - begin;
    MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return slowest;
}

static int ascending(const void* left, const void* right) {
    const double a = *(const double*)left, b = *(const double*)right;
    return (a > b) - (a < b);
}

static void compare(size_t bytes, int repetitions) {
    const int count = (int)(bytes / sizeof(double));
    double *plain = malloc(bytes), *uncertain = malloc(bytes), *sums = malloc(bytes);
    double* seconds = malloc(CASES * (size_t)repetitions * sizeof *seconds);
    if (plain == NULL || uncertain == NULL || sums == NULL || seconds == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    srand((unsigned)rank);
    for (int i = 0; i < count; i++) {
        plain[i] = ldexp((double)rand() / RAND_MAX - 0.5, rand() % 20);
        uncertain[i] = rank % 2 == 0 ? DBL_MAX : plain[i] - DBL_MAX; /* overflows on the way, or cancels */
    }
    for (int turn = -1; turn < repetitions; turn++) { /* the first warms up */
        for (int which = 0; which < CASES; which++) {
            const double now = time_call(which, which == EXACT_UNCERTAIN ? uncertain : plain, sums, count);
            if (turn >= 0) seconds[which * repetitions + turn] = now;
        }
    }
    for (int which = 0; which < CASES && rank == 0; which++) {
        qsort(seconds + which * repetitions, (size_t)repetitions, sizeof *seconds, ascending);
        const double median = seconds[which * repetitions + repetitions / 2];
        printf("%9zu bytes, %-20s %10.3f ms, ratio %.2f\n", bytes, titles[which], median * 1e3,
               median / seconds[OFF * repetitions + repetitions / 2]);
        fflush(stdout);
    }
    free(plain);
    free(uncertain);
    free(sums);
    free(seconds);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int repetitions = argc > 2 ? atoi(argv[1]) : 0;
    if (repetitions < 1) {
        if (rank == 0) fprintf(stderr, "usage: reproducible_cost REPETITIONS BYTES...\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    make_communicators();
    for (int i = 2; i < argc; i++) compare((size_t)atoll(argv[i]), repetitions);
    for (int i = 0; i < CASES; i++) MPI_Comm_free(&communicators[i]);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
